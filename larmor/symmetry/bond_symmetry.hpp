#pragma once
// Images of bonds and sites under a space group, and the operations that leave them where they are.

#include <vector>

#include "larmor/lattice/bonds.hpp"
#include "larmor/symmetry/allowed_matrices.hpp"
#include "larmor/symmetry/space_group.hpp"

namespace larmor::symmetry {

/// An image of the representative bond. `operation` gives its matrix from the matrix of the
/// representative.
struct BondImage {
  lattice::StencilBond bond;
  MatrixOperation operation;
};

/// All images of a bond up to translations by the vectors of the cell, each once and in one
/// direction. The representative is the first.
struct BondOrbit {
  std::vector<BondImage> images;
  std::vector<MatrixOperation> group;  ///< leaves the representative where it is; may reverse it

  /// The number of bonds of the orbit at an atom of the basis.
  int bonds_at(int atom) const;
};

BondOrbit orbit_of(const SpaceGroup& group, const lattice::Crystal& crystal,
                   const lattice::StencilBond& bond);

struct SiteImage {
  int atom;
  MatrixOperation operation;
};

/// All atoms of the basis to which operations move an atom, which is the first of them.
struct SiteOrbit {
  std::vector<SiteImage> images;
  std::vector<MatrixOperation> group;  ///< leaves the atom where it is
};

SiteOrbit orbit_of(const SpaceGroup& group, const lattice::Crystal& crystal, int atom);

/// The orbits of all bonds between atoms of the basis up to a length, shortest first.
/// @throws InputError for a length with more than a hundred thousand bonds
std::vector<BondOrbit> orbits_within(const SpaceGroup& group, const lattice::Crystal& crystal,
                                     double length);

/// The distance of the nearest two atoms of the basis, images of the cell included.
double nearest_spins(const lattice::Crystal& crystal);

/// The symbol of the point group of these operations.
std::string point_group_symbol(const std::vector<MatrixOperation>& group);

/// "the 2-fold rotation about (0, 0, 1), which exchanges the two sites,"
std::string operation_text(const MatrixOperation& operation);

}  // namespace larmor::symmetry
