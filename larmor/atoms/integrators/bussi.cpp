#include "larmor/atoms/integrators/bussi.hpp"

#include "larmor/atoms/integrators/bussi_kernel.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"

namespace larmor::atoms {

void Bussi::step(AtomState& state, ForceField& field) {
  kick_and_drift(state, timestep() / 2, timestep());
  field.evaluate(state);
  kick(state, timestep() / 2);
  rescale(state);
}

void Bussi::rescale(AtomState& state) {
  const RandomKey key{seed(), state.step, Stream::kinetic_energy_noise,
                      state.layout.first_replica()};
  sum_kinetic_energies(state, threads(), kinetic_);
  factor_.resize(state.device, state.layout.replicas());
  for_each_replica(
      state, ChooseRescaling{state.layout.view(), heat_bath(state, state.device), timestep(), key,
                             kinetic_.data(), factor_.data(), heat()});
  scale_velocities(state, factor_, threads());
}

}  // namespace larmor::atoms
