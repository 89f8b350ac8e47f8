#pragma once
// What moves the atoms: an energy of every replica as a function of positions and box.

#include "larmor/atoms/atom_state.hpp"

namespace larmor::atoms {

/// E must not change when all atoms of a replica move by the same vector: integrators count 3N - 3
/// degrees of freedom.
class ForceField {
 public:
  ForceField() = default;
  ForceField(const ForceField&) = delete;
  ForceField& operator=(const ForceField&) = delete;
  virtual ~ForceField() = default;

  /// Energy, forces and virial of every replica, which depend on its positions, types and box
  /// alone: not on other replicas, nor on what was evaluated before.
  /// @throws UnphysicalError that names the replica and the step, for positions that are not
  /// finite, atoms at the same place, a box without a volume
  virtual void evaluate(AtomState& state) = 0;
};

}  // namespace larmor::atoms
