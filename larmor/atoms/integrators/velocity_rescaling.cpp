#include "larmor/atoms/integrators/velocity_rescaling.hpp"

#include "larmor/atoms/integrators/kinetic_energy_noise.hpp"
#include "larmor/atoms/replica_sums.hpp"
#include "larmor/atoms/thermodynamics.hpp"

namespace larmor::atoms {

void VelocityRescaling::step(AtomState& state, ForceField& field) {
  kick(state, timestep() / 2);
  drift(state, timestep());
  evaluate(state, field);
  kick(state, timestep() / 2);
  rescale(state);
}

void VelocityRescaling::rescale(AtomState& state) {
  const RandomKey key{seed(), state.step, Stream::kinetic_energy_noise,
                      state.layout.first_replica()};
  const std::vector<double> kinetic = kinetic_energies(state, threads());
  std::vector<double> scale(kinetic.size(), 1);
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    const auto r = static_cast<std::size_t>(replica);
    if (!(kinetic[r] > 0)) continue;  // Atoms at rest have no velocity to multiply.
    const auto freedom = static_cast<double>(degrees_of_freedom(state.layout.atoms_of(replica)));
    scale[r] = rescaling(kinetic[r], freedom * thermal_energy(state, replica) / 2, freedom,
                         exponential(-timestep() / time(replica)), key,
                         static_cast<std::uint64_t>(replica));
    add_heat(replica, (scale[r] * scale[r] - 1) * kinetic[r]);
  }
  scale_velocities(state, scale, threads());
}

}  // namespace larmor::atoms
