#pragma once
// The hot loop of the factorised sum, compiled once per instruction set.

#include "larmor/core/simd/strided_vectors.hpp"

namespace larmor::correlations {

/// BITS: sites of one tile, whose spins stay in cache while every wave vector passes over them.
inline constexpr Index tile_sites = 128;

struct TileRequest {
  const double* spins;     ///< first site of the tile: (site, 3, 8), or component 0 of one replica
  Index component_stride;  ///< one replica: between components
  bool one_replica;
  Index sites;             ///< in this tile
  const double* phase_re;  ///< of the tile's sites, for this wave vector
  const double* phase_im;
  double* sum;  ///< (re and im, 3, 8), added to; one replica: the 8 lanes are sites modulo 8
};

/// sum += sum over the tile of phase times e
using TileKernel = void (*)(const TileRequest&);

/// For this machine's instruction set.
TileKernel tile_kernel();

}  // namespace larmor::correlations
