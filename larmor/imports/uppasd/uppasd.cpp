#include "larmor/imports/uppasd/uppasd.hpp"

#include <cmath>
#include <utility>

#include "larmor/core/input/suggest.hpp"
#include "larmor/imports/uppasd/crystal.hpp"
#include "larmor/imports/uppasd/hamiltonian.hpp"
#include "larmor/imports/uppasd/initial_state.hpp"
#include "larmor/imports/uppasd/input_file.hpp"
#include "larmor/imports/uppasd/stages.hpp"

namespace larmor::imports {
namespace {

using uppasd::Entry;
using uppasd::InputFile;

constexpr const char* conventions =
    "UppASD counts each pair twice, and Larmor counts it once: couplings of the study are J_ij + "
    "J_ji of the files. Both have J > 0 for ferromagnets, and - D.(e_i x e_j)";

void set_head(Value& study, const InputFile& input, bool reduced, std::vector<std::string>& notes) {
  if (const Entry* simid = input.find("simid"))
    study.set("title", placed(simid->word(), simid->value_mark()), simid->mark());
  const Entry* const aunits = input.find("aunits");
  const SourceMark units = aunits != nullptr ? aunits->mark() : study.source_mark();
  study.set("units", placed(reduced ? "reduced" : "material", units), units);
  if (!reduced) study.set("constants", placed(Index{2014}, study.source_mark()));
  if (const Entry* tseed = input.find("tseed")) {
    const Index seed = tseed->whole();
    study.set("seed", placed(std::abs(seed), tseed->value_mark()), tseed->mark());
    if (seed < 0) notes.emplace_back("tseed: the sign of the seed is dropped");
  }
  const Entry* const mensemble = input.find("mensemble");
  // The ensembles of a minimum-energy path are its images.
  if (mensemble == nullptr || input.letter("mode", 'S') == 'G') return;
  study.set("replicas", placed(mensemble->count(1), mensemble->value_mark()), mensemble->mark());
}

}  // namespace

bool is_uppasd_input(const std::string& path) { return uppasd::looks_like_input(path); }

Import read_uppasd(const std::string& path, const ImportOptions&) {
  const InputFile input(path);
  Import result;
  result.program = "UppASD";
  result.notes.emplace_back(conventions);
  std::vector<std::string>& notes = result.notes;
  notes.insert(notes.end(), input.notes().begin(), input.notes().end());
  const uppasd::Quantities quantities{input.flag("aunits")};

  uppasd::UppasdCrystal crystal = uppasd::read_crystal(input, notes);
  Value& study = result.study;
  study.mark({crystal.cell_where.text, 0, 0});
  const uppasd::UppasdHamiltonian hamiltonian = uppasd::read_hamiltonian(input, crystal, notes);
  crystal.species_by_site =
      !crystal.is_alloy && uppasd::differ_within_types(hamiltonian.anisotropies, crystal);

  set_head(study, input, quantities.reduced, notes);
  uppasd::set_lattice(study, input, crystal, quantities);
  uppasd::set_hamiltonian(study, hamiltonian, input, crystal, quantities, notes);
  study.set("initial", uppasd::initial_state(input, crystal, notes));
  uppasd::set_stages(study, input, crystal, hamiltonian, quantities, notes);

  if (const std::string note = uppasd::exchange_note(hamiltonian, crystal, quantities);
      !note.empty())
    notes.push_back(note);
  if (!input.unneeded().empty())
    notes.push_back("not needed: " + comma_list(input.unneeded()) +
                    ". These keywords only steer output, buffers, random numbers or parallel work; "
                    "results.h5 holds all measurements");
  return result;
}

}  // namespace larmor::imports
