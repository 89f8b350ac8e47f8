#pragma once
// Sites of a regular grid as bits. Each colour of the checkerboard has an array of 32-bit words:
//
//     row r = x_1 + N_1 (x_2 + N_2 x_3),   parity p = (x_1 + x_2 + x_3) mod 2
//     site 2 k + o of a row, o = (p + colour) mod 2, is bit k mod 32 of word k / 32 of the row
//
// FORMAT, BITS: states are saved so, and words are numbered (row * row_words + k / 32) for random
// numbers. Along the first axis a site has one neighbour at the same k and one at k - 1 (o = 0) or
// k + 1 (o = 1); along the others, at the same k of another row.
//
// Ranks that share a grid each have consecutive planes of its last axis, with a copy of the
// neighbouring plane on either side. A word has the same number on all ranks, so results that
// depend on this number do not depend on the ranks.

#include "larmor/core/types.hpp"

namespace larmor::ising {

inline constexpr int most_axes = 4;

/// Quotients n / d with one divisor d > 0. For 32-bit n from 0 to 2^31 - 1 and d <= 2^30, a product
/// replaces the division, which is slow on GPUs.
/// Source: T. Granlund and P. L. Montgomery, PLDI 1994.
struct Divisor {
  Index d = 1;
  std::uint32_t factor = 1u << 31;
  int length = 0;  ///< d <= 2^length

  Divisor() = default;
  explicit Divisor(Index divisor) : d(divisor) {
    while ((Index{1} << length) < d) ++length;
    if (length > 30) return;
    const auto wide = static_cast<std::uint64_t>(d);
    factor = static_cast<std::uint32_t>(((std::uint64_t{1} << (31 + length)) + wide - 1) / wide);
  }
  LARMOR_HD std::int32_t quotient(std::int32_t n) const {
    const std::uint32_t twice = static_cast<std::uint32_t>(n) << 1;
#if defined(__CUDA_ARCH__)
    return static_cast<std::int32_t>(__umulhi(twice, factor) >> length);
#else
    return static_cast<std::int32_t>((static_cast<std::uint64_t>(twice) * factor) >> (32 + length));
#endif
  }
  LARMOR_HD Index quotient(Index n) const { return n / d; }
};

struct WordGrid {
  int axes;
  bool open[most_axes];
  bool any_open;
  Index row_words;          ///< words of one colour in a row
  Index words;              ///< words of one colour
  Index first, last;        ///< range of words to process: those of this rank, or fewer
  Index size[most_axes];    ///< in sites; 1 for missing axes
  Index stride[most_axes];  ///< words to the next row along axes 1 to 3
  /// Words from the last row along these axes back to the row next to it. Negative along the axis
  /// that ranks share: that row's copy lies behind the last one.
  Index around[most_axes];
  Divisor row_divisor, size_divisor[most_axes];  ///< divide by row_words and size
};

/// BITS: flags for the sites of a word by its place, for packs of words of several rows.
struct PlaceFlags {
  static constexpr std::uint32_t odd_row = 1;
  static constexpr std::uint32_t first(int axis) { return 2u << (2 * axis); }
  static constexpr std::uint32_t last(int axis) { return 4u << (2 * axis); }
};

}  // namespace larmor::ising
