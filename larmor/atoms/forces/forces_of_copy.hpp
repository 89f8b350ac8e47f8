#pragma once
// Forces on a state of the host, from a copy of this state on another device. So a minimiser on
// the host can use the forces of a GPU.

#include "larmor/atoms/forces/force_field.hpp"

namespace larmor::atoms {

/// Copies positions and boxes between states on different devices.
inline void copy_places(const AtomState& from, AtomState& to) {
  to.position = from.position.to_host();
  to.box = from.box.to_host();
}

/// Copies forces, energies and virials between states on different devices.
inline void copy_forces(const AtomState& from, AtomState& to) {
  to.force = from.force.to_host();
  to.energy = from.energy.to_host();
  to.virial = from.virial.to_host();
}

class ForcesOfCopy : public ForceField {
 public:
  /// @param there state on the other device @param field force field there; both outlive this
  ForcesOfCopy(AtomState& there, ForceField& field) : there_(there), field_(field) {}

  void evaluate(AtomState& state) override {
    copy_places(state, there_);
    do {
      there_.faults.clear(there_.step);
      field_.evaluate(there_);
    } while (!field_.complete_steps(there_));
    copy_forces(there_, state);
  }

 private:
  AtomState& there_;
  ForceField& field_;
};

}  // namespace larmor::atoms
