#pragma once
// Regular grids of one to four axes, in forms for hosts and for kernels.

#include <cstdint>
#include <vector>

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/types.hpp"

namespace larmor::clusters {

/// Indices of sites have 32 bits.
constexpr Index most_sites = Index{1} << 32;

/// A grid of one to four axes of any length; a site has the index x + length_0 (y + length_1 (z +
/// ...)).
struct RegularGrid {
  static constexpr int most_axes = 4;
  std::vector<Index> lengths;
  std::vector<bool> periodic;  ///< one per axis
};

/// @throws InputError for fewer than one or more than four axes, or more than 2^32 sites
/// @return the number of sites
Index checked_sites(const RegularGrid& grid);
/// Number of bonds (site, axis), which join a site with its neighbour in +axis. An axis of length 1
/// has none. A periodic axis of length 2 has two between the same sites.
Index bonds_of(const RegularGrid& grid);

/// A grid whose axes are filled up to four with axes of length 1.
struct GridView {
  int axes;
  int words_shift;  ///< a site has 2^words_shift random words
  std::uint64_t length[4], stride[4];
  bool periodic[4];
};

GridView grid_view(const RegularGrid& grid);

inline namespace LARMOR_ISA_NAMESPACE {

/// Coordinate of a site along an axis. It divides in 32 bits, which is faster on GPUs.
LARMOR_INLINE std::uint64_t coordinate(const GridView& grid, std::uint64_t site, int axis) {
  if (grid.stride[axis] >> 32 != 0) return 0;
  const std::uint32_t along =
      static_cast<std::uint32_t>(site) / static_cast<std::uint32_t>(grid.stride[axis]);
  if (grid.length[axis] >> 32 != 0) return along;
  return along % static_cast<std::uint32_t>(grid.length[axis]);
}
/// Is there a bond in +axis of a site at this coordinate?
LARMOR_INLINE bool has_bond(const GridView& grid, std::uint64_t x, int axis) {
  return grid.length[axis] > 1 && (grid.periodic[axis] || x + 1 < grid.length[axis]);
}
/// The neighbour of a site in +axis. @param x coordinate of the site on this axis
LARMOR_INLINE std::uint64_t next_site(const GridView& grid, std::uint64_t site, std::uint64_t x,
                                      int axis) {
  return x + 1 < grid.length[axis] ? site + grid.stride[axis] : site - x * grid.stride[axis];
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::clusters
