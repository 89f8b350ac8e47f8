#pragma once
// The numbers of an AtomState as the host has them: whoever saves, shows or measures atoms takes
// them from here, and asks no array of the state itself.

#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::study {

/// Of some replicas, one after the other.
struct AtomNumbers {
  std::vector<double> positions;   ///< (replica, atom, 3), Angstrom
  std::vector<double> velocities;  ///< (replica, atom, 3), Angstrom/ps
  std::vector<double> boxes;       ///< (replica, vector, 3), Angstrom
};

/// Of the first replicas.
AtomNumbers numbers_of(const atoms::AtomState& state, Index replicas);

/// Of all replicas. Forces are not those of the new positions.
void set_numbers(atoms::AtomState& state, const AtomNumbers& numbers);

/// eV. [replicas]
std::vector<double> potential_energies(const atoms::AtomState& state);

/// [replicas]
std::vector<atoms::Box> boxes_of(const atoms::AtomState& state);

}  // namespace larmor::study
