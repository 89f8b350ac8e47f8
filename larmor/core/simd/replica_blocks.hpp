#pragma once
// Blocks of replicas, which are computed side by side.

#include "larmor/core/maths/pack.hpp"
#include "larmor/core/types.hpp"

namespace larmor {

inline Index blocks_of(Index replicas) { return (replicas + lane_count - 1) / lane_count; }

/// Blocks that can be apart. One replica alone would lie in memory, and be summed, in another way
/// than among others: the last block takes it in.
inline Index movable_blocks(Index replicas) {
  const Index blocks = blocks_of(replicas);
  return replicas > 1 && replicas % lane_count == 1 ? blocks - 1 : blocks;
}

}  // namespace larmor
