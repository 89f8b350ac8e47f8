#pragma once
// Sites of a regular grid as bits. Each colour of the checkerboard has an array of 32-bit words:
//
//     row r = x_1 + N_1 (x_2 + N_2 x_3),   parity p = (x_1 + x_2 + x_3) mod 2
//     site 2 k + o of a row, o = (p + colour) mod 2, is bit k mod 32 of word k / 32 of the row
//
// FORMAT, BITS: states are saved in this layout, and words have the number row * row_words + k / 32
// in random keys. Along the first axis, a site has one neighbour at its own k, and one at k - 1 (o
// = 0) or k + 1 (o = 1). Along the other axes, neighbours have its own k in other rows.
//
// If ranks share a grid, each rank has consecutive planes of the last axis, and a copy of the
// neighbouring plane on either side. All ranks number words in the whole grid. Results that depend
// on the number of a word therefore do not depend on the ranks.

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
  Index first, last;        ///< range of words to process: the words of this rank, or fewer
  Index size[most_axes];    ///< number of sites along an axis; 1 for missing axes
  Index stride[most_axes];  ///< words to the next row along axes 1 to 3
  /// Number of words from the last row along an axis back to the next row, around the grid. It is
  /// negative along the axis that ranks share, because a copy of that row lies after the last row.
  Index around[most_axes];
  Divisor row_divisor, size_divisor[most_axes];  ///< divisors row_words and size
};

/// BITS: flags for the sites of a word, which depend on the place of the word. Packs of words of
/// several rows use them.
struct PlaceFlags {
  static constexpr std::uint32_t odd_row = 1;
  static constexpr std::uint32_t first(int axis) { return 2u << (2 * axis); }
  static constexpr std::uint32_t last(int axis) { return 4u << (2 * axis); }
};

}  // namespace larmor::ising
