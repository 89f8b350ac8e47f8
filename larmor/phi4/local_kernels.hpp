#pragma once
// Hot loops of single-site updates on a CPU, compiled once per instruction set.

#include <cstdint>

#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/phi4/update_kernel.hpp"

namespace larmor::phi4 {

/// Rows along the first axis are divided into tiles of at most this many sites.
constexpr Index sites_of_tile = 128;

constexpr Index tiles_of_row(const clusters::GridView& grid) {
  return (static_cast<Index>(grid.length[0]) + sites_of_tile - 1) / sites_of_tile;
}
constexpr Index tiles_of(const FieldView& view) {
  return view.sites / static_cast<Index>(view.grid.length[0]) * tiles_of_row(view.grid);
}

/// The sites of one colour in some tiles of some replicas.
struct ColourTiles {
  int colour;
  Index first_tile, last_tile;
  Index first_replica, last_replica;
};

/// Updates the sites of ColourTiles. No two of them are neighbours.
/// @param step length of trials [replica]
/// @param accepted the kernel adds the number of accepted trials [last_replica - first_replica]
using UpdateTiles = void (*)(const FieldView& view, const RandomKey& key, const double* step,
                             const ColourTiles& tiles, std::uint64_t* accepted);

/// Kernels for each number of components, starting with 1.
struct LocalKernels {
  UpdateTiles metropolis[most_components];
  UpdateTiles heat_bath[most_components];
  UpdateTiles over_relaxation[most_components];
};

LARMOR_CPU_KERNELS(LocalKernels, local_kernels)

}  // namespace larmor::phi4
