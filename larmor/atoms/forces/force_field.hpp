#pragma once
// The interface of force fields: an energy of every replica as a function of positions and box.

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

  /// Computes energy, forces and virial of every replica. They depend only on its positions, types
  /// and box, not on other replicas or earlier evaluations.
  /// @throws UnphysicalError, with replica and step, for positions that are not finite, atoms at
  /// the same place, a box without a volume
  virtual void evaluate(AtomState& state) = 0;

  /// Waits for evaluations on a GPU, which `evaluate` only launches.
  /// @return false if an array was too small in one of them; it is larger now. Then all work since
  /// the last `complete_steps` must be repeated from the state of that time
  /// @throws UnphysicalError for the errors that `evaluate` reports on a CPU
  virtual bool complete_steps(AtomState& state);
};

/// "replica 3", with the number of the replica in the study.
std::string replica_text(const AtomState& state, Index replica);

/// Throws the first fault, if there is one. Waits for a GPU. @throws UnphysicalError
void throw_fault(AtomState& state);

}  // namespace larmor::atoms
