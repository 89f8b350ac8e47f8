#pragma once
// Bins for pairs of sites (r, r') of a lattice by displacement r' - r. A bin has the basis atoms b
// and b', and a number of cells along each lattice vector. Along a periodic vector of L cells,
// displacements are those to the nearest image, from -(L - 1) / 2 to L / 2 (rounded towards 0).
// Each pair has exactly one displacement.

#include <array>
#include <optional>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::correlations::real_space {

/// Bins (b, b', dx, dy, dz), the last fastest.
struct DisplacementBins {
  Index atoms = 1;                               ///< atoms in the basis
  std::array<Index, 3> size{1, 1, 1};            ///< cells of the sample
  std::array<bool, 3> periodic{};                ///< along each lattice vector
  std::array<Index, 3> least{}, count{1, 1, 1};  ///< displacements: least, least + 1, ...

  Index of_atoms() const { return count[0] * count[1] * count[2]; }
  Index bins() const { return atoms * atoms * of_atoms(); }
  /// The least displacement along a lattice vector.
  static Index least_of(Index size, bool periodic) {
    return periodic ? -((size - 1) / 2) : 1 - size;
  }
  static Index greatest_of(Index size, bool periodic) { return periodic ? size / 2 : size - 1; }
  /// Index of the bin along this lattice vector for two sites `step` cells apart. An index outside
  /// [0, count) means no bin.
  Index place(std::size_t along, Index step) const {
    if (periodic[along]) {
      if (step > greatest_of(size[along], true)) step -= size[along];
      if (step < least_of(size[along], true)) step += size[along];
    }
    return step - least[along];
  }
  /// The bin of (r', r). @param bin bin of (r, r')
  Index opposite(Index bin) const;
};

/// @param cells largest number of cells of a displacement, in both directions of each vector;
/// empty: no limit
/// @throws InputError for plain positions, which have no cells, or if `cells` exceeds the
/// displacements of the sample
DisplacementBins displacement_bins(const lattice::Geometry& geometry,
                                   const std::optional<std::array<Index, 3>>& cells);

}  // namespace larmor::correlations::real_space
