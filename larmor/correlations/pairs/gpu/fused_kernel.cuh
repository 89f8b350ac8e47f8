#pragma once
// Sums over all pairs of sites of a function of C = A B^T. Only tiles of C exist, in registers. An
// epilogue computes the function of a tile and sums it. fourier_epilogue.cuh multiplies by the
// Fourier phases of both sites on tensor cores. The other epilogues sort values into bins.
//
// A block of threads has two groups of four warps; each group computes its own tiles of 128 rows by
// 64 columns (128 in split precisions). The groups are half a tile apart: one uses the tensor cores
// while the other sums its tile. For each group, a separate warp copies blocks of both operands,
// then phases, in bulk into a ring of stages. A ring continues from tile to tile, because it would
// take much time to refill it for each tile if K is small.

#include <cutlass/arch/barrier.h>
#include <cutlass/arch/reg_reconfig.h>

#include <algorithm>
#include <cute/arch/copy_sm90_tma.hpp>

#include "larmor/core/device/launch.cuh"
#include "larmor/correlations/pairs/gpu/pair_grid.cuh"

namespace larmor::correlations::real_space {

/// A block has a third group of four warps, which loads data for the two summing groups. It has
/// four warps because registers are assigned to groups of four.
inline constexpr int block_threads = (groups + 1) * warps_of_group * warp_size;
inline constexpr int loading_registers = 40, summing_registers = 232;
inline constexpr int most_stages = 16;

/// Barriers take this many bytes, since swizzled rows begin at multiples of 1024 bytes.
inline constexpr int barrier_bytes = 1024;

struct RingBarriers {
  std::uint64_t full[groups][most_stages], empty[groups][most_stages];
};
static_assert(sizeof(RingBarriers) <= barrier_bytes);

/// Position in a group's ring.
struct RingPlace {
  int stage = 0;
  std::uint32_t phase;
  __device__ explicit RingPlace(std::uint32_t first_phase) : phase(first_phase) {}
  __device__ void advance(int stages) {
    if (++stage == stages) {
      stage = 0;
      phase ^= 1;
    }
  }
};

/// Tells the compiler that waiting and arriving at a barrier order memory accesses. CUTLASS does
/// not do so.
__device__ inline void keep_order() { asm volatile("" ::: "memory"); }

/// The stages of a group, for the warps that read them.
class Ring {
 public:
  __device__ Ring(RingBarriers& barriers, const char* stages, int group, int count, int bytes)
      : full_(barriers.full[group]),
        empty_(barriers.empty[group]),
        stages_(stages + group * count * bytes),
        count_(count),
        bytes_(bytes) {}
  /// Waits until the next stage is loaded.
  __device__ const char* acquire() {
    cutlass::arch::ClusterBarrier::wait(&full_[next_.stage], next_.phase);
    keep_order();
    const char* stage = stages_ + next_.stage * bytes_;
    next_.advance(count_);
    return stage;
  }
  /// Releases the oldest acquired stage, after this warp has read it.
  __device__ void release() {
    keep_order();
    cutlass::arch::ClusterBarrier::arrive(&empty_[returned_]);
    if (++returned_ == count_) returned_ = 0;
  }

