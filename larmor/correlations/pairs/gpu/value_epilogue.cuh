#pragma once
// Counts pairs by the value of C, and finds the pairs with the largest and smallest C. BITS: counts
// are integers, and a rule decides between equal C. Results therefore do not depend on the order of
// warps.

#include "larmor/correlations/pairs/gpu/fused_sums.hpp"
#include "larmor/correlations/pairs/gpu/pair_grid.cuh"
#include "larmor/correlations/pairs/reductions/correlation_bins.hpp"

namespace larmor::correlations::real_space {

template <class Numbers>
struct ValueEpilogue {
  static constexpr int all_threads = summing_warps * warp_size;
  static constexpr int most_counts = most_bins + 2;
  struct Shared {
    unsigned int count[2][most_counts];  ///< pairs that count once and twice
    ExtremePairs thread_extremes[all_threads];
  };
  CountOfValue count_of;  ///< counter for C as stored
  int sites, counts;
  double* sums;      ///< (unit, count)
  double* extremes;  ///< (unit, warp, extreme, number of a pair)

  __device__ void begin(Shared& shared, const WarpTile&) const {
    const int thread = static_cast<int>(threadIdx.x);
    for (int n = thread; n < counts; n += all_threads) shared.count[0][n] = shared.count[1][n] = 0;
    shared.thread_extremes[thread] = ExtremePairs();
    sync_summing_warps();
  }

  template <class Ring>
  __device__ void tile(Shared& shared, const TileSums<Numbers>& tile, const WarpTile& w,
                       const TilePlace& place, Ring&, int) const {
    const bool both_ways = place.times == 2;
    unsigned int* count = shared.count[both_ways ? 1 : 0];
    using Real = typename Numbers::Sum;
    Real largest = -INFINITY, smallest = INFINITY;
    int of_largest = -1, of_smallest = -1;  // number of an element of this thread; -1: none
#pragma unroll
    for (int m = 0; m < Numbers::row_tiles; ++m)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int row = place.first_row + w.first_row + Numbers::row_step * m + 8 * h + w.eight;
#pragma unroll
        for (int n = 0; n < Numbers::column_tiles; ++n)
#pragma unroll
          for (int k = 0; k < 2; ++k) {
            const int column = place.first_column + w.first_column + 8 * n + 2 * w.place + k;
            if (row >= sites || column >= sites || row == column) continue;
            const Real c = tile.c[m][n][2 * h + k];
            atomicAdd(&count[count_of(c)], 1u);
            const int element = ((2 * m + h) * Numbers::column_tiles + n) * 2 + k;
            if (c > largest) {
              largest = c;
              of_largest = element;
            }
            if (c < smallest) {
              smallest = c;
              of_smallest = element;
            }
          }
      }
    ExtremePairs& found = shared.thread_extremes[threadIdx.x];
    if (of_largest >= 0) found.largest.update(pair_of(largest, of_largest, w, place), true);
    if (of_smallest >= 0) found.smallest.update(pair_of(smallest, of_smallest, w, place), false);
  }

  __device__ void end(Shared& shared, const WarpTile& w, int unit) const {
    const int thread = static_cast<int>(threadIdx.x);
    sync_summing_warps();
    for (int n = thread; n < counts; n += all_threads)
      sums[static_cast<Index>(unit) * counts + n] =
          static_cast<double>(shared.count[0][n]) + 2.0 * static_cast<double>(shared.count[1][n]);
    ExtremePairs extremes_of_warp = shared.thread_extremes[thread];
    for (int lanes = warp_size / 2; lanes > 0; lanes /= 2) {
      extremes_of_warp.largest.update(of_higher_lane(extremes_of_warp.largest, lanes), true);
      extremes_of_warp.smallest.update(of_higher_lane(extremes_of_warp.smallest, lanes), false);
    }
    if (w.lane == 0)
      extremes_of_warp.store(extremes + (static_cast<Index>(unit) * summing_warps + w.warp) *
                                            extreme_pairs * numbers_of_pair);
  }

 private:
  /// The pair of the lane whose number is higher by `lanes`.
  static __device__ ExtremePair of_higher_lane(const ExtremePair& pair, int lanes) {
    constexpr unsigned int all = 0xffffffff;
    return {__shfl_down_sync(all, pair.c, lanes), __shfl_down_sync(all, pair.row, lanes),
            __shfl_down_sync(all, pair.column, lanes)};
  }

  /// The pair of an element. If the pair counts twice, it is given with the lower site first.
  static __device__ ExtremePair pair_of(double c, int element, const WarpTile& w,
                                        const TilePlace& place) {
    const int of_row = element / (2 * Numbers::column_tiles);
    const int of_column = element % (2 * Numbers::column_tiles);
    const int row = place.first_row + w.first_row + Numbers::row_step * (of_row / 2) +
                    8 * (of_row % 2) + w.eight;
    const int column =
        place.first_column + w.first_column + 8 * (of_column / 2) + 2 * w.place + of_column % 2;
    const bool turned = place.times == 2 && row > column;
    return {c, turned ? column : row, turned ? row : column};
  }
};

/// The extreme pairs of each block of rows.
/// @param of_units (unit, warp, number) @param row_block_sums (number, block of rows)
static __global__ void extremes_kernel(PairGrid grid, const double* of_units, Index all_row_blocks,
                                       double* row_block_sums) {
  constexpr int numbers = extreme_pairs * numbers_of_pair;
  const int row_block = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row_block >= grid.row_blocks) return;
  ExtremePairs extremes;
  for (Index segment = 0; segment < grid.segments(); ++segment)
    for (int warp = 0; warp < summing_warps; ++warp)
      extremes.update(ExtremePairs::load(
          of_units + ((segment * grid.row_blocks + row_block) * summing_warps + warp) * numbers));
  double of_row_block[numbers];
  extremes.store(of_row_block);
  for (int n = 0; n < numbers; ++n)
    row_block_sums[n * all_row_blocks + grid.first_row_block + row_block] = of_row_block[n];
}

}  // namespace larmor::correlations::real_space
