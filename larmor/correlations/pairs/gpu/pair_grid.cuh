#pragma once
// Division of sums over all pairs of sites into units, tiles and warps, for any multiplication.
//
// A unit of work has one panel (block of rows) and one segment of columns. Sums of units are added
// in a fixed order, so the number of multiprocessors or GPUs changes no bit. If both operands are
// equal, C is symmetric. Each panel then takes the columns of half of the panels: itself and the
// following ones, cyclically. Thus all panels have equal work and ranks share them as before. Tiles
// off the diagonal count twice.

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/device/jit_module.hpp"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/core/types.hpp"
#include "larmor/correlations/pairs/gpu/tensor_numbers.cuh"

namespace larmor::correlations::real_space {

/// BITS: rows of a panel, which has separate sums.
inline constexpr int panel_rows = 128;
inline constexpr int groups = 2, warps_of_group = 4;
inline constexpr int summing_warps = groups * warps_of_group;

template <class Numbers>
struct TileShape {
  static constexpr int warp_columns = 8 * Numbers::column_tiles;
  static constexpr int columns = warp_columns * (warps_of_group / Numbers::warps_along_rows);
  static constexpr int stage_bytes = (columns + panel_rows) * row_bytes;
};

/// Operands of the product, and their division.
struct PairGrid {
  const char* rows;     ///< A, (block of k, padded site, 64 bytes)
  const char* columns;  ///< B
  const char* phases;   ///< (block of wave vectors, padded site, 64 bytes), null: none
  int padded;           ///< number of sites, padded to whole panels
  int chunks, phase_chunks;
  int first_panel, panels;  ///< panels that are summed here
  int segment;              ///< columns of a unit
  int stages;
  bool symmetric;  ///< both operands are equal

  __host__ __device__ int all_panels() const { return padded / panel_rows; }
  /// Columns of a panel. If the number of panels is even, only half of the panels take the last,
  /// opposite panel.
  __host__ __device__ int span() const {
    return symmetric ? (all_panels() / 2 + 1) * panel_rows : padded;
  }
  __host__ __device__ int segments() const { return (span() + segment - 1) / segment; }
  __host__ __device__ int units() const { return panels * segments(); }
};

struct Unit {
  int first_row;
  int first, end;  ///< columns; relative to the panel if C is symmetric
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
  /// How often the pairs of a tile count.
  __device__ int times(const PairGrid& grid, int at) const {
    return grid.symmetric && at >= panel_rows ? 2 : 1;
  }
};

/// Position of a lane in a tile: rows first_row + row_step m + 8 h + eight, columns first_column +
/// 8 n + 2 place + k, for element (m, n, 2 h + k).
struct WarpTile {
  int warp, lane;
  int first_row, first_column;  ///< position of this warp in the tile
  int eight, place;             ///< number of eight rows or columns, and lane among its four
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

/// Position of a tile in C, and how often its pairs count.
struct TilePlace {
  int first_row, first_column, times;
};

/// A warp's elements of one tile of C: c[row tile][column tile][4], see WarpTile.
template <class Numbers>
struct TileSums;

/// Launches the kernel for one type of numbers: `launch(blocks, grid, epilogue, stream)`.
///
/// An epilogue turns tiles into sums; `Shared` is its data in shared memory. begin and end are
/// called before and after a unit. tile is called for a finished tile with its count, and reads
/// `grid.phase_chunks` more stages.
template <class Numbers>
struct PairKernel;

/// Barrier for all summing warps.
__device__ inline void sync_summing_warps() {
  constexpr int unit_done = 2;
  asm volatile("bar.sync %0, %1;" ::"n"(unit_done), "n"(summing_warps * warp_size) : "memory");
}

}  // namespace larmor::correlations::real_space
