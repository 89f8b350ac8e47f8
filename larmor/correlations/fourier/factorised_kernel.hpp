#pragma once
// Inner loop of the factorised sum, compiled once for each instruction set.

#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/core/simd/strided_vectors.hpp"

namespace larmor::correlations {

/// BITS: number of sites of a tile. The spins of a tile stay in cache for all wave vectors.
inline constexpr Index tile_sites = 128;

struct TileRequest {
  const double* spins;     ///< first site of the tile: (site, 3, 8); one replica: component 0
  Index component_stride;  ///< one replica: distance between components
  bool one_replica;
  Index sites;             ///< number in this tile
  const double* phase_re;  ///< phases of the tile's sites for one wave vector
  const double* phase_im;
  double* sum;  ///< (re and im, 3, 8), added to; for one replica, lane l sums the sites l modulo 8
};

/// sum += sum over the tile of phase times e
using TileKernel = void (*)(const TileRequest&);

/// The kernel for this machine's instruction set.
LARMOR_CPU_KERNELS(TileKernel, tile_kernel)

}  // namespace larmor::correlations
