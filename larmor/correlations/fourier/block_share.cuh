#pragma once
// The division of work among blocks of threads. Work is counted in 32 bits, because 64-bit division
// is slow in a kernel.

#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/core/types.hpp"

namespace larmor::correlations {

/// @throws InputError for a count that needs more than 32 bits
inline unsigned in_32_bits(Index count) {
  if (count > std::numeric_limits<unsigned>::max())
    throw InputError("a sum over so many sites and replicas exceeds the 32-bit counters of a GPU",
                     "ask for fewer wave vectors at once, or use method = \"fft\"");
  return static_cast<unsigned>(count);
}

struct BlockShare {
  unsigned begin, end;
};

/// The share of this block of threads. Shares differ by at most one item.
__device__ inline BlockShare share_of_block(unsigned all) {
  const unsigned each = all / gridDim.x, rest = all % gridDim.x;
  const unsigned begin = each * blockIdx.x + min(rest, blockIdx.x);
  return {begin, begin + each + (blockIdx.x < rest ? 1 : 0)};
}

}  // namespace larmor::correlations
