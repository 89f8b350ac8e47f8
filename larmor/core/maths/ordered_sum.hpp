#pragma once
// Sums of doubles in a fixed order on every device. Sites are divided into blocks. A block has 256
// partial sums, each over every 256th site. A tree adds the partial sums of a block, and another
// tree adds the sums of the blocks.
//
// BITS: the order.

#include <vector>

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/types.hpp"

namespace larmor {

/// Number of partial sums, and of threads of a block of a GPU.
inline constexpr int sum_width = 256;
/// Sites of one block of the sum.
inline constexpr Index sites_of_sum_block = 16 * sum_width;

LARMOR_HD constexpr Index sum_blocks_of(Index sites) {
  return (sites + sites_of_sum_block - 1) / sites_of_sum_block;
}

/// The sum of some numbers, added in a tree. @param count number of the numbers
/// @param number (Index) -> double, the value of each
template <class Number>
double tree_sum(Index count, const Number& number) {
  // If there are fewer numbers than partial sums, the other partial sums are zeros. They change
  // nothing.
  const int width = count < sum_width ? static_cast<int>(count) : sum_width;
  double partial[sum_width];
  partial[0] = 0;
  for (int t = 1; t < width; ++t) partial[t] = 0;
  for (Index i = 0; i < count; ++i) partial[i % sum_width] += number(i);
  for (int half = sum_width / 2; half > 0; half /= 2)
    for (int t = 0; t < half && t + half < width; ++t) partial[t] += partial[t + half];
  return partial[0];
}

}  // namespace larmor
