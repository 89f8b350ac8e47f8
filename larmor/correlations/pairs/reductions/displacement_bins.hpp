#pragma once
// Pairs of sites (r, r') of a lattice by their displacement r' - r: the atoms b and b' of the basis
// that they are, and how many cells apart along each lattice vector. Along a periodic vector of L
// cells displacements are those to the nearest image, from -(L - 1) / 2 to L / 2 (rounded down), so
// that each pair has one.

#include <array>
#include <optional>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::correlations::real_space {

/// Bins (b, b', dx, dy, dz), the last fastest.
struct DisplacementBins {
  Index atoms = 1;                               ///< of the basis
  std::array<Index, 3> size{1, 1, 1};            ///< cells of the sample
  std::array<bool, 3> periodic{};                ///< along each lattice vector
  std::array<Index, 3> least{}, count{1, 1, 1};  ///< displacements: least, least + 1, ...

  Index of_atoms() const { return count[0] * count[1] * count[2]; }
  Index bins() const { return atoms * atoms * of_atoms(); }
  /// Displacements between the nearest images have this for the least and the greatest.
  static Index least_of(Index size, bool periodic) {
    return periodic ? -((size - 1) / 2) : 1 - size;
  }
  static Index greatest_of(Index size, bool periodic) { return periodic ? size / 2 : size - 1; }
  /// Index of the bin along this lattice vector for two sites `step` cells apart; outside [0,
  /// count) there is no bin.
  Index place(std::size_t along, Index step) const {
    if (periodic[along]) {
      if (step > greatest_of(size[along], true)) step -= size[along];
      if (step < least_of(size[along], true)) step += size[along];
    }
    return step - least[along];
  }
  /// The bin of (r', r). @param bin of (r, r')
  Index opposite(Index bin) const;
};

/// @param cells displacements up to so many cells to both sides; none: all that there are
/// @throws InputError for plain positions, which have no cells, or more cells than the sample has
/// displacements
DisplacementBins displacement_bins(const lattice::Geometry& geometry,
                                   const std::optional<std::array<Index, 3>>& cells);

}  // namespace larmor::correlations::real_space
