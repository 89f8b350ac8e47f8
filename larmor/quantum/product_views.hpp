#pragma once
// The parts of a product out = H in, as kernels read them.
//
// All, even and odd states: the low pass, over tiles of the low bits, multiplies the diagonal and
// adds the flips of low bits, in = x with one bit turned. Further passes add the flips of a group
// of higher bits each. So the vector is read once for a whole group. The low pass also adds flips
// of several bits at once.

#include "larmor/quantum/diagonal.hpp"
#include "larmor/transfer/tile_layout.hpp"

namespace larmor::quantum {

/// Bits of an element of a tile of high bits.
inline constexpr int most_tile_bits = 13;

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
  int first_flip;       ///< lower bits have no flips here
  double c[tile_bits];  ///< factors of the flips of low bits
  const FlipTerm* terms;
  int term_count;
};

struct HighPass : transfer::TileLayout {
  int first_flip;            ///< lower bits of an element have no flips here
  double c[most_tile_bits];  ///< factors of the flips of the bits of an element
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
