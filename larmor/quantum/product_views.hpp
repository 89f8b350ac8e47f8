#pragma once
// The parts of a product out = H in, as kernels read them.
//
// All, even and odd states: a first pass over tiles of the low bits multiplies the diagonal and
// adds the flips of low bits, in = x with one bit turned. Each further pass adds the flips of eight
// high bits, in tiles of 2^12 numbers with rows of 16 contiguous ones. So the vector is read once
// for eight bits. Flips of several bits at once are added in the first pass.

#include "larmor/quantum/diagonal.hpp"

namespace larmor::quantum {

/// Contiguous numbers of a tile of high bits: a whole cache line of a GPU.
inline constexpr int chunk_bits = 4;

/// out(x) += c in(x ^ flip), if an odd number of the tested bits of x is set or none is tested.
struct FlipTerm {
  Index flip, test;
  double c;

  LARMOR_INLINE bool applies_to(Index x) const {
    return test == 0 || (count_up(x & test) & 1) == 1;
  }
};

struct LowPass {
  DiagonalView diagonal;
  double c[tile_bits];  ///< factors of the flips of low bits
  const FlipTerm* terms;
  int term_count;
};

/// Element t of a tile: its chunk bits are the lowest of the index, the others begin at first_bit.
/// The number of the tile has the remaining bits.
struct HighPass {
  int bits, first_bit;
  double c[tile_bits];  ///< factors of the flips of the bits of an element; 0 for chunk bits

  LARMOR_INLINE Index tiles() const { return Index{1} << (bits - tile_bits); }
  /// Index of element 0.
  LARMOR_INLINE Index begin_of(Index tile) const {
    const int between = first_bit - chunk_bits;
    const Index below = tile & ((Index{1} << between) - 1);
    return (below << chunk_bits) + ((tile >> between) << (first_bit + tile_bits - chunk_bits));
  }
  LARMOR_INLINE Index offset_of(Index t) const {
    return (t & ((Index{1} << chunk_bits) - 1)) + ((t >> chunk_bits) << first_bit);
  }
};

/// An exchange of two antiparallel spins, given by their bits.
struct Exchange {
  Index bits;
  double c;
};

/// Two states of low words, by their ranks.
struct RankPair {
  std::uint32_t a, b;
};

/// States of a given magnetisation. Exchanges within the low bits, or between a low and a high one,
/// are lists of pairs of ranks; exchanges of high bits move whole blocks.
struct ExchangePass {
  SpaceView space;
  DiagonalView diagonal;
  int low_count, across_count, high_count;
  const double* low_c;          ///< [low_count]
  const Index* low_first;       ///< [(low_bits + 1) * low_count + 1] pairs by (spins up, exchange)
  const RankPair* low_pairs;    ///< both states have equal numbers of spins up
  const Exchange* across;       ///< [across_count] the high bit
  const int* across_site;       ///< the low site
  const Index* raise_first;     ///< [(low_bits + 1) * low_bits + 1] pairs by (spins up, low site)
  const RankPair* raise_pairs;  ///< a: the site is down; b: with that site up
  const Exchange* high;         ///< [high_count]
  const Exchange* all;          ///< [all_count] with bits of words, for a state at a time
  int all_count;
};

}  // namespace larmor::quantum
