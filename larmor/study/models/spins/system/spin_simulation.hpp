#pragma once
// All parameters and states of a simulation of spins.

#include "larmor/study/models/spins/system/spin_system.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

struct SpinSimulation : Simulation {
  const SystemTables& tables;
  const lattice::Geometry& geometry;
  const spins::Model& model;
  spins::SpinState& state;
  SpinClusterCensus& clusters;
};

/// @throws InternalError if the system has no spins
inline SpinSimulation spins_of(const Simulation& simulation) {
  auto* const system = dynamic_cast<SpinSystem*>(&simulation.system);
  if (system == nullptr) throw InternalError("the stage needs spins, and the system has none");
  return {simulation,       spin_tables(simulation.study),
          system->geometry, system->model,
          system->state,    system->clusters};
}

}  // namespace larmor::study
