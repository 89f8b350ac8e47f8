#include "larmor/study/models/atoms/system/atom_potentials.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "larmor/atoms/cell/elements.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/atoms/forces/gpu_force_field.hpp"
#include "larmor/atoms/potentials/snap/gpu_snap.hpp"
#include "larmor/atoms/potentials/zbl/gpu_zbl.hpp"
#endif
#include "larmor/core/input/suggest.hpp"
#include "larmor/evaluation/overlaid_potential.hpp"
#include "larmor/io/potentials/lammps_script.hpp"

namespace larmor::study {
namespace {

using evaluation::OverlaidPotential;

/// The index of each species among the names. @throws InputError for a species without a name
std::vector<std::int32_t> places_in(const std::vector<std::string>& names,
                                    const std::vector<std::string>& species,
                                    const SourcePosition& where) {
  std::vector<std::int32_t> places;
  for (const std::string& name : species) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError("the potential has no element '" + name + "'", where,
                       hint_and_list(name, names));
    places.push_back(static_cast<std::int32_t>(found - names.begin()));
  }
  return places;
}

/// SNAP, and ZBL if the script of SNAP overlays it. The potential numbers the types of atoms in
/// its own way, and not like the structure.
class SnapOfSpecies : public StudyPotential {
 public:
  SnapOfSpecies(const evaluation::PotentialChoice& choice, const Device& device)
      : potential_(choice, device) {}

  void set_species(const std::vector<std::string>& species, const SourcePosition& where) {
    kind_of_type_ = places_in(potential_.elements(), species, where);
  }
  const OverlaidPotential& potential() const { return potential_; }
  double cutoff() const override { return potential_.cutoff(); }
  atoms::PairGradients evaluate(const atoms::NeighbourRows& rows,
                                std::span<const std::int32_t> types) const override {
    std::vector<std::int32_t> kinds;
    kinds.reserve(types.size());
    for (const std::int32_t type : types)
      kinds.push_back(kind_of_type_[static_cast<std::size_t>(type)]);
    return potential_.evaluate(rows, kinds);
  }
#if defined(LARMOR_HAS_CUDA)
  void add_to(std::vector<std::unique_ptr<atoms::GpuPotential>>& potentials,
              const Device& device) const override {
    potential_.add_to(potentials, kind_of_type_, device);
  }
  double gpu_bytes(Index count) const override {
    using atoms::snap::GpuSnap;
    return std::min(GpuSnap::usual_most_bytes,
                    GpuSnap::work_bytes(potential_.snap().potential(), count));
  }
#endif

 private:
  OverlaidPotential potential_;
  std::vector<std::int32_t> kind_of_type_;
};

class ZblOfSpecies : public StudyPotential {
 public:
  explicit ZblOfSpecies(atoms::Zbl zbl) : zbl_(std::move(zbl)) {}

  double cutoff() const override { return zbl_.cutoff(); }
  atoms::PairGradients evaluate(const atoms::NeighbourRows& rows,
                                std::span<const std::int32_t> types) const override {
    return zbl_.evaluate(rows, types);
  }
#if defined(LARMOR_HAS_CUDA)
  void add_to(std::vector<std::unique_ptr<atoms::GpuPotential>>& potentials,
              const Device& device) const override {
    potentials.push_back(std::make_unique<atoms::GpuZbl>(zbl_, device));
  }
  double gpu_bytes(Index) const override { return 0; }
#endif

