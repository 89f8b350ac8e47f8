#pragma once
// Triangles between neighbouring sites of the planes of a lattice.
//
// The triangles of a plane are the Delaunay triangulation of the infinite periodic point set: the
// circle through a triangle's corners contains no other site. If a cell has one atom, the
// triangulation divides the reduced cell along its shorter diagonal. If more than three sites share
// a circle (square, honeycomb, kagome), a uniform strain of 1e-6 selects the diagonals. A uniform
// strain selects equal diagonals in every cell, and is used only for this choice. Empty circles: B.
// Delaunay, Bull. Acad. Sci. URSS, Classe Sci. Math. Nat. 6 (1934) 793.

#include <array>
#include <optional>
#include <vector>

#include "larmor/lattice/layers.hpp"

namespace larmor::lattice {

/// Canonical sites of the corners, counterclockwise seen from +z.
using Triangle = std::array<Index, 3>;

/// Covers each layer of sites (`layers_of`) once. The triangles of a layer are those of its sites
/// projected on its plane. Periodic directions are closed. At an open boundary, only triangles with
/// three existing corners are kept. Triangles of one layer are consecutive; layers rise along the
/// third lattice vector cell by cell. A periodic length of one or two cells gives triangles with
/// equal corners, but the surface is closed. [triangles]
/// @param thickness in the unit of the cell; default: usual_layer_thickness
/// @throws InputError for plain positions and for lattices of one dimension; for layers that
///         contain the z direction, and so have no side towards +z; if layers cannot be
///         distinguished with a given thickness
std::vector<Triangle> triangulate_layers(const Geometry& geometry,
                                         std::optional<double> thickness = std::nullopt);

}  // namespace larmor::lattice
