#pragma once
// Sums over all pairs of sites of something made from C = A B^T, of which no more exists at a time
// than a tile in registers.
//
// A block of threads has two groups of four warps, each with tiles of its own: 128 rows by 64
// columns (128 in split precisions). The groups are half a tile apart, so that tensor cores have
// work from one while the other turns its tile into sums. Chunks of both operands, and of the
// phases behind them, come by bulk copies into a ring of stages for each group, issued by a warp
// that does nothing else. Rings run through from tile to tile: K is so short that filling them anew
// each time would show.
//
// The work is cut into units of one panel of rows and one segment of columns, whose sums are added
// up afterwards in a fixed order: the number of multiprocessors or GPUs changes no bit.
//
// Where both operands are the same C is symmetric: each panel of rows then takes the columns of
// half of the panels, itself and those that follow it, around the end, so that all panels have
// equal work and ranks may share them as they do otherwise. Tiles off the diagonal count twice.

#include <cutlass/arch/barrier.h>
#include <cutlass/arch/reg_reconfig.h>

#include <cute/arch/copy_sm90_tma.hpp>

#include "larmor/core/types.hpp"
#include "larmor/correlations/real_space/tensor_numbers.cuh"

namespace larmor::correlations::real_space {

inline constexpr int warp_size = 32;
inline constexpr int panel_rows = 128;
inline constexpr int groups = 2, warps_of_group = 4;
inline constexpr int summing_warps = groups * warps_of_group;
/// The third group of four warps feeds the other two; registers are given out to groups of four.
inline constexpr int block_threads = (groups + 1) * warps_of_group * warp_size;
inline constexpr int feeder_registers = 40, summing_registers = 232;
inline constexpr int most_stages = 16;

template <class Numbers>
struct TileShape {
  static constexpr int warp_columns = 8 * Numbers::column_tiles;
  static constexpr int columns = warp_columns * (warps_of_group / Numbers::warps_along_rows);
  static constexpr int stage_bytes = (columns + panel_rows) * row_bytes;
};

/// What is multiplied, and how it is cut.
struct PairGrid {
  const char* rows;     ///< A, (chunk, padded site, 64 bytes)
  const char* columns;  ///< B
  const char* phases;   ///< (chunk of wave vectors, padded site, 64 bytes), null: none
  int padded;           ///< sites, whole panels
  int chunks, phase_chunks;
  int first_panel, panels;  ///< that are summed here
  int segment;              ///< columns of a unit
  int stages;
  bool symmetric;  ///< both operands are the same

