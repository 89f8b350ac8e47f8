#include "larmor/study/kinds/spins/stages/measured.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "larmor/lattice/triangulation.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/spins/observables/spin_current.hpp"
#include "larmor/spins/observables/topology.hpp"
#include "larmor/study/kinds/spins/stages/site_averages.hpp"

namespace larmor::study {
namespace {

std::vector<double> flat(const std::vector<Vec3<double>>& vectors) {
  std::vector<double> numbers;
  for (const Vec3<double>& v : vectors) numbers.insert(numbers.end(), {v.x, v.y, v.z});
  return numbers;
}

std::vector<Observable> term_energies(const SpinSimulation& simulation, const std::string& unit) {
  std::vector<Observable> observables;
  const spins::Model& model = simulation.model;
  const spins::SpinState& state = simulation.state;
  for (std::size_t t = 0; t < model.term_names().size(); ++t)
    observables.push_back({"energy_" + model.term_names()[t], unit, 1,
                           [&, t] { return spins::term_energy_per_site_later(model, t, state); }});
  return observables;
}

/// Names of the sublattices and the spins of each: of all sites, or of one cell where all are
/// alike.
std::map<std::string, std::vector<char>> sublattices(const lattice::Geometry& geometry) {
  const Index looked_at =
      geometry.is_perfect() ? static_cast<Index>(geometry.crystal.basis.size()) : geometry.sites();
  std::set<std::string> species;
  for (Index site = 0; site < looked_at; ++site)
    if (geometry.occupied(site)) species.insert(geometry.species(site));
  std::map<std::string, std::vector<char>> members;
  for (Index site = 0; site < looked_at; ++site) {
    if (!geometry.occupied(site)) continue;
    auto& sites =
        members[species.size() > 1 ? geometry.species(site)
                                   : "atom_" + std::to_string(geometry.basis_index(site))];
    sites.resize(static_cast<std::size_t>(looked_at));
    sites[static_cast<std::size_t>(site)] = 1;
  }
  return members;
}

std::vector<Observable> sublattice_magnetisations(const SpinSimulation& simulation,
                                                  const std::string& unit) {
  std::vector<Observable> observables;
  const spins::SpinState& state = simulation.state;
  for (const auto& [name, members] : sublattices(simulation.geometry)) {
    const auto count = static_cast<double>(std::count(members.begin(), members.end(), 1)) *
                       static_cast<double>(simulation.model.sites()) /
                       static_cast<double>(members.size());
    const auto weight = std::make_shared<spins::RowStorage>(simulation.model.rows_by_site(
        1,
        [&, &sites = members](Index site) {
          const auto s = static_cast<std::size_t>(site);
          return std::vector<double>{sites[s % sites.size()] ? simulation.model.moments()[s] / count
                                                             : 0.0};
        },
        simulation.geometry.is_perfect() && simulation.model.moments().by_atom()));
    observables.push_back({"magnetisation_" + name, unit, 3, [&state, weight] {
                             return spins::weighted_sum_later(weight->table(), state);
                           }});
  }
  return observables;
}

/// Spin currents along the directions that the lattice has.
std::vector<Observable> currents(const SpinSimulation& simulation, const ReadContext& context) {
  std::string unit = inner_unit(Dimension::energy, context.units);
  if (!unit.empty()) unit += std::string(" ") + inner_unit(Dimension::length, context.units);
  auto terms = lower_terms(simulation.tables, simulation.geometry, simulation.model.moments());
  // Dipoles act over any distance: what flows through space is no current between neighbours.
  std::erase_if(terms, [](const auto& term) { return term.name == spins::Dipolar::name; });
  const spins::SpinState& state = simulation.state;
  const char* name[3] = {"spin_current_x", "spin_current_y", "spin_current_z"};
  std::vector<Observable> observables;
  for (int axis = 0; axis < std::min(3, simulation.geometry.crystal.dimensions); ++axis) {
    const auto current = std::make_shared<spins::SpinCurrent>(state.device(), simulation.geometry,
                                                              terms, simulation.model, axis);
    observables.push_back({name[axis], unit, 3,
                           [&state, current] { return Pending(flat(current->measure(state))); }});
  }
  return observables;
}

}  // namespace

std::vector<Observable> observables_of(const std::string& what, const SpinSimulation& simulation,
                                       const ReadContext& context) {
  const std::string energy_unit = inner_unit(Dimension::energy, context.units);
  const std::string moment_unit = inner_unit(Dimension::magnetic_moment, context.units);
  const spins::Model& model = simulation.model;
  const spins::SpinState& state = simulation.state;
  if (what == "energy-terms") return term_energies(simulation, energy_unit);
  if (what == "spin-currents") return currents(simulation, context);
  if (what == "spin-temperature")
    return {{"spin_temperature", inner_unit(Dimension::temperature, context.units), of_ratio,
             [&, k_B = context.constants.k_B] {
               return spins::spin_temperature_sums_later(model, state)
                   .then([k_B](std::vector<double>& sums) {
                     for (std::size_t r = 0; r < sums.size(); r += 2) sums[r] /= k_B;
                   });
             }}};
  if (what == "sublattices") return sublattice_magnetisations(simulation, moment_unit);
  if (what == "energy")
    return {{"energy", energy_unit, 1, [&] { return spins::energy_per_site_later(model, state); }}};
  if (what == "magnetisation")
    return {{"magnetisation", moment_unit, 3,
             [&] { return spins::magnetisation_per_site_later(model, state); }}};
  if (what == "topological-charge")
    return {{"topological_charge", "", 1,
             [&state, charge = spins::LayerCharge(
                          lattice::triangulate_layers(simulation.geometry,
                                                      simulation.tables.lattice.layer_thickness),
                          state)] { return charge.measure(state); }}};
  throw InternalError("nothing is called " + what);
}

bool reads_tables(const std::string& what) {
  return what == "energy-terms" || what == "spin-currents" || what == "spin-temperature" ||
         what == SiteAverages::energy;
}

void require_measurable(const std::string& what, const Study& study,
                        const lattice::Geometry& geometry, const SourcePosition& where) {
  const auto& exchange = std::get<std::vector<spins::Exchange>>(spin_tables(study).terms);
  if (what == "spin-currents" &&
      std::any_of(exchange.begin(), exchange.end(),
                  [](const auto& term) { return term.disorder_by_replica; }))
    throw InputError("spin-currents are not known where couplings differ by replica", where,
                     "give all replicas the same disorder, or do not measure them");
  if (what != "topological-charge") return;
  try {
    lattice::triangulate_layers(geometry, spin_tables(study).lattice.layer_thickness);
  } catch (const InputError& error) {
    throw InputError(error.problem(), where, error.remedy());
  }
}

}  // namespace larmor::study
