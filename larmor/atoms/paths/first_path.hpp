#pragma once
// The first guess of a path of atoms: straight lines between structures.

#include <vector>

#include "larmor/atoms/cell/box.hpp"

namespace larmor::atoms {

using Positions = std::vector<Vec3<double>>;  ///< [atoms], Angstrom

/// The periodic image of a structure that is nearest to another one. Each atom is moved by box
/// vectors to the image nearest to the same atom of `from`. Then all atoms are moved by one vector,
/// so that their mean displacement from `from` is zero: the energy does not depend on this vector,
/// and forces cannot move the mean of the atoms. If the box is open in all directions, the
/// structure is also turned to the least distance from `from`.
Positions nearest_image(const Box& box, const Positions& from, const Positions& to);

/// The largest distance between equal atoms.
double largest_displacement(const Positions& a, const Positions& b);

/// Images at equal distances along straight lines through the stops, with the first and the last
/// stop as ends.
/// @param stops two or more, each a `nearest_image` of the one before
std::vector<Positions> straight_path(const std::vector<Positions>& stops, std::size_t images);

}  // namespace larmor::atoms
