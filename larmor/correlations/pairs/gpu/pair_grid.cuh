#pragma once
// Divides sums over all pairs of sites into units, tiles and warps. The division does not depend on
// the method of multiplication.
//
// A unit of work has one block of rows, as high as a tile, and one segment of columns. Sums of
// units are added in a fixed order, so the number of multiprocessors or GPUs changes no bit. If
// both operands are equal, C is symmetric. In this case, each block of rows has the columns of half
// of the blocks. These are the block itself and the following blocks, cyclically. Thus all blocks
// of rows have equal work, and ranks share them as for two operands. Tiles off the diagonal count
// twice.

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/device/jit_module.hpp"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/core/types.hpp"
#include "larmor/correlations/pairs/gpu/tensor_numbers.cuh"

namespace larmor::correlations::real_space {

/// BITS: number of rows of a tile. Each block of this many rows has separate sums.
inline constexpr int rows_of_tile = 128;
inline constexpr int groups = 2, warps_of_group = 4;
inline constexpr int summing_warps = groups * warps_of_group;

template <class Numbers>
struct TileShape {
  static constexpr int warp_columns = 8 * Numbers::column_tiles;
  static constexpr int columns = warp_columns * (warps_of_group / Numbers::warps_along_rows);
  static constexpr int stage_bytes = (columns + rows_of_tile) * row_bytes;
};

/// Operands of the product, and their division.
struct PairGrid {
  const char* rows;            ///< A, (block of k, padded site, 64 bytes)
  const char* columns;         ///< B
  const char* phases;          ///< (block of wave vectors, padded site, 64 bytes), null: none
  int padded;                  ///< number of sites, padded to whole tiles
  int k_blocks, phase_blocks;  ///< numbers of blocks of k and of wave vectors
  /// First block of rows that is summed, and number of such blocks.
  int first_row_block, row_blocks;
  int segment;  ///< columns of a unit
  int stages;
  bool symmetric;  ///< both operands are equal

  __host__ __device__ int all_row_blocks() const { return padded / rows_of_tile; }
  /// Columns of a block of rows. If the number of blocks is even, the last block is the opposite
  /// one. Only half of the blocks have its columns.
  __host__ __device__ int columns_of_row_block() const {
    return symmetric ? (all_row_blocks() / 2 + 1) * rows_of_tile : padded;
  }
  __host__ __device__ int segments() const {
    return (columns_of_row_block() + segment - 1) / segment;
  }
  __host__ __device__ int units() const { return row_blocks * segments(); }
};

struct Unit {
  int first_row;
  int first, end;  ///< columns; relative to the block of rows if C is symmetric
  __device__ Unit(const PairGrid& grid, int number) {
    const int row_block = grid.first_row_block + number % grid.row_blocks;
    first_row = row_block * rows_of_tile;
    first = number / grid.row_blocks * grid.segment;
    const int opposite = grid.all_row_blocks() / 2;
    const bool other_has_it =
        grid.symmetric && grid.all_row_blocks() == 2 * opposite && row_block >= opposite;
    end =
        min(first + grid.segment, grid.columns_of_row_block() - (other_has_it ? rows_of_tile : 0));
  }
  /// @param offset in [first, end)
  __device__ int column(const PairGrid& grid, int offset) const {
    if (!grid.symmetric) return offset;
    const int column = first_row + offset;
    return column < grid.padded ? column : column - grid.padded;
  }
  /// How often the pairs of a tile count.
  __device__ int times(const PairGrid& grid, int offset) const {
    return grid.symmetric && offset >= rows_of_tile ? 2 : 1;
  }
};

/// Position of a lane in a tile. Element (m, n, 2 h + k) of the lane has the row first_row +
/// row_step m + 8 h + eight, and the column first_column + 8 n + 2 place + k.
struct WarpTile {
  int warp, lane;
  int first_row, first_column;  ///< position of this warp in the tile
  int eight, place;             ///< lane / 4, which selects one of eight rows, and lane % 4
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

/// Position of a tile in C, and how often each pair of the tile counts.
struct TilePlace {
  int first_row, first_column, times;
};

/// A warp's elements of one tile of C: c[row tile][column tile][4], see WarpTile.
template <class Numbers>
struct TileSums;

/// Launches the kernel for one type of numbers: `launch(blocks, grid, epilogue, stream)`.
///
/// An epilogue turns tiles into sums; `Shared` is its data in shared memory. The kernel calls
/// `begin` before a unit and `end` after it. For each finished tile, the kernel calls `tile`. This
/// function gets the count of the tile, and reads `grid.phase_blocks` more stages.
template <class Numbers>
struct PairKernel;

/// Barrier for all summing warps.
__device__ inline void sync_summing_warps() {
  constexpr int unit_done = 2;
  asm volatile("bar.sync %0, %1;" ::"n"(unit_done), "n"(summing_warps * warp_size) : "memory");
}

}  // namespace larmor::correlations::real_space
