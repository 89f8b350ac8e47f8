#pragma once
// Work that blocks of threads share, counted in 32 bits: to divide 64 takes a kernel long.

#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/core/types.hpp"

namespace larmor::correlations {

/// @throws InputError for what needs more
inline unsigned in_32_bits(Index count) {
  if (count > std::numeric_limits<unsigned>::max())
    throw InputError("a sum over so many sites and replicas has more parts than a GPU counts",
                     "ask for fewer wave vectors at once, or use method = \"fft\"");
  return static_cast<unsigned>(count);
}

struct BlockShare {
  unsigned begin, end;
};

/// What this block of threads has of all that there is: as much as another.
__device__ inline BlockShare share_of_block(unsigned all) {
  const unsigned each = all / gridDim.x, rest = all % gridDim.x;
  const unsigned begin = each * blockIdx.x + min(rest, blockIdx.x);
  return {begin, begin + each + (blockIdx.x < rest ? 1 : 0)};
}

}  // namespace larmor::correlations
