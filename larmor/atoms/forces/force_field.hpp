#pragma once
// The interface of force fields: an energy of every replica as a function of positions and box.

#include <string>

#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

/// The energy of a replica must not change if all of its atoms move by one vector: integrators
/// count 3N - 3 degrees of freedom for N atoms.
class ForceField {
 public:
  ForceField() = default;
  ForceField(const ForceField&) = delete;
  ForceField& operator=(const ForceField&) = delete;
  virtual ~ForceField() = default;

  /// Computes energy, forces and virial of every replica. The results for a replica depend only on
  /// its positions, types and box, not on other replicas or earlier evaluations.
  /// @throws UnphysicalError, with replica and step, if a position is not finite, if two atoms have
  /// one position, or if a box has no volume
  virtual void evaluate(AtomState& state) = 0;

  /// Waits for evaluations on a GPU, which `evaluate` only launches.
  /// @return false if an array was too small for an evaluation. The array is larger now. The caller
  /// must then repeat all work since the last `complete_steps`, from the state of that moment
  /// @throws UnphysicalError for the errors that `evaluate` reports on a CPU
  virtual bool complete_steps(AtomState& state);
};

/// "replica 3", with the number of the replica in the study.
std::string replica_text(const AtomState& state, Index replica);

/// Throws the first fault, if there is one. Waits for a GPU. @throws UnphysicalError
void throw_fault(AtomState& state);

}  // namespace larmor::atoms
