#include "larmor/atoms/integrators/velocity_rescaling.hpp"

#include "larmor/atoms/integrators/velocity_rescaling_kernel.hpp"
#include "larmor/atoms/thermodynamics.hpp"

namespace larmor::atoms {

void VelocityRescaling::step(AtomState& state, ForceField& field) {
  kick_and_drift(state, timestep() / 2, timestep());
  field.evaluate(state);
  kick(state, timestep() / 2);
  rescale(state);
}

void VelocityRescaling::rescale(AtomState& state) {
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
