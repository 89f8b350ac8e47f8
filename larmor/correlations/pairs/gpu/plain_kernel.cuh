#pragma once
// Sums over all pairs of sites by plain arithmetic in double precision, for GPUs without suitable
// tensor cores. Units, tiles and warps are those of fused_kernel.cuh. Threads of a group load one
// block of the operands into shared memory while they multiply the previous one.

#include <cuda_pipeline.h>

#include "larmor/core/device/launch.cuh"
#include "larmor/correlations/pairs/gpu/pair_grid.cuh"

namespace larmor::correlations::real_space {

inline constexpr int plain_threads = summing_warps * warp_size;
inline constexpr int plain_stages = 2;

/// The stages of a group.
class PlainRing {
 public:
  __device__ PlainRing(const PairGrid& grid, char* stages, int group)
      : grid_(grid), stages_(stages + group * plain_stages * Tile::stage_bytes), group_(group) {}

  /// Starts at the first block of a new tile.
  __device__ void begin(int first_row, int first_column) {
    first_row_ = first_row;
    first_column_ = first_column;
    block_ = 0;
    load();
  }
  /// The next block of the operands. All threads of the group call it after they have finished the
  /// previous block.
  __device__ const char* acquire() {
    __pipeline_wait_prior(0);
    sync();
    const char* stage = stages_ + stage_ * Tile::stage_bytes;
    stage_ ^= 1;
    if (++block_ < grid_.k_blocks + grid_.phase_blocks) load();
    return stage;
  }
  __device__ void release() {}

 private:
  using Tile = TileShape<PlainNumbers>;
  static constexpr int threads = warps_of_group * warp_size;

  __device__ void sync() const {
    constexpr int first_barrier = 3;
    asm volatile("bar.sync %0, %1;" ::"r"(first_barrier + group_), "n"(threads) : "memory");
  }
  __device__ void load() {
    const bool phase = block_ >= grid_.k_blocks;
    const Index first = static_cast<Index>(phase ? block_ - grid_.k_blocks : block_) * grid_.padded;
    char* stage = stages_ + stage_ * Tile::stage_bytes;
    copy((phase ? grid_.phases : grid_.columns) + (first + first_column_) * row_bytes, stage,
         Tile::columns * row_bytes);
    copy((phase ? grid_.phases : grid_.rows) + (first + first_row_) * row_bytes,
         stage + Tile::columns * row_bytes, rows_of_tile * row_bytes);
    __pipeline_commit();
  }
  __device__ void copy(const char* from, char* to, int bytes) const {
    constexpr int at_once = 16;
    const int thread = static_cast<int>(threadIdx.x) % threads;
    for (int byte = thread * at_once; byte < bytes; byte += threads * at_once)
      __pipeline_memcpy_async(to + byte, from + byte, at_once);
  }

  const PairGrid& grid_;
  char* stages_;
  int group_;
  int stage_ = 0, block_ = 0, first_row_ = 0, first_column_ = 0;
};

template <>
struct TileSums<PlainNumbers> {
  using Numbers = PlainNumbers;
  double c[Numbers::row_tiles][Numbers::column_tiles][4] = {};

  __device__ void add_up(PlainRing& ring, int k_blocks, const WarpTile& w) {
    for (int k_block = 0; k_block < k_blocks; ++k_block) add_k_block(ring.acquire(), w);
  }

 private:
  __device__ void add_k_block(const char* stage, const WarpTile& w) {
    const char* columns = stage + (w.first_column + 2 * w.place) * row_bytes;
    const char* rows = stage + (TileShape<Numbers>::columns + w.first_row + w.eight) * row_bytes;
    // Lanes start at different numbers to avoid bank conflicts in shared memory.
    const int turn = w.eight / 2 + 2 * w.place;
#pragma unroll 2
    for (int n = 0; n < Numbers::per_row; ++n) {
      const int number = (n + turn) % Numbers::per_row * static_cast<int>(sizeof(double));
      double b[Numbers::column_tiles][2];
#pragma unroll
      for (int t = 0; t < Numbers::column_tiles; ++t)
#pragma unroll
        for (int k = 0; k < 2; ++k)
          b[t][k] = *reinterpret_cast<const double*>(columns + (8 * t + k) * row_bytes + number);
#pragma unroll
      for (int m = 0; m < Numbers::row_tiles; ++m)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const double a = *reinterpret_cast<const double*>(
              rows + (Numbers::row_step * m + 8 * h) * row_bytes + number);
#pragma unroll
          for (int t = 0; t < Numbers::column_tiles; ++t)
#pragma unroll
            for (int k = 0; k < 2; ++k) c[m][t][2 * h + k] += a * b[t][k];
        }
    }
  }
};

template <class Epilogue>
__global__ void __launch_bounds__(plain_threads, 1)
    plain_pair_kernel(const PairGrid grid, const Epilogue epilogue) {
  extern __shared__ __align__(16) char shared[];
  using Tile = TileShape<PlainNumbers>;
  auto* sums = reinterpret_cast<typename Epilogue::Shared*>(shared + groups * plain_stages *
                                                                         Tile::stage_bytes);
  const WarpTile w = warp_tile<PlainNumbers>();
  const int group = w.warp / warps_of_group;
  PlainRing ring(grid, shared, group);
  for (int number = static_cast<int>(blockIdx.x); number < grid.units();
       number += static_cast<int>(gridDim.x)) {
    const Unit unit(grid, number);
    epilogue.begin(*sums, w);
    for (int offset = unit.first + group * Tile::columns; offset < unit.end;
         offset += groups * Tile::columns) {
      const int column = unit.column(grid, offset);
      ring.begin(unit.first_row, column);
      TileSums<PlainNumbers> tile;
      tile.add_up(ring, grid.k_blocks, w);
      epilogue.tile(*sums, tile, w, {unit.first_row, column, unit.times(grid, offset)}, ring,
                    grid.phase_blocks);
    }
    epilogue.end(*sums, w, number);
  }
}

template <>
struct PairKernel<PlainNumbers> {
  template <class Epilogue>
  static void launch(int blocks, const PairGrid& grid, const Epilogue& epilogue,
                     cudaStream_t stream) {
    constexpr int bytes = groups * plain_stages * TileShape<PlainNumbers>::stage_bytes +
                          static_cast<int>(sizeof(typename Epilogue::Shared));
    larmor::cuda::check(cudaFuncSetAttribute(plain_pair_kernel<Epilogue>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                        "preparing a correlation kernel");
    larmor::cuda::launch(
        stream,
        {dim3(static_cast<unsigned>(blocks)), plain_threads, static_cast<std::size_t>(bytes)},
        plain_pair_kernel<Epilogue>, grid, epilogue);
  }
};

}  // namespace larmor::correlations::real_space
