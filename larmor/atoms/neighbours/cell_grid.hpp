#pragma once
// Cells that divide a box, in fractional coordinates, for the search of neighbours. Along an open
// direction the cells cover the range of the atoms.

#include <algorithm>
#include <cmath>

#include "larmor/atoms/cell/periodic_image.hpp"

namespace larmor::atoms {

/// The most repeats of a box within the cutoff. If a box repeats more often, its units must be
/// wrong.
inline constexpr int most_images = 100;

/// Do the vectors lie in a plane, or are they not finite?
LARMOR_INLINE bool is_flat(const Box& box) {
  const double volume = box.volume();
  double cube = 1;
  for (std::size_t d = 0; d < 3; ++d) cube *= length(box.vectors[d]);
  return !(volume > 1e-12 * cube) || !(volume - volume == 0);
}

LARMOR_INLINE bool repeats_too_often(const Box& box, double cutoff) {
  for (std::size_t d = 0; d < 3; ++d)
    if (box.periodic[d] && most_images * box.height(d) < cutoff) return true;
  return false;
}

/// The most cells along a direction. A tiny cutoff must not give many more cells than atoms.
inline std::int32_t most_cells(Index atoms) {
  return static_cast<std::int32_t>(std::ceil(std::cbrt(static_cast<double>(atoms)))) + 1;
}

struct CellGrid {
  Box box;
  std::array<double, 3> low, extent;  ///< fractional coordinates; 0 and 1 along periodic directions
  Image count, reach;  ///< along a direction: number of cells, and cells within the cutoff

  /// @param low, high outermost atoms, in fractional coordinates
  LARMOR_INLINE static CellGrid over(const Box& box, const std::array<double, 3>& low,
                                     const std::array<double, 3>& high, double cutoff,
                                     std::int32_t most) {
    CellGrid grid{box, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
    for (std::size_t d = 0; d < 3; ++d) {
      if (!box.periodic[d]) {
        grid.low[d] = low[d];
        grid.extent[d] = high[d] - low[d] > 1e-9 ? high[d] - low[d] : 1e-9;
      }
      const double height = box.height(d) * grid.extent[d];
      const double cells = std::floor(height / cutoff);
      grid.count[d] = cells > most ? most : cells > 1 ? static_cast<std::int32_t>(cells) : 1;
      const double reach = std::ceil(cutoff * grid.count[d] / height);
      const double across = grid.count[d] - 1;
      grid.reach[d] = static_cast<std::int32_t>(box.periodic[d] || reach < across ? reach : across);
    }
    return grid;
  }

  /// The cell of an atom, and the image of the box in which the atom lies.
  struct Place {
    Image cell, image;
  };
  LARMOR_INLINE Place place(const Vec3<double>& position) const {
    const std::array<double, 3> f = box.fractional(position);
    Place place{};
    for (std::size_t d = 0; d < 3; ++d) {
      const double scaled = (f[d] - low[d]) / extent[d];
      const double crossings = box.periodic[d] ? std::floor(scaled) : 0;
      const auto cell = static_cast<std::int32_t>((scaled - crossings) * count[d]);
      place.cell[d] = cell < 0 ? 0 : cell > count[d] - 1 ? count[d] - 1 : cell;
      place.image[d] = static_cast<std::int32_t>(crossings);
    }
    return place;
  }

  LARMOR_INLINE Index cells() const { return static_cast<Index>(count[0]) * count[1] * count[2]; }
  LARMOR_INLINE Index number(const Image& cell) const {
    return (static_cast<Index>(cell[0]) * count[1] + cell[1]) * count[2] + cell[2];
  }

  /// Moves from a cell to the cell at an offset.
  /// @param crossings number of boxes crossed along each direction
  /// @return does that cell exist?
  LARMOR_INLINE bool move(Image& cell, const Image& offset, Image& crossings) const {
    for (std::size_t d = 0; d < 3; ++d) {
      cell[d] += offset[d];
      crossings[d] = 0;
      if (box.periodic[d]) {
        crossings[d] = cell[d] >= 0 ? cell[d] / count[d] : -((count[d] - 1 - cell[d]) / count[d]);
        cell[d] -= crossings[d] * count[d];
      } else if (cell[d] < 0 || cell[d] >= count[d]) {
        return false;
      }
    }
    return true;
  }
};

}  // namespace larmor::atoms
