#pragma once
// The magnetisation of each sublattice, per site of the sublattice.

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "larmor/spins/observables/observables.hpp"
#include "larmor/study/models/spins/observables/spin_observables.hpp"

namespace larmor::study {

/// A sublattice is a species or, if all sites are of one species, a basis atom.
struct Sublattices {
  static constexpr const char* name = "sublattices";
  static constexpr const char* doc =
      "the magnetisation of each species per site of this species; if there is only one species, "
      "that of each basis atom";
  static constexpr bool of_relaxed_spins = true;

  static Index numbers(const Study&, const lattice::Geometry& geometry) {
    return 3 * std::ssize(sublattices(geometry));
  }

  static std::vector<Observable> observables(const SpinSimulation& simulation,
                                             const ReadContext& context) {
    const std::string unit = inner_unit(Dimension::magnetic_moment, context.units);
    const spins::SpinState& state = simulation.state;
    std::vector<Observable> observables;
    for (const auto& [label, members] : sublattices(simulation.geometry)) {
      const auto count = static_cast<double>(std::count(members.begin(), members.end(), 1)) *
                         static_cast<double>(simulation.model.sites()) /
                         static_cast<double>(members.size());
      const auto weight = std::make_shared<spins::RowStorage>(simulation.model.rows_by_site(
          1,
          [&, &sites = members](Index site) {
            const auto s = static_cast<std::size_t>(site);
            return std::vector<double>{
                sites[s % sites.size()] ? simulation.model.moments()[s] / count : 0.0};
          },
          simulation.geometry.is_perfect() && simulation.model.moments().by_atom()));
      observables.push_back({"magnetisation_" + label, unit, 3, [&state, weight] {
                               return spins::weighted_sum_async(weight->table(), state);
                             }});
    }
    return observables;
  }

 private:
  /// Names and sites of the sublattices: all sites, or those of one cell if all cells are alike.
  static std::map<std::string, std::vector<char>> sublattices(const lattice::Geometry& geometry) {
    const Index looked_at = geometry.is_perfect()
                                ? static_cast<Index>(geometry.crystal.basis.size())
                                : geometry.sites();
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
};

}  // namespace larmor::study
