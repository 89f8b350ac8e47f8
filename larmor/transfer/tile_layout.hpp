#pragma once
// Tiles of a long vector, in which a pass over the vector treats a group of bits of the index.

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/isa.hpp"
#include "larmor/core/types.hpp"

namespace larmor::transfer {

/// Element t of a tile: its chunk bits are the lowest of the index, the others begin at first_bit.
/// The number of the tile has the remaining bits.
struct TileLayout {
  int bits;          ///< bits of the index
  int element_bits;  ///< bits of an element of a tile
  int first_bit;     ///< first bit of the group; 0: the tile is contiguous
  int chunk;         ///< contiguous numbers of a tile, as bits; 0: the tile is contiguous

  LARMOR_INLINE Index tiles() const { return Index{1} << (bits - element_bits); }
  /// Index of element 0.
  LARMOR_INLINE Index begin_of(Index tile) const {
    const int between = first_bit - chunk;
    const Index below = tile & ((Index{1} << between) - 1);
    return (below << chunk) + ((tile >> between) << (first_bit + element_bits - chunk));
  }
  /// Index of element t, from element 0 on.
  LARMOR_INLINE Index offset_of(Index t) const {
    return (t & ((Index{1} << chunk) - 1)) + ((t >> chunk) << first_bit);
  }
};

/// Calls body(first, last) for blocks of tiles.
template <class Body>
void for_tiles(int threads, Index tiles, const Body& body) {
  constexpr Index of_block = 16;
  parallel_for(threads, (tiles + of_block - 1) / of_block, [&](Index block) {
    const Index end = (block + 1) * of_block;
    body(block * of_block, end < tiles ? end : tiles);
  });
}

}  // namespace larmor::transfer
