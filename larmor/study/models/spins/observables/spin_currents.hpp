#pragma once
// Spin currents between neighbours, along the directions of the lattice.

#include <algorithm>
#include <memory>

#include "larmor/core/maths/vectors.hpp"
#include "larmor/spins/observables/spin_current.hpp"
#include "larmor/study/models/spins/observables/spin_observables.hpp"

namespace larmor::study {

struct SpinCurrents {
  static constexpr const char* name = "spin-currents";
  static constexpr const char* doc =
      "the spin current along each direction of the lattice, without the part of dipoles";
  static constexpr bool reads_tables = true;

  /// @throws InputError for couplings that differ by replica
  static void validate(const Study& study, const lattice::Geometry&) {
    const auto& exchange = std::get<std::vector<spins::Exchange>>(spin_tables(study).terms);
    if (std::any_of(exchange.begin(), exchange.end(),
                    [](const auto& term) { return term.disorder_by_replica; }))
      throw InputError("spin-currents cannot be measured if couplings differ by replica",
                       "give all replicas the same disorder, or do not measure spin-currents");
  }

  static Index numbers(const Study&, const lattice::Geometry& geometry) {
    return 3 * Index{geometry.crystal.dimensions};
  }

  static std::vector<Observable> observables(const SpinSimulation& simulation,
                                             const ReadContext& context) {
    std::string unit = inner_unit(Dimension::energy, context.units);
    if (!unit.empty()) unit += std::string(" ") + inner_unit(Dimension::length, context.units);
    auto terms = lower_terms(simulation.tables, simulation.geometry, simulation.model.moments());
    // Dipoles act over any distance, so the current of dipoles does not flow between neighbours.
    std::erase_if(terms, [](const auto& term) { return term.name == spins::Dipolar::name; });
    const spins::SpinState& state = simulation.state;
    const char* label[3] = {"spin_current_x", "spin_current_y", "spin_current_z"};
    std::vector<Observable> observables;
    for (int axis = 0; axis < std::min(3, simulation.geometry.crystal.dimensions); ++axis) {
      const auto current = std::make_shared<spins::SpinCurrent>(state.device(), simulation.geometry,
                                                                terms, simulation.model, axis);
      observables.push_back({label[axis], unit, 3, [&state, current] {
                               return Pending(flattened(current->measure(state)));
                             }});
    }
    return observables;
  }
};

}  // namespace larmor::study
