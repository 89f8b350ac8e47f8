#pragma once
// Loops of a CPU over tiles.

#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/transfer/tile_pass.hpp"

namespace larmor::transfer {

struct TileKernels {
  /// @param out may be the vector that `in` reads, except in the first pass
  void (*pass)(const PassView& pass, const TileInput& in, const TileOutput& out, Index first_tile,
               Index last_tile);
  /// out.v = a out.v + b received for whole tiles of consecutive numbers, times the weights if it
  /// is the last step.
  void (*combine)(double a, double b, const double* received, const TileOutput& out, Index first,
                  Index last);
};

LARMOR_CPU_KERNELS(TileKernels, tile_kernels)

}  // namespace larmor::transfer