 private:
  std::uint64_t *full_, *empty_;
  const char* stages_;
  int count_, bytes_;
  RingPlace next_{0};
  int returned_ = 0;
};

/// Loads operands and phases for one group. One warp runs it.
template <class Numbers>
__device__ void load_operands(const PairGrid& grid, RingBarriers& barriers, char* stages,
                              int group) {
  using Tile = TileShape<Numbers>;
  using cutlass::arch::ClusterBarrier;
  RingPlace place(1);
  for (int number = static_cast<int>(blockIdx.x); number < grid.units();
       number += static_cast<int>(gridDim.x)) {
    const Unit unit(grid, number);
    for (int offset = unit.first + group * Tile::columns; offset < unit.end;
         offset += groups * Tile::columns) {
      const int column = unit.column(grid, offset);
      for (int c = 0; c < grid.k_blocks + grid.phase_blocks; ++c) {
        const bool phase = c >= grid.k_blocks;
        const Index first_row = static_cast<Index>(phase ? c - grid.k_blocks : c) * grid.padded;
        std::uint64_t* full = &barriers.full[group][place.stage];
        char* stage = stages + (group * grid.stages + place.stage) * Tile::stage_bytes;
        while (!ClusterBarrier::test_wait(&barriers.empty[group][place.stage], place.phase, 1u))
          __nanosleep(20);
        keep_order();
        cutlass::arch::ClusterTransactionBarrier::arrive_and_expect_tx(full, Tile::stage_bytes);
        cute::SM90_BULK_COPY_G2S::copy(
            (phase ? grid.phases : grid.columns) + (first_row + column) * row_bytes, full, stage,
            Tile::columns * row_bytes);
        cute::SM90_BULK_COPY_G2S::copy(
            (phase ? grid.phases : grid.rows) + (first_row + unit.first_row) * row_bytes, full,
            stage + Tile::columns * row_bytes, rows_of_tile * row_bytes);
        place.advance(grid.stages);
      }
    }
  }
}

template <class Numbers, class Epilogue>
__global__ void __launch_bounds__(block_threads, 1)
    pair_kernel(const PairGrid grid, const Epilogue epilogue) {
  extern __shared__ __align__(1024) char shared[];
  using Tile = TileShape<Numbers>;
  auto& barriers = *reinterpret_cast<RingBarriers*>(shared);
  char* stages = shared + barrier_bytes;
  auto* sums = reinterpret_cast<typename Epilogue::Shared*>(stages + groups * grid.stages *
                                                                         Tile::stage_bytes);
  const WarpTile w = warp_tile<Numbers>();
  if (threadIdx.x == 0) {
    for (int g = 0; g < groups; ++g)
      for (int s = 0; s < grid.stages; ++s) {
        cutlass::arch::ClusterBarrier::init(&barriers.full[g][s], 1);
        cutlass::arch::ClusterBarrier::init(&barriers.empty[g][s], warps_of_group * warp_size);
      }
    cutlass::arch::fence_barrier_init();
  }
  __syncthreads();
  if (w.warp >= summing_warps) {
    cutlass::arch::warpgroup_reg_dealloc<loading_registers>();
    // Each group has its own loading warp, because threads of one warp would wait for each other.
    if (w.warp < summing_warps + groups && w.lane == 0)
      load_operands<Numbers>(grid, barriers, stages, w.warp - summing_warps);
    return;
  }
  cutlass::arch::warpgroup_reg_alloc<summing_registers>();
  const int group = w.warp / warps_of_group;
  Ring ring(barriers, stages, group, grid.stages, Tile::stage_bytes);
  constexpr int half_a_tile = 1;
  constexpr int both_groups = summing_warps * warp_size;
  bool first_tile = true;
  for (int number = static_cast<int>(blockIdx.x); number < grid.units();
       number += static_cast<int>(gridDim.x)) {
    const Unit unit(grid, number);
    epilogue.begin(*sums, w);
    // If the unit is empty, the other group computes no tile and reaches no barrier.
    if (first_tile && group == 1 && unit.first < unit.end) {
      cutlass::arch::NamedBarrier::sync(both_groups, half_a_tile);
      first_tile = false;
    }
    for (int offset = unit.first + group * Tile::columns; offset < unit.end;
         offset += groups * Tile::columns) {
      TileSums<Numbers> tile;
      const auto half_done = [&] {
        if (first_tile) cutlass::arch::NamedBarrier::arrive(both_groups, half_a_tile);
        first_tile = false;
      };
      tile.add_up(ring, grid.k_blocks, w, half_done);
      epilogue.tile(*sums, tile, w,
                    {unit.first_row, unit.column(grid, offset), unit.times(grid, offset)}, ring,
                    grid.phase_blocks);
    }
    epilogue.end(*sums, w, number);
  }
}

/// Largest shared memory of a block of threads on a GPU of compute capability 9.0.
inline constexpr Index shared_bytes = 227 * 1024;

template <class Numbers>
struct TensorCoreKernel {
  template <class Epilogue>
  static void launch(int blocks, PairGrid grid, const Epilogue& epilogue, cudaStream_t stream) {
    constexpr Index kept = barrier_bytes + static_cast<Index>(sizeof(typename Epilogue::Shared));
    constexpr Index stage = groups * TileShape<Numbers>::stage_bytes;
    grid.stages = static_cast<int>(std::min<Index>(most_stages, (shared_bytes - kept) / stage));
    const Index bytes = kept + grid.stages * stage;
    larmor::cuda::check(
        cudaFuncSetAttribute(pair_kernel<Numbers, Epilogue>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "preparing the fused correlation kernel");
    larmor::cuda::launch(
        stream,
        {dim3(static_cast<unsigned>(blocks)), block_threads, static_cast<std::size_t>(bytes)},
        pair_kernel<Numbers, Epilogue>, grid, epilogue);
  }
};
template <>
struct PairKernel<DoubleNumbers> : TensorCoreKernel<DoubleNumbers> {};
template <>
struct PairKernel<Tf32Numbers> : TensorCoreKernel<Tf32Numbers> {};
template <>
struct PairKernel<HalfNumbers> : TensorCoreKernel<HalfNumbers> {};

}  // namespace larmor::correlations::real_space
