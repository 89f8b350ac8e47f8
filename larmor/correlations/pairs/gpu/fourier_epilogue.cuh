#pragma once
// sum_rr' exp(-i q.(r - r')) f(C(r,r')), f(C) = C or C^2. The phase factorises, exp(-i q.(r - r'))
// = exp(-i q.r) exp(i q.r'). The kernel does not compute the phases of rows and columns. It loads
// them like operands.

#include <type_traits>

#include "larmor/correlations/pairs/gpu/pair_grid.cuh"

namespace larmor::correlations::real_space {

/// Largest number of wave vectors of one launch. More wave vectors need several launches.
inline constexpr int most_wave_vectors = 64;

/// Adds exp(-i q.r) (x + i y) to (re, im), where x and y are sums of C cos q.r' and C sin q.r'.
template <class Real>
__device__ void add_row(Real& re, Real& im, Real cosine, Real sine, Real x, Real y) {
  re += cosine * x + sine * y;
  im += cosine * y - sine * x;
}

/// Sums of four wave vectors on tensor cores. A lane gets the sums of the wave vector with the
/// number `place` of the lane.
template <class Numbers>
__device__ double2 phase_sums(const TileSums<Numbers>& tile, const char* stage, const WarpTile& w) {
  const char* row_stage = stage + TileShape<Numbers>::columns * row_bytes;
  double y[Numbers::row_tiles][4] = {};
  tile.multiply_phases(stage, w, y);
  double2 sum = {0, 0};
#pragma unroll
  for (int m = 0; m < Numbers::row_tiles; ++m)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = w.first_row + Numbers::row_step * m + 8 * h + w.eight;
      const auto p = *reinterpret_cast<const double2*>(row_stage + phase_offset(row, 16 * w.place));
      add_row(sum.x, sum.y, p.x, p.y, y[m][2 * h], y[m][2 * h + 1]);
    }
  return sum;
}

/// Sum of one wave vector by plain arithmetic, over a lane's elements of the tile.
template <class Numbers>
__device__ double2 phase_sum(const TileSums<Numbers>& tile, const char* stage, const WarpTile& w,
                             int q) {
  const char* row_stage = stage + TileShape<Numbers>::columns * row_bytes;
  using Real = typename Numbers::Sum;
  using Phase = std::conditional_t<std::is_same_v<Real, double>, double2, float2>;
  const int number = q * static_cast<int>(sizeof(Phase));
  Real x[Numbers::row_tiles][2] = {}, y[Numbers::row_tiles][2] = {};
#pragma unroll
  for (int n = 0; n < Numbers::column_tiles; ++n)
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const int column = w.first_column + 8 * n + 2 * w.place + k;
      const auto p = *reinterpret_cast<const Phase*>(stage + phase_offset(column, number));
#pragma unroll
      for (int m = 0; m < Numbers::row_tiles; ++m)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          x[m][h] += tile.c[m][n][2 * h + k] * p.x;
          y[m][h] += tile.c[m][n][2 * h + k] * p.y;
        }
    }
  Phase sum = {0, 0};
#pragma unroll
  for (int m = 0; m < Numbers::row_tiles; ++m)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = w.first_row + Numbers::row_step * m + 8 * h + w.eight;
      const auto p = *reinterpret_cast<const Phase*>(row_stage + phase_offset(row, number));
      add_row(sum.x, sum.y, p.x, p.y, x[m][h], y[m][h]);
    }
  return {sum.x, sum.y};
}

/// Sums over lanes that differ in the bits of `lanes`.
__device__ inline double2 summed_over(double2 x, int lanes) {
  for (int bit = warp_size / 2; bit > 0; bit /= 2) {
    if ((bit & lanes) == 0) continue;
    x.x += __shfl_xor_sync(0xffffffffu, x.x, bit);
    x.y += __shfl_xor_sync(0xffffffffu, x.y, bit);
  }
  return x;
}

template <class Numbers>
struct FourierEpilogue {
  struct Shared {
    double2 sum[summing_warps][most_wave_vectors];
  };
  int wave_vectors;
  bool squared;
  double2* sums;  ///< (unit, warp, q)

  __device__ void begin(Shared& shared, const WarpTile& w) const {
    for (int q = w.lane; q < wave_vectors; q += warp_size) shared.sum[w.warp][q] = {0, 0};
    __syncwarp();
  }

  template <class Ring>
  __device__ void tile(Shared& shared, TileSums<Numbers>& tile, const WarpTile& w,
                       const TilePlace& place, Ring& ring, int phase_blocks) const {
    const double times = place.times;
    if (squared) {
#pragma unroll
      for (auto& row : tile.c)
#pragma unroll
        for (auto& column : row)
#pragma unroll
          for (auto& c : column) c *= c;
    }
    for (int phase_block = 0; phase_block < phase_blocks; ++phase_block) {
      const char* stage = ring.acquire();
      const int first = phase_block * Numbers::wave_vectors;
      double2* sum = shared.sum[w.warp] + first;
      if constexpr (Numbers::multiplies_phases) {
        constexpr int other_places = warp_size - places_of_row;
        const double2 x = summed_over(phase_sums(tile, stage, w), other_places);
        if (w.lane < min(wave_vectors - first, places_of_row)) {
          sum[w.lane].x += times * x.x;
          sum[w.lane].y += times * x.y;
        }
      } else {
        for (int q = 0; q < min(wave_vectors - first, Numbers::wave_vectors); ++q) {
          const double2 x = summed_over(phase_sum(tile, stage, w, q), warp_size - 1);
          if (w.lane == 0) {
            sum[q].x += times * x.x;
            sum[q].y += times * x.y;
          }
        }
      }
      ring.release();
    }
  }

  __device__ void end(Shared& shared, const WarpTile& w, int unit) const {
    __syncwarp();
    double2* to = sums + static_cast<Index>(unit * summing_warps + w.warp) * wave_vectors;
    for (int q = w.lane; q < wave_vectors; q += warp_size) to[q] = shared.sum[w.warp][q];
    __syncwarp();
  }
};

}  // namespace larmor::correlations::real_space
