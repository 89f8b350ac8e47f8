#include "larmor/atoms/integrators/langevin.hpp"

#include "larmor/atoms/integrators/langevin_kernel.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"

namespace larmor::atoms {

void Langevin::step(AtomState& state, ForceField& field) {
  kick_and_drift(state, timestep() / 2, timestep() / 2);
  fluctuate(state);
  drift(state, timestep() / 2);
  field.evaluate(state);
  kick(state, timestep() / 2);
}

void Langevin::fluctuate(AtomState& state) {
  const HeatBathView bath = heat_bath(state, state.device);
  const RandomKey key{seed(), state.step, Stream::atom_noise, state.layout.first_replica()};
  kept_.resize(state.device, state.layout.replicas());
  sum_kinetic_energies(state, threads(), before_);
  for_each_replica(state, KeptVelocity{bath, timestep(), kept_.data()});
  for_each_atom(state, threads(), Fluctuate{state.view(), bath, key, kept_.data()});
  // For a centre of mass at rest, its motion may be removed from friction and noise or from the
  // velocities. The latter also removes rounding errors.
  stop_centre_of_mass(state, threads(), motion_);
  sum_kinetic_energies(state, threads(), after_);
  for_each_replica(state, AddHeat{before_.data(), after_.data(), heat()});
}

}  // namespace larmor::atoms