 private:
  atoms::Zbl zbl_;
};

evaluation::PotentialChoice choice_of(const SnapTable& table, const std::string& folder) {
  const auto path = [&](const std::optional<std::string>& file, const char* ending = "") {
    if (!file) return std::string();
    return with_position(table.where.of({"script", "prefix", "coefficients"}),
                         [&] { return io::potential_file(folder, *file + ending); });
  };
  evaluation::PotentialChoice choice;
  choice.script = path(table.script);
  choice.coefficients = table.prefix ? path(table.prefix, ".snapcoeff") : path(table.coefficients);
  choice.parameters = table.prefix ? path(table.prefix, ".snapparam") : path(table.parameters);
  return choice;
}

std::string text_of(const OverlaidPotential& potential) {
  const atoms::snap::SnapPotential& snap = potential.snap().potential();
  return fmt::format("snap {} ({}; twojmax = {}, cutoff {:.6g} Å){}",
                     std::filesystem::path(potential.files().front()).filename().string(),
                     comma_list(potential.elements()), snap.parameters.twojmax,
                     potential.snap().cutoff(), potential.zbl() ? " with zbl" : "");
}

void add_snap(const SnapTable& table, const AtomTables& tables,
              const std::vector<std::string>& species, const Device& device,
              AtomPotentials& found) {
  auto snap = with_position(table.where.of({"script", "prefix", "coefficients"}), [&] {
    return std::make_unique<SnapOfSpecies>(choice_of(table, tables.folder), device);
  });
  snap->set_species(species, table.where);
  found.words.push_back(text_of(snap->potential()));
  for (const std::string& file : snap->potential().files()) found.files.push_back(file);
  found.potentials.push_back(std::move(snap));
}

double charge_of(const ZblTable& table, const std::vector<std::string>& elements, std::size_t n) {
  if (!table.charges.empty()) return table.charges[n];
  const atoms::Element* const element = atoms::find_element(elements[n]);
  if (element == nullptr)
    throw InputError("'" + elements[n] +
                         "' names no chemical element, so the charge of its nucleus is not known",
                     table.where.of("elements"),
                     "give `elements`, and in `charges` one charge for each element");
  return element->Z;
}

void add_zbl(const ZblTable& table, const std::vector<std::string>& species,
             AtomPotentials& found) {
  const std::vector<std::string>& elements = table.elements.empty() ? species : table.elements;
  std::vector<std::int32_t> types;
  for (const std::string& element : elements) {
    const auto at = std::find(species.begin(), species.end(), element);
    if (at == species.end())
      throw InputError("there is no atom of '" + element + "'", table.where.of("elements"),
                       hint_and_list(element, species));
    types.push_back(static_cast<std::int32_t>(at - species.begin()));
  }
  std::vector<atoms::Zbl::Nuclei> pairs;
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (std::size_t j = 0; j < elements.size(); ++j)
      pairs.push_back(
          {types[i], types[j], charge_of(table, elements, i), charge_of(table, elements, j)});
  found.potentials.push_back(with_position(table.where, [&] {
    return std::make_unique<ZblOfSpecies>(
        atoms::Zbl(table.inner, table.outer, static_cast<std::int32_t>(species.size()), pairs));
  }));
  found.words.push_back(fmt::format("zbl ({}; switched off from {:.6g} to {:.6g} Å)",
                                    comma_list(elements), table.inner, table.outer));
}

}  // namespace

double AtomPotentials::cutoff() const {
  double cutoff = 0;
  for (const auto& potential : potentials) cutoff = std::max(cutoff, potential->cutoff());
  return cutoff;
}

double AtomPotentials::gpu_bytes([[maybe_unused]] Index atoms) const {
  double bytes = 0;
#if defined(LARMOR_HAS_CUDA)
  for (const auto& potential : potentials) bytes += potential->gpu_bytes(atoms);
#endif
  return bytes;
}

std::unique_ptr<atoms::ForceField> AtomPotentials::force_field(AtomPotentials found, double skin,
                                                               const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) {
    std::vector<std::unique_ptr<atoms::GpuPotential>> potentials;
    for (const auto& potential : found.potentials) potential->add_to(potentials, device);
    return std::make_unique<atoms::GpuForceField>(std::move(potentials), skin);
  }
#endif
  std::vector<std::unique_ptr<const atoms::Potential>> potentials;
  for (auto& potential : found.potentials) potentials.push_back(std::move(potential));
  return std::make_unique<atoms::PotentialForces>(std::move(potentials), skin, device.threads);
}

AtomPotentials read_potentials(const AtomTables& tables, const std::vector<std::string>& species,
                               const Device& device) {
  AtomPotentials found;
  for (const SnapTable& snap : tables.snap) add_snap(snap, tables, species, device, found);
  for (const ZblTable& zbl : tables.zbl) add_zbl(zbl, species, found);
  return found;
}

}  // namespace larmor::study
