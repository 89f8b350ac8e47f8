#include "larmor/atoms/integrators/mtk.hpp"

#include "larmor/atoms/system/thermodynamics.hpp"

namespace larmor::atoms {

Mtk::Mtk(double timestep, const HeatBath& heat, const PressureBath& pressure, int threads)
    : ChainedIntegrator(timestep, heat, threads),
      bath_(pressure),
      box_chains_(pressure.replicas()),
      rate_(pressure.replicas()) {
  keep(box_chains_);
  keep(rate_);
}

void Mtk::require(const AtomState& state) const {
  ChainedIntegrator::require(state);
  bath_.require(state);
}

BoxBathView Mtk::baths(const AtomState& state, const Device& device) const {
  return {heat_bath(state, device), bath_.view(state, device)};
}

double Mtk::box_energy(const AtomState& state, Index replica) const {
  return baths(state, {}).box_energy(rate_.to_host()[static_cast<std::size_t>(replica)],
                                     state.layout.atoms_of(replica), replica);
}

std::vector<double> Mtk::conserved(const AtomState& state) const {
  std::vector<double> conserved = energies(state);
  const BoxBathView view = baths(state, {});
  const std::vector<double> of_chains = chain_energies(state);
  const std::vector<NoseHooverChain> box_chains = box_chains_.to_host();
  const std::vector<Mat3<double>> rates = rate_.to_host();
  const std::vector<Box> boxes = state.box.to_host();
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    const auto r = static_cast<std::size_t>(replica);
    conserved[r] += view.pressure.pressure(replica) * boxes[r].volume() +
                    view.box_energy(rates[r], state.layout.atoms_of(replica), replica) +
                    of_chains[r] + energy_of(box_chains[r], view.box_target(replica));
  }
  return conserved;
}

void Mtk::step(AtomState& state, ForceField& field) {
  factor_.resize(state.device, state.layout.replicas());
  steps_.resize(state.device, state.layout.replicas());
  sum_kinetic_stresses(state, threads(), kinetic_);
  thermostat(state);
  push_boxes(state);
  kick_with_boxes(state);
  drift_with_boxes(state);
  field.evaluate(state);
  kick_with_boxes(state);
  sum_kinetic_stresses(state, threads(), kinetic_);
  push_boxes(state);
  thermostat(state);
}

/// Moves the chains for half a step.
void Mtk::thermostat(AtomState& state) {
  if (links() == 0) return;
  for_each_replica(state, MoveBothChains{state.layout.view(), baths(state, state.device),
                                         timestep() / 2, chains(), box_chains_.data(), rate_.data(),
                                         kinetic_.data(), factor_.data()});
  scale_velocities(state, factor_, threads());
}

/// Integrates dR/dt for half a step.
void Mtk::push_boxes(AtomState& state) {
  for_each_replica(state, PushBox{state.view(), baths(state, state.device), timestep(),
                                  kinetic_.data(), rate_.data()});
  throw_fault_of_cpu(state);
}

/// Integrates dv/dt for half a step.
void Mtk::kick_with_boxes(AtomState& state) {
  for_each_replica(state, KickOfBox{state.layout.view(), heat_bath(state, state.device),
                                    timestep() / 2, rate_.data(), steps_.data()});
  for_each_atom(state, threads(), KickWithBox{state.view(), steps_.data()});
  throw_fault_of_cpu(state);
}

/// Integrates dr/dt and dh/dt for a step.
void Mtk::drift_with_boxes(AtomState& state) {
  for_each_replica(state, DriftOfBox{timestep(), rate_.data(), steps_.data(), state.box.data()});
  for_each_atom(state, threads(),
                DriftWithBox{state.position.data(), state.velocity.data(), steps_.data()});
}

}  // namespace larmor::atoms
