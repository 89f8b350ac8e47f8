#include "larmor/atoms/integrators/velocity_verlet.hpp"

namespace larmor::atoms {

void VelocityVerlet::step(AtomState& state, ForceField& field) {
  kick_and_drift(state, timestep() / 2, timestep());
  field.evaluate(state);
  kick(state, timestep() / 2);
}

}  // namespace larmor::atoms
