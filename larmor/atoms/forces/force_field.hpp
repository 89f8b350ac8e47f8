#pragma once
// What moves the atoms: an energy of every replica as a function of positions and box.

#include <string>

#include "larmor/atoms/system/atom_state.hpp"

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

  /// After evaluations on a GPU, which are only launched: waits for them.
  /// @return false: room was too small in one of them, and is larger now. All since the last
  /// `settle` are to be done again, from the state that it found
  /// @throws UnphysicalError as `evaluate` does on a CPU
  virtual bool settle(AtomState& state);
};

/// "replica 3", by its number in the study.
std::string replica_text(const AtomState& state, Index replica);

/// Throws what was raised first, if anything was. Waits for a GPU. @throws UnphysicalError
void throw_fault(AtomState& state);

}  // namespace larmor::atoms
