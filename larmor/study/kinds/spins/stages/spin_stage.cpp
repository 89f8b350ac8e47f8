#include "larmor/study/kinds/spins/stages/spin_stage.hpp"

namespace larmor::study {
namespace {

/// The study with so many of its replicas.
Study with_replicas(Study study, Index replicas) {
  study.replicas = replicas;
  return study;
}

}  // namespace

SpinSimulation spins_of(const Simulation& simulation) {
  auto* const system = dynamic_cast<SpinSystem*>(&simulation.system);
  if (system == nullptr) throw InternalError("the stage needs spins, and the system has none");
  return simulation_of(simulation.study, *system, simulation.ranks);
}

StageBytes SpinStage::bytes(const Sizing& sizing) const {
  const lattice::Geometry& geometry = *sizing.system.geometry;
  const Study own = with_replicas(sizing.study, sizing.replicas);
  const Study of_all = with_replicas(sizing.study, sizing.all_replicas);
  StageBytes bytes;
  bytes.host = extra_bytes(own, geometry);
  bytes.host_of_all_replicas = bytes_of_all_replicas(of_all, geometry);
  bytes.device = device_bytes(own, geometry, sizing.device, sizing.all_replicas);
  return bytes;
}

}  // namespace larmor::study
