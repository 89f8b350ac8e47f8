#include "larmor/atoms/integrators/velocity_verlet.hpp"

namespace larmor::atoms {

void VelocityVerlet::step(AtomState& state, ForceField& field) {
  kick(state, timestep() / 2);
  drift(state, timestep());
  evaluate(state, field);
  kick(state, timestep() / 2);
}

}  // namespace larmor::atoms
