#pragma once
// Transposition of the bits of the words of a warp.

#include <cstdint>

#include "larmor/core/gpu/warp.hpp"
#include "larmor/ising/multispin/grid/words.hpp"

namespace larmor::ising {

/// Lane l gets bit l of the words of all lanes. Bit n of the result comes from lane n.
__device__ inline std::uint32_t transposed(std::uint32_t word) {
  const auto lane = static_cast<int>(threadIdx.x) % warp_size;
  // One instruction exchanges halves or bytes.
  word = __byte_perm(word, __shfl_xor_sync(~0u, word, 16), (lane & 16) == 0 ? 0x5410 : 0x3276);
  word = __byte_perm(word, __shfl_xor_sync(~0u, word, 8), (lane & 8) == 0 ? 0x6240 : 0x3715);
  std::uint32_t low = 0x0f0f0f0fu;
  LARMOR_UNROLL
  for (int step = 4; step > 0; step /= 2, low ^= low << step) {
    const std::uint32_t other = __shfl_xor_sync(~0u, word, step);
    word = (lane & step) == 0 ? (word & low) | ((other & low) << step)
                              : (word & ~low) | ((other >> step) & low);
  }
  return word;
}

}  // namespace larmor::ising
