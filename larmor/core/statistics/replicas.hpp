#pragma once
// Statistics over replicas: means of groups of consecutive values, such as those of replicas of one
// disorder sample, and the jackknife. The jackknife gives the errors of quantities of all replicas
// together. For each error, it computes the quantity again with each block of replicas left out (B.
// Efron, The Jackknife, the Bootstrap and Other Resampling Plans, SIAM (1982)).

#include <algorithm>
#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor {

/// Number of blocks: `asked`, or more, so that `least` replicas remain if one block is left out.
/// 0 if this is impossible, or if `asked` is less than two.
Index jackknife_blocks(Index asked, Index replicas, Index least);

/// @param left the value with each block left out @return the error; NaN if `left` is empty
double jackknife_error(const std::vector<double>& left);

/// The mean of each group; the last group may be smaller. @param size number of values in a group
inline std::vector<double> group_means(std::span<const double> values, Index size) {
  if (size == 1) return {values.begin(), values.end()};
  std::vector<double> means;
  for (Index first = 0; first < std::ssize(values); first += size) {
    const Index count = std::min(size, std::ssize(values) - first);
    double sum = 0;
    for (Index n = 0; n < count; ++n) sum += values[static_cast<std::size_t>(first + n)];
    means.push_back(sum / static_cast<double>(count));
  }
  return means;
}

}  // namespace larmor
