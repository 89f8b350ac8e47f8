#pragma once
// Bonds in one direction, as rows of UppASD's files give them, and the operations that complete
// their vectors.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::io {

/// Tolerance of positions in lattice constants. It is wide, because vectors are often written with
/// three decimals.
inline constexpr double uppasd_position_tolerance = 5e-3;

/// One direction of a bond: `to` acts on `from`.
struct DirectedBond {
  int from, to;
  std::array<int, 3> offset;

  DirectedBond reversed() const { return {to, from, {-offset[0], -offset[1], -offset[2]}}; }
  friend auto operator<=>(const DirectedBond&, const DirectedBond&) = default;
};

/// The bond from an atom to the atom at `r` from it; nothing if there is no atom.
std::optional<DirectedBond> bond_to(const lattice::Crystal& crystal, int from,
                                    const Vec3<double>& r, double tolerance);

/// Does the lattice, with its open boundaries, contain two sites that this bond connects?
bool fits(const lattice::Geometry& geometry, const DirectedBond& bond);

/// Operations of a symmetry, the identity first: "none", "cubic", "square", "hexagonal".
/// @throws InputError for another name
std::vector<Mat3<double>> uppasd_operations(const std::string& symmetry);

}  // namespace larmor::io
