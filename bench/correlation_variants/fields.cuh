#pragma once
// Inputs and totals that several methods share.

#include <cuda_runtime.h>

#include "bench/correlation_variants/variants.hpp"
#include "larmor/core/device/array.hpp"
#include "larmor/core/gpu/warp.hpp"

namespace larmor::bench {

/// Positions, (3, site).
Array<double> variant_positions(const Device& device, const VariantProblem& problem);
/// Phases exp(-i q.r), (site).
Array<double2> variant_phases(const Device& device, const VariantProblem& problem);
/// Phases exp(-i q.(r - r')), (r, r').
Array<double2> variant_matrix(const Device& device, const VariantProblem& problem);

/// Launches total = scale times the sum of `count` numbers. The order of the sum depends only on
/// `count`.
/// @param partial_sums, total on the device
void launch_variant_total(const Device& device, const double2* partial_sums, Index count,
                          double scale, double2* total);

/// Waits for the total of launch_variant_total and returns this total.
std::complex<double> variant_total(Array<double2>& total);

/// Sum over a block of `threads`, in thread 0. All threads must call this function, once in a
/// kernel.
template <int threads>
__device__ double2 block_sum(double2 x) {
  static_assert(threads % warp_size == 0);
  constexpr int warps = threads / warp_size;
  __shared__ double2 warp_sums[warps];
  for (int step = warp_size / 2; step > 0; step /= 2) {
    x.x += __shfl_down_sync(0xffffffffu, x.x, step);
    x.y += __shfl_down_sync(0xffffffffu, x.y, step);
  }
  const int thread = static_cast<int>(threadIdx.x);
  if (thread % warp_size == 0) warp_sums[thread / warp_size] = x;
  __syncthreads();
  double2 sum = {0, 0};
  if (thread == 0)
    for (int warp = 0; warp < warps; ++warp) {
      sum.x += warp_sums[warp].x;
      sum.y += warp_sums[warp].y;
    }
  return sum;
}

/// The tiles of C, ordered in bands of some rows of tiles. Thus concurrent blocks of threads read
/// few rows and columns.
struct PairTiles {
  int row_tiles, column_tiles;
  static constexpr int band = 16;

  PairTiles(Index sites, Index rows, Index columns)
      : row_tiles(static_cast<int>((sites + rows - 1) / rows)),
        column_tiles(static_cast<int>((sites + columns - 1) / columns)) {}
  __host__ __device__ Index count() const { return static_cast<Index>(row_tiles) * column_tiles; }
  /// Row and column of a tile.
  __device__ int2 place(Index number) const {
    const int of_band = band * column_tiles, first = static_cast<int>(number / of_band) * band;
    const int height = min(band, row_tiles - first), within = static_cast<int>(number % of_band);
    return {first + within % height, within / height};
  }
};

}  // namespace larmor::bench
