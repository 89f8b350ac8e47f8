#pragma once
// Inner loops over a row of a tile, compiled once for each instruction set.

#include <cstdint>
#include <span>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/core/types.hpp"

namespace larmor::correlations::real_space {

/// Finds the bin of each column's distance from a site.
struct BinsRequest {
  Vec3<double> site;
  const double *x, *y, *z;  ///< positions of the columns, readable up to a multiple of eight
  Index columns;
  std::span<const Vec3<double>> period, dual, shift;  ///< as in MinimumImage
  double bins_per_length;
  std::int32_t bins;  ///< number of bins; also written as the bin of distances beyond all bins
  std::int32_t* bin;  ///< written up to a multiple of eight columns
};

/// A bin has four adjacent numbers: the sums of C and C^2, the number of pairs, and padding. BITS:
/// columns n with different n modulo `bin_copies` have separate sums. Consecutive additions are
/// therefore independent.
inline constexpr Index bin_copies = 4, numbers_of_bin = 4;

struct TileKernels {
  /// c = c^2
  void (*square)(double* c, Index count);
  double (*sum)(const double* c, Index count);
  /// sum += c, square += c^2, element by element; the arrays must not overlap
  void (*add_with_squares)(const double* c, Index count, double* sum, double* square);
  void (*find_bins)(const BinsRequest& request);
  /// @param sums (copy, bins + 1, numbers_of_bin), added to
  void (*add_to_bins)(const double* c, const std::int32_t* bin, Index count, Index bins,
                      double* sums);
};

/// The kernels for this machine's instruction set.
LARMOR_CPU_KERNELS(TileKernels, tile_kernels)

}  // namespace larmor::correlations::real_space
