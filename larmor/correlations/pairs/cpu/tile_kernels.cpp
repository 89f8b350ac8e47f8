#include "larmor/correlations/pairs/cpu/tile_kernels.hpp"

#include "larmor/core/simd/kernels_in_sets.hpp"

namespace larmor::correlations::real_space {

LARMOR_KERNELS_IN_SETS(TileKernels, tile_kernels_of_set)

const TileKernels& tile_kernels() {
  static const TileKernels& here = tile_kernels_of_set_in(cpu_instruction_set());
  return here;
}

}  // namespace larmor::correlations::real_space
