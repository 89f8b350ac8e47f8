#pragma once
// Energy and magnetisation, which every stage measures.

#include "larmor/spins/observables/observables.hpp"
#include "larmor/study/models/spins/observables/spin_observables.hpp"

namespace larmor::study {

/// The energy per site.
inline Observable energy_observable(const SpinSimulation& simulation, UnitSystem units) {
  return {"energy", inner_unit(Dimension::energy, units), 1,
          [&model = simulation.model, &state = simulation.state] {
            return spins::energy_per_site_async(model, state);
          }};
}

/// The moment per site.
inline Observable magnetisation_observable(const SpinSimulation& simulation, UnitSystem units) {
  return {"magnetisation", inner_unit(Dimension::magnetic_moment, units), 3,
          [&model = simulation.model, &state = simulation.state] {
            return spins::magnetisation_per_site_async(model, state);
          }};
}

}  // namespace larmor::study
