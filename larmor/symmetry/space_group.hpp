#pragma once
// The space group of a crystal: all isometries r -> R r + t that map each atom to an atom of its
// kind. spglib finds the operations of crystals and of layers. A chain has a rod group, which
// rod_group.hpp finds.

#include <array>
#include <string>
#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/lattice/crystal.hpp"
#include "larmor/symmetry/surroundings.hpp"

namespace larmor::symmetry {

/// r -> rotation r + translation, Cartesian. A spin is an axial vector: it turns by det(R) R.
struct Operation {
  Mat3<double> rotation;  ///< orthogonal
  Vec3<double> translation;
};

struct SpaceGroup {
  int number = 0;      ///< in the International Tables; for a layer, that of a stack of layers
  std::string symbol;  ///< Hermann-Mauguin
  int dimensions = 3;  ///< 2: a layer, 1: a chain
  /// One operation of each class that translations by the vectors of the cell connect. The first
  /// is the identity.
  std::vector<Operation> operations;
  double tolerance = 0;  ///< distance of positions that count as equal
};

/// 1e-3 of the distance of nearest neighbours, because users write few digits.
double default_tolerance(const lattice::Crystal& crystal, const Surroundings& surroundings = {});

/// The space group. Species and moments distinguish atoms.
/// @param order magnetic order that repeats with the cell, a vector for each atom of the basis:
/// only operations remain that map it to itself or reverse all of it; empty: no order
/// @throws InputError for atoms without spins at impossible places (a LatticeKeyError), if spglib
/// finds no group within the tolerance, or if the order has another number of vectors
SpaceGroup space_group(const lattice::Crystal& crystal, const Surroundings& surroundings = {},
                       const std::vector<Vec3<double>>& order = {});

/// An atom of the basis in a cell.
struct CellAtom {
  int atom;
  std::array<int, 3> cell;
};

/// The atom of the basis nearest to a point. @throws InputError if no atom lies near
CellAtom atom_at(const lattice::Crystal& crystal, const Vec3<double>& point);

/// The atom to which an operation moves an atom.
CellAtom moved(const lattice::Crystal& crystal, const Operation& operation, const CellAtom& atom);

/// Cartesian position.
Vec3<double> position_of(const lattice::Crystal& crystal, const CellAtom& atom);

/// A text such as "the 2-fold rotation about (0, 0, 1)", Cartesian.
std::string operation_text(const Mat3<double>& rotation);

/// The Hermann-Mauguin symbol of a point group, such as "-3m", or "order n" if it has axes that no
/// crystal has. @param rotations each once
std::string point_group_symbol(const std::vector<Mat3<double>>& rotations);

}  // namespace larmor::symmetry
