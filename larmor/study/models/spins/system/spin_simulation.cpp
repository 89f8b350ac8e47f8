#include "larmor/study/models/spins/system/spin_simulation.hpp"

namespace larmor::study {

SpinSimulation spins_of(const Simulation& simulation) {
  auto* const system = dynamic_cast<SpinSystem*>(&simulation.system);
  if (system == nullptr) throw InternalError("the stage needs spins, and the system has none");
  return simulation_of(simulation.study, *system, simulation.ranks);
}

}  // namespace larmor::study
