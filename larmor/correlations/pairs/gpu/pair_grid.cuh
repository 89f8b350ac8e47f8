#pragma once
// How sums over all pairs of sites are cut into units, tiles and parts of warps, whatever
// multiplies.
//
// The work is cut into units of one panel of rows and one segment of columns, whose sums are added
// up afterwards in a fixed order: the number of multiprocessors or GPUs changes no bit.
// Where both operands are the same C is symmetric: each panel of rows then takes the columns of
// half of the panels, itself and those that follow it, around the end, so that all panels have
// equal work and ranks may share them as they do otherwise. Tiles off the diagonal count twice.

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/device/jit_module.hpp"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/core/types.hpp"
#include "larmor/correlations/pairs/gpu/tensor_numbers.cuh"

namespace larmor::correlations::real_space {

/// BITS: rows of a panel, which has sums of its own.
inline constexpr int panel_rows = 128;
inline constexpr int groups = 2, warps_of_group = 4;
inline constexpr int summing_warps = groups * warps_of_group;

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

/// A warp's part of one tile of C: c[row tile][column tile][4], as WarpTile says.
template <class Numbers>
struct TileSums;

/// Launches the kernel that sums such numbers: `launch(blocks, grid, epilogue, stream)`.
///
/// Epilogue: turns tiles into sums, `Shared` what it keeps in shared memory. begin and end stand
/// around a unit, tile takes a finished tile, which counts so many times, reading
/// `grid.phase_chunks` more stages.
template <class Numbers>
struct PairKernel;

/// All warps that sum wait for one another.
__device__ inline void sync_summing_warps() {
  constexpr int unit_done = 2;
  asm volatile("bar.sync %0, %1;" ::"n"(unit_done), "n"(summing_warps * warp_size) : "memory");
}

}  // namespace larmor::correlations::real_space