  __host__ __device__ int all_panels() const { return padded / panel_rows; }
  /// Columns of a panel of rows, the last panel of them for half of the panels only where it is its
  /// own opposite.
  __host__ __device__ int span() const {
    return symmetric ? (all_panels() / 2 + 1) * panel_rows : padded;
  }
  __host__ __device__ int segments() const { return (span() + segment - 1) / segment; }
  __host__ __device__ int units() const { return panels * segments(); }
};

struct Unit {
  int first_row;
  int first, end;  ///< columns, of symmetric C counted from the panel of rows on
  __device__ Unit(const PairGrid& grid, int number) {
    const int panel = grid.first_panel + number % grid.panels;
    first_row = panel * panel_rows;
    first = number / grid.panels * grid.segment;
    const int opposite = grid.all_panels() / 2;
    const bool other_has_it =
        grid.symmetric && grid.all_panels() == 2 * opposite && panel >= opposite;
    end = min(first + grid.segment, grid.span() - (other_has_it ? panel_rows : 0));
  }
  /// @param at in [first, end)
  __device__ int column(const PairGrid& grid, int at) const {
    if (!grid.symmetric) return at;
    const int column = first_row + at;
    return column < grid.padded ? column : column - grid.padded;
  }
  /// How often its pairs count.
  __device__ int times(const PairGrid& grid, int at) const {
    return grid.symmetric && at >= panel_rows ? 2 : 1;
  }
};

/// Swizzled rows begin at multiples of 1024 bytes.
inline constexpr int barrier_bytes = 1024;

struct RingBarriers {
  std::uint64_t full[groups][most_stages], empty[groups][most_stages];
};
static_assert(sizeof(RingBarriers) <= barrier_bytes);

/// A place in a group's ring.
struct RingPlace {
  int slot = 0;
  std::uint32_t phase;
  __device__ explicit RingPlace(std::uint32_t first_phase) : phase(first_phase) {}
  __device__ void advance(int stages) {
    if (++slot == stages) {
      slot = 0;
      phase ^= 1;
    }
  }
};

/// CUTLASS does not tell the compiler that waiting at a barrier and arriving there order the memory
/// around it.
__device__ inline void keep_order() { asm volatile("" ::: "memory"); }

/// The stages of a group, as its warps read them.
class Ring {
 public:
  __device__ Ring(RingBarriers& barriers, const char* stages, int group, int count, int bytes)
      : full_(barriers.full[group]),
        empty_(barriers.empty[group]),
        stages_(stages + group * count * bytes),
        count_(count),
        bytes_(bytes) {}
  /// Waits for the next stage.
  __device__ const char* take() {
    cutlass::arch::ClusterBarrier::wait(&full_[next_.slot], next_.phase);
    keep_order();
    const char* stage = stages_ + next_.slot * bytes_;
    next_.advance(count_);
    return stage;
  }
  /// This warp has read the oldest stage that it took.
  __device__ void give_back() {
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

/// Where a lane's part of a tile lies: rows first_row + row_step m + 8 h + eight, columns
/// first_column + 8 n + 2 place + k, for element (m, n, 2 h + k).
struct WarpTile {
  int warp, lane;
  int first_row, first_column;  ///< of this warp, in the tile
  int eight, place;             ///< which of eight rows or columns, and which lane of its four
};

template <class Numbers>
__device__ WarpTile warp_tile() {
  using Tile = TileShape<Numbers>;
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const int across = warp % warps_of_group / Numbers::warps_along_rows;
  constexpr int rows_between =
      Numbers::warps_along_rows == warps_of_group ? 16 : Numbers::row_tiles * Numbers::row_step;
  return {warp,
          lane,
          warp % Numbers::warps_along_rows * rows_between,
          across * Tile::warp_columns,
          lane / places_of_row,
          lane % places_of_row};
}

/// Where a tile lies in C, and how often its pairs count.
struct TilePlace {
  int first_row, first_column, times;
};

/// One warp feeds one group.
template <class Numbers>
__device__ void feed(const PairGrid& grid, RingBarriers& barriers, char* stages, int group) {
  using Tile = TileShape<Numbers>;
  using cutlass::arch::ClusterBarrier;
  RingPlace place(1);
  for (int number = static_cast<int>(blockIdx.x); number < grid.units();
       number += static_cast<int>(gridDim.x)) {
    const Unit unit(grid, number);
    for (int at = unit.first + group * Tile::columns; at < unit.end; at += groups * Tile::columns) {
      const int column = unit.column(grid, at);
      for (int c = 0; c < grid.chunks + grid.phase_chunks; ++c) {
        const bool phase = c >= grid.chunks;
        const Index chunk = static_cast<Index>(phase ? c - grid.chunks : c) * grid.padded;
        std::uint64_t* full = &barriers.full[group][place.slot];
        char* stage = stages + (group * grid.stages + place.slot) * Tile::stage_bytes;
        while (!ClusterBarrier::test_wait(&barriers.empty[group][place.slot], place.phase, 1u))
          __nanosleep(20);
        keep_order();
        cutlass::arch::ClusterTransactionBarrier::arrive_and_expect_tx(full, Tile::stage_bytes);
        cute::SM90_BULK_COPY_G2S::copy(
            (phase ? grid.phases : grid.columns) + (chunk + column) * row_bytes, full, stage,
            Tile::columns * row_bytes);
        cute::SM90_BULK_COPY_G2S::copy(
            (phase ? grid.phases : grid.rows) + (chunk + unit.first_row) * row_bytes, full,
            stage + Tile::columns * row_bytes, panel_rows * row_bytes);
        place.advance(grid.stages);
      }
    }
  }
}

/// A warp's part of one tile of C: c[row tile][column tile][4], as WarpTile says.
template <class Numbers>
struct TileSums;

/// Epilogue: turns tiles into sums, `Shared` what it keeps in shared memory. begin and end stand
/// around a unit, tile takes a finished tile, which counts so many times, reading
/// `grid.phase_chunks` more stages.
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
    cutlass::arch::warpgroup_reg_dealloc<feeder_registers>();
    // A warp for each group: threads of one warp would wait for each other.
    if (w.warp < summing_warps + groups && w.lane == 0)
      feed<Numbers>(grid, barriers, stages, w.warp - summing_warps);
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
    if (first_tile && group == 1) {
      cutlass::arch::NamedBarrier::sync(both_groups, half_a_tile);
      first_tile = false;
    }
    for (int at = unit.first + group * Tile::columns; at < unit.end; at += groups * Tile::columns) {
      TileSums<Numbers> tile;
      const auto half_done = [&] {
        if (first_tile) cutlass::arch::NamedBarrier::arrive(both_groups, half_a_tile);
        first_tile = false;
      };
      tile.add_up(ring, grid.chunks, w, half_done);
      epilogue.tile(*sums, tile, w, {unit.first_row, unit.column(grid, at), unit.times(grid, at)},
                    ring, grid.phase_chunks);
    }
    epilogue.end(*sums, w, number);
  }
}

}  // namespace larmor::correlations::real_space
