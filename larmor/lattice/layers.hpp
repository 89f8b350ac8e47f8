#pragma once
// Layers of a lattice: sites of one height above the plane of the first two lattice vectors.

#include <optional>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// Default of the largest thickness of a layer, in units of the distance of nearest neighbours.
constexpr double usual_layer_thickness = 0.4;

/// A basis atom in its layer. `level` is the distance of its written position from the layer, in
/// whole cells along the third vector. The atom of cell z is in the layer of cell z + level.
struct LayerAtom {
  int basis;
  Index level;
};
using Layer = std::vector<LayerAtom>;

/// The layers of one cell, lowest first; each basis atom is in one of them. A layer is parallel to
/// the first two lattice vectors. Heights closer than `thickness` form a chain, also across the end
/// of the cell. A chain is one layer if its lowest and highest heights are closer than `thickness`:
/// a buckled honeycomb is one layer. In a thicker chain each height is a layer, where heights
/// within 1e-6 of the cell's mean length are equal. Not for plain positions.
/// @param thickness in the unit of the cell; default: usual_layer_thickness
/// @throws InputError if layers cannot be distinguished with a given thickness
std::vector<Layer> layers_of(const Geometry& geometry,
                             std::optional<double> thickness = std::nullopt);

}  // namespace larmor::lattice
