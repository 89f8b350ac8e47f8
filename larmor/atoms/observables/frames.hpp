#pragma once
// Frames: what observables take of a state, on the host.

#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

/// Is the motion of the centre of mass of every replica taken out?
enum class CentreOfMass { kept, removed };

/// Positions, or those relative to the centre of mass of their replica. Angstrom [atoms]
std::vector<Vec3<double>> frame_positions(const AtomState& state, CentreOfMass centre, int threads);
/// Velocities, or those relative to that of the centre of mass. Angstrom/ps [atoms]
std::vector<Vec3<double>> frame_velocities(const AtomState& state, CentreOfMass centre,
                                           int threads);

/// Atoms of each type in each replica. [replica, type]
std::vector<double> atoms_of_types(const AtomState& state, Index types);

}  // namespace larmor::atoms
