#pragma once
// Means of groups of consecutive values, such as those of replicas of one disorder sample.

#include <algorithm>
#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor {

/// The mean of each group; the last group may be smaller. @param size values of a group
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
