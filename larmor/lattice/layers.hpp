#pragma once
// Layers of a lattice: which sites lie at one height above the plane of the first two vectors.

#include <optional>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// A layer, as a share of the distance of nearest neighbours, is no thicker than this unless the
/// user says so.
constexpr double usual_layer_thickness = 0.4;

/// A basis atom in its layer. `level` is the whole number of cells along the third vector that its
/// written position is away from the layer: the atom of the cell z is in the layer of the cell
/// z + level.
struct LayerAtom {
  int basis;
  Index level;
};
using Layer = std::vector<LayerAtom>;

/// The layers of one cell, lowest first; each basis atom is in one of them. A layer lies along the
/// first two lattice vectors. Heights that follow one another within `thickness`, across the end of
/// the cell too, make one layer where the lowest and the highest do so too: a honeycomb whose two
/// atoms are buckled is one. Where such a chain is thicker each height (equal within 1e-6 of the
/// cell's mean length) is a layer. Plain positions must not be asked.
/// @param thickness in the unit of the cell; usual_layer_thickness if it is not given
/// @throws InputError where a given thickness tells no layers apart
std::vector<Layer> layers_of(const Geometry& geometry,
                             std::optional<double> thickness = std::nullopt);

}  // namespace larmor::lattice
