#include <fmt/core.h>

#include <algorithm>

#include "larmor/core/device/real_array.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/spins/jit/stencil_use.hpp"
#include "larmor/spins/long_range/convolution.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/lattice/lattice_results.hpp"
#include "larmor/study/models/spins/system/alloy.hpp"
#include "larmor/study/models/spins/system/initial.hpp"
#include "larmor/study/models/spins/system/model_results.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {

/// A system of spins of which only the lattice is known.
class SpinBlueprint : public Blueprint {
 public:
  /// @param tables outlive the blueprint @throws InputError as build_geometry
  explicit SpinBlueprint(const SystemTables& tables)
      : tables_(tables), geometry_(build_geometry(tables)) {}

  SystemSize size() const override { return size_of(geometry_); }
  SystemBytes bytes(const Device& device, Index replicas, Index copies) const override;
  std::unique_ptr<System> make(const SystemChoice& choice) const override;

 private:
  const SystemTables& tables_;
  lattice::Geometry geometry_;
};

namespace {

struct Share {
  double device = 0, host = 0;
};

Share of_dipoles(const SystemTables& tables, const lattice::Geometry& geometry,
                 const Device& device, Index copies) {
  Share bytes;
  for (const spins::Dipolar& dipolar : std::get<std::vector<spins::Dipolar>>(tables.terms)) {
    const std::string method = dipolar.chosen_method(geometry);
    const auto sites = static_cast<double>(geometry.sites());
    if (method == "fft" && device.backend == Backend::cuda) {
      bytes.device += spins::Convolution::gpu_bytes(geometry, copies, device.precision);
      bytes.host += spins::Convolution::bytes(geometry, 1, 1);
    } else if (method == "fft") {
      bytes.device += spins::Convolution::bytes(geometry, copies, device.threads);
    }
    // During construction, each pair has a tensor. The tables have a tensor for each end of a pair,
    // and a copy of the tensors while the tables are filled.
    if (method == "bonds")
      bytes.host += sites * sites * (0.5 * sizeof(spins::PairCoupling) + 4 * 72.0);
  }
  return bytes;
}

/// Positions, bonds and their results for each site, measured on lattices with six to twelve
/// neighbours.
double host_bytes_a_site(const lattice::Geometry& geometry, const Device& device) {
  const bool listed = !geometry.is_perfect() || geometry.sites() <= most_listed_sites;
  // If positions are not listed, there is only the order of sites, in the model and in the state.
  // Without a GPU there are also the neighbours of sites.
  if (listed) return 150;
  return device.backend == Backend::cuda ? 8 : 70;
}

std::string with_unit(double value, const char* unit) {
  return fmt::format("{:.6g}{}{}", value, *unit ? " " : "", unit);
}

std::string mean_field_text(const spins::MeanField& mean_field, const Study& study) {
  if (!mean_field.is_known()) return "not known: bonds are listed pair by pair";
  const spins::MeanFieldTemperature found = mean_field.temperature();
  return (found.is_lower_bound ? "at least " : "") +
         with_unit(found.value / study.context.constants.k_B,
                   inner_unit(Dimension::temperature, study.context.units)) +
         " of bilinear bonds" +
         (found.is_lower_bound ? " (the cell is too large to search for the maximum of J(q))" : "");
}

/// The names of all terms, or the kinds of many terms with their numbers: "exchange (240), field".
/// @param names in the order of their kinds
std::string terms_text(const std::vector<std::string>& names) {
  constexpr std::size_t most_named = 12;
  if (names.empty()) return "none";
  if (names.size() <= most_named) return comma_list(names);
  std::vector<std::pair<std::string, int>> kinds;
  for (const std::string& name : names) {
    // Several tables of a kind have numbers: exchange_1, exchange_2, ..
    const std::string kind = name.substr(0, name.find('_'));
    if (kinds.empty() || kinds.back().first != kind) kinds.emplace_back(kind, 0);
    ++kinds.back().second;
  }
  std::vector<std::string> texts;
  for (const auto& [kind, count] : kinds)
    texts.push_back(count == 1 ? kind : fmt::format("{} ({})", kind, count));
  return comma_list(texts);
}

}  // namespace

