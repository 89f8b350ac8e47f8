#pragma once
// Copies the numbers of an AtomState to the host and back. Code that saves, shows or measures atoms
// uses these functions, and does not read arrays of the state itself.

#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::study {

/// Numbers of some replicas, one after the other.
struct AtomNumbers {
  std::vector<double> positions;   ///< (replica, atom, 3), Angstrom
  std::vector<double> velocities;  ///< (replica, atom, 3), Angstrom/ps
  std::vector<double> boxes;       ///< (replica, vector, 3), Angstrom
};

/// Numbers of the first replicas.
AtomNumbers numbers_of(const atoms::AtomState& state, Index replicas);

/// Sets the numbers of all replicas. The forces remain those of the old positions.
void set_numbers(atoms::AtomState& state, const AtomNumbers& numbers);

/// Potential energies, eV. [replicas]
std::vector<double> potential_energies(const atoms::AtomState& state);

/// [replicas]
std::vector<atoms::Box> boxes_of(const atoms::AtomState& state);

}  // namespace larmor::study
