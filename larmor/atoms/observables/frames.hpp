#pragma once
// Frames: positions and velocities of a state, copied to the host for observables.

#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

/// Is the motion of the centre of mass of every replica subtracted?
enum class CentreOfMass { kept, removed };

/// Positions, or positions relative to the centre of mass of the replica, Angstrom [atoms].
std::vector<Vec3<double>> frame_positions(const AtomState& state, CentreOfMass centre, int threads);
/// Velocities, or velocities relative to that of the centre of mass, Angstrom/ps [atoms].
std::vector<Vec3<double>> frame_velocities(const AtomState& state, CentreOfMass centre,
                                           int threads);

/// Number of atoms of each type in each replica [replica, type].
std::vector<double> atoms_of_types(const AtomState& state, Index types);

}  // namespace larmor::atoms
