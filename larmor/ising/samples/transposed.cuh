#pragma once
// Words of a warp as a matrix of bits.

#include <cstdint>

#include "larmor/core/gpu/warp.hpp"
#include "larmor/ising/bits/words.hpp"

namespace larmor::ising {

/// Bit l of the words of a warp, for lane l. Bit n is that of lane n.
__device__ inline std::uint32_t transposed(std::uint32_t word) {
  const auto lane = static_cast<int>(threadIdx.x) % warp_size;
  std::uint32_t low = 0x0000ffffu;
  LARMOR_UNROLL
  for (int step = 16; step > 0; step /= 2, low ^= low << step) {
    const std::uint32_t other = __shfl_xor_sync(~0u, word, step);
    word = (lane & step) == 0 ? (word & low) | ((other & low) << step)
                              : (word & ~low) | ((other >> step) & low);
  }
  return word;
}

}  // namespace larmor::ising
