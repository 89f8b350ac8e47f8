#pragma once
// Blocks of replicas that are computed together in packs.

#include "larmor/core/maths/pack.hpp"
#include "larmor/core/types.hpp"

namespace larmor {

inline Index blocks_of(Index replicas) { return (replicas + lane_count - 1) / lane_count; }

/// Number of blocks that can be on different ranks. The layout and the order of sums of a single
/// replica differ from those of several. So a last block of one replica stays with the block before
/// it.
inline Index movable_blocks(Index replicas) {
  const Index blocks = blocks_of(replicas);
  return replicas > 1 && replicas % lane_count == 1 ? blocks - 1 : blocks;
}

}  // namespace larmor
