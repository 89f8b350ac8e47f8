#pragma once
// The hot loops over a row of a tile, compiled once per instruction set.

#include <cstdint>
#include <span>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"

namespace larmor::correlations::real_space {

/// Which bin each column's distance from a site is in.
struct BinsRequest {
  Vec3<double> site;
  const double *x, *y, *z;  ///< of the columns, readable up to a multiple of eight
  Index columns;
  std::span<const Vec3<double>> period, dual, shift;  ///< as of MinimumImage
  double bins_per_length;
  std::int32_t bins;  ///< what is further away gets this number
  std::int32_t* bin;  ///< written up to a multiple of eight columns
};

/// Sums of a bin side by side: C, C^2, pairs and what makes a vector of four. BITS: columns modulo
/// this many have sums of their own, so that one addition need not wait for the last.
inline constexpr Index bin_copies = 4, numbers_of_bin = 4;

struct TileKernels {
  /// c = c^2
  void (*square)(double* c, Index count);
  double (*sum)(const double* c, Index count);
  /// sum += c, square += c^2, element by element; they do not overlap
  void (*add_with_squares)(const double* c, Index count, double* sum, double* square);
  void (*find_bins)(const BinsRequest& request);
  /// @param sums (copy, bin and one more, numbers_of_bin), added to
  void (*add_to_bins)(const double* c, const std::int32_t* bin, Index count, Index bins,
                      double* sums);
};

/// For this machine's instruction set.
const TileKernels& tile_kernels();

}  // namespace larmor::correlations::real_space
