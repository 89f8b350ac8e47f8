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
#include <optional>
#include <vector>

#include "larmor/lattice/layers.hpp"

namespace larmor::lattice {

/// Canonical sites of the corners, counterclockwise seen from +z.
using Triangle = std::array<Index, 3>;

/// Covers every layer of sites (`layers_of`) once. The triangles of a layer are those of its sites
/// projected on its plane. Periodic directions are closed around; where a boundary is open, only
/// triangles whose corners all exist are kept. Triangles of one layer follow each other, layers
/// rise along the third lattice vector cell by cell. A periodic length of one or two cells gives
/// triangles with equal corners: the surface is closed nevertheless. [triangles]
/// @param thickness in the unit of the cell; usual_layer_thickness if it is not given
/// @throws InputError for plain positions, for lattices of one dimension, for layers that contain
///         the z direction, which have no side towards +z, and where a given thickness tells no
///         layers apart
std::vector<Triangle> triangulate_layers(const Geometry& geometry,
                                         std::optional<double> thickness = std::nullopt);

}  // namespace larmor::lattice