SystemBytes SpinBlueprint::bytes(const Device& device, Index replicas, Index copies) const {
  const SpinLayout layout{geometry_.sites(), replicas};
  const Share dipoles = of_dipoles(tables_, geometry_, device, copies);
  SystemBytes bytes;
  bytes.state = static_cast<double>(bytes_of_reals(device.precision, layout.numbers()));
  bytes.device = dipoles.device;
  bytes.saved = 8 * static_cast<double>(layout.numbers());
  // A checkpoint is written from a copy of the spins; a GPU transfers one more meanwhile.
  const double copies_of_spins = device.backend == Backend::cuda ? 2 : 1;
  bytes.host = copies_of_spins * bytes.saved +
               host_bytes_a_site(geometry_, device) * static_cast<double>(geometry_.sites()) +
               replica_table_bytes(tables_, geometry_, replicas) + dipoles.host;
  return bytes;
}

std::unique_ptr<System> SpinBlueprint::make(const SystemChoice& choice) const {
  return std::make_unique<SpinSystem>(tables_, choice.device, geometry_, choice.replicas,
                                      choice.sharing, choice.takes_derivatives);
}

std::unique_ptr<Blueprint> SystemTables::blueprint() const {
  return std::make_unique<SpinBlueprint>(*this);
}

void SpinSystem::begin(const Study& study) { set_initial_state(study, *this); }

Blocks SpinSystem::save(const Ranks& ranks) const {
  Blocks blocks;
  blocks["spins"] = ranks.joined(state.save());
  blocks["cones"] = ranks.gathered(state.cones, ranks.padded_replicas());
  return blocks;
}

void SpinSystem::load(const Blocks& blocks, const Ranks& ranks) {
  state.load(own_blocks(ranks, block<double>(blocks, "spins")));
  state.cones = ranks.own_of(block<double>(blocks, "cones"), ranks.padded_replicas());
}

io::DataArray SpinSystem::configurations(Index count, const Ranks& ranks) const {
  const ReplicaShare& share = ranks.share();
  const Index own = std::clamp(count - share.first, Index{0}, share.count);
  std::vector<double> numbers = ranks.joined(state.configurations(own));
  // Ranks other than the root have only their share.
  const Index here = static_cast<Index>(numbers.size()) / (3 * model.sites());
  return io::DataArray(std::move(numbers), {here, model.sites(), 3});
}

void SpinSystem::write_model(const Study& study, io::ResultsFile& results) const {
  study::write_model(study, *this, results);
}

std::vector<std::string> SpinSystem::plan(const Study& study) const {
  const UnitSystem units = study.context.units;
  const bool alloyed = !spin_tables(study).alloy.empty();
  std::vector<std::string> lines{"lattice   " + lattice_text(geometry)};
  if (alloyed) lines.push_back("alloy     " + composition_text(geometry));
  lines.push_back(fmt::format("terms     {}; up to {} bonds a site, {} colour(s)",
                              terms_text(model.term_names()), model.bonds_per_site(),
                              model.colours().size()));
  lines.push_back(
      "check     ferromagnetic bond energy " +
      with_unit(model.ferromagnetic_bond_energy(), inner_unit(Dimension::energy, units)) +
      (!alloyed ? " a site" : " a spin") + "; mean-field T_c " +
      mean_field_text(model.mean_field(), study));
  return lines;
}

std::string SpinSystem::kernel_advice() const { return spins::stencil_advice(state.layout()); }

double SpinSystem::table_bytes_to_come(bool read) const {
  const auto to_come = static_cast<double>(model.bytes_to_come());
  if (to_come == 0 || read) return to_come;
  const bool made =
      spins::stencil_to_use(model, state.layout(), device, spins::StencilCells::crystal)
          .has_value();
  return made ? 0 : to_come;
}

double SpinSystem::table_bytes_elsewhere() const {
  return model.long_range() != nullptr ? model.long_range()->bytes() : 0;
}

}  // namespace larmor::study
