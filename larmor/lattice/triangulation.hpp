#pragma once
// Triangles between neighbouring sites of the planes of a lattice.
//
// The sites of a plane are joined by the Delaunay triangulation of the infinite periodic point set:
// no circle through a triangle's corners holds another site. For one atom a cell this splits the
// reduced cell along its shorter diagonal. Where more than three sites share a circle (square,
// honeycomb, kagome) a uniform strain of 1e-6, taken only for the choice, decides between the
// diagonals: being uniform, it decides alike in every cell. Empty circles:
// B. Delaunay, Bull. Acad. Sci. URSS, Classe Sci. Math. Nat. 6 (1934) 793.

#include <array>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// Canonical sites of the corners, counterclockwise seen from +z.
using Triangle = std::array<Index, 3>;

/// Covers every layer of sites once. A layer is a set of sites in one plane spanned by the first
/// two lattice vectors: basis atoms of one height (equal within 1e-6 of the cell's mean length) in
/// one cell along the third. Periodic directions are closed around; where a boundary is open, only
/// triangles whose corners all exist are kept. Triangles of one layer follow each other, layers
/// rise along the third lattice vector cell by cell. A periodic length of one or two cells gives
/// triangles with equal corners: the surface is closed nevertheless. [triangles]
/// @throws InputError for plain positions, for lattices of one dimension, and for layers that
///         contain the z direction, which have no side towards +z
std::vector<Triangle> triangulate_layers(const Geometry& geometry);

}  // namespace larmor::lattice
