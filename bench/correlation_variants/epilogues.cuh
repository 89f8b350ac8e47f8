#pragma once
// Epilogues after the product of a tile in the kernels of Chen, Chen, Turner, Feiguin (2023),
// sections 3.3 and 3.4: a thread's share of sum_rr' exp(-i q.(r - r')) C(r,r') over the tile.
//
// Mma is a threadblock-level product of CUTLASS. Its IteratorC gives the positions of the tile's
// numbers in the lanes of its warps.

#include "bench/correlation_variants/fields.cuh"
#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"
#include "larmor/correlations/fourier/site_phase.hpp"

namespace larmor::bench {

/// Position in C of a tile, and of a warp in the tile.
struct TileOrigin {
  int row, column;            ///< position of the tile
  int warp_row, warp_column;  ///< position of the warp in the tile
};

/// Calls visit(row, column, element) for the elements of a tile that a lane holds. `row` and
/// `column` count from the corner of the tile.
template <class Mma, class Visit>
__device__ void for_each_of_lane(const typename Mma::FragmentC& tile, const TileOrigin& origin,
                                 const Visit& visit) {
  using Lanes = typename Mma::Operator::IteratorC;
  using Tiles = typename Lanes::Policy::MmaIterations;
  static_assert(Lanes::InstructionShape::kM == 16 && Lanes::InstructionShape::kN == 8);
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const int first_row = origin.warp_row + lane / 4,
            first_column = origin.warp_column + 2 * (lane % 4);
#pragma unroll
  for (int n = 0; n < Tiles::kColumn; ++n)
#pragma unroll
    for (int m = 0; m < Tiles::kRow; ++m)
#pragma unroll
      for (int h = 0; h < 2; ++h)
#pragma unroll
        for (int k = 0; k < 2; ++k)
          visit(first_row + 16 * m + 8 * h, first_column + 8 * n + k,
                tile[4 * (n * Tiles::kRow + m) + 2 * h + k]);
}

/// Epilogue that loads phases from a stored matrix.
template <class Mma>
struct LoadedPhases {
  static constexpr int shared_bytes = 0, blocks_of_multiprocessor = 1;
  const double2* matrix;  ///< exp(-i q.(r - r')), (r, r')
  int sites;

  __device__ double2 sum(const typename Mma::FragmentC& tile, const TileOrigin& origin,
                         char*) const {
    double2 total = {0, 0};
    for_each_of_lane<Mma>(tile, origin, [&](int i, int j, double c) {
      const Index row = origin.row + i, column = origin.column + j;
      if (row >= sites || column >= sites) return;
      const double2 phase = matrix[row * sites + column];
      total.x += c * phase.x;
      total.y += c * phase.y;
    });
    return total;
  }
};

/// Computes exp(-i q.(r - r')) from positions.
struct PhaseOfPair {
  const double* position;  ///< (3, site)
  Vec3<double> q;
  int sites;

  /// Adds C exp(-i q.(r - r')) if the pair exists.
  __device__ void add(double2& total, int row, int column, double c) const {
    if (row >= sites || column >= sites) return;
    const auto distance = [&](Index axis) {
      return position[axis * sites + row] - position[axis * sites + column];
    };
    double sine, cosine;
    sincos(q.x * distance(0) + q.y * distance(1) + q.z * distance(2), &sine, &cosine);
    const correlations::SitePhase phase = correlations::SitePhase::of(cosine, sine);
    total.x += c * phase.re;
    total.y += c * phase.im;
  }
};

/// Epilogue that computes phases while the tile remains in registers.
template <class Mma>
struct PhasesInRegisters {
  static constexpr int shared_bytes = 0, blocks_of_multiprocessor = 2;
  PhaseOfPair phase;

  __device__ double2 sum(const typename Mma::FragmentC& tile, const TileOrigin& origin,
                         char*) const {
    double2 total = {0, 0};
    for_each_of_lane<Mma>(tile, origin, [&](int i, int j, double c) {
      phase.add(total, origin.row + i, origin.column + j, c);
    });
    return total;
  }
};

/// Epilogue that first copies the tile to shared memory, in place of the operands. The copy frees
/// registers for the phases.
template <class Mma>
struct PhasesFromSharedMemory {
  static constexpr int blocks_of_multiprocessor = 2;
  static constexpr int threads = Mma::WarpCount::kCount * warp_size;
  static constexpr int rows = Mma::Shape::kM, columns = Mma::Shape::kN;
  /// Offset between rows that avoids bank conflicts.
  static constexpr int stride = columns + 8;
  static constexpr int shared_bytes = rows * stride * static_cast<int>(sizeof(double));
  PhaseOfPair phase;

  __device__ double2 sum(const typename Mma::FragmentC& tile, const TileOrigin& origin,
                         char* shared) const {
    auto* stored = reinterpret_cast<double*>(shared);
    for_each_of_lane<Mma>(tile, origin,
                          [&](int i, int j, double c) { stored[i * stride + j] = c; });
    __syncthreads();
    double2 total = {0, 0};
#pragma unroll 1
    for (int n = static_cast<int>(threadIdx.x); n < rows * columns; n += threads) {
      const int i = n / columns, j = n % columns;
      phase.add(total, origin.row + i, origin.column + j, stored[i * stride + j]);
    }
    return total;
  }
};

}  // namespace larmor::bench
