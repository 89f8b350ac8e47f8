#pragma once
// Means of values side by side, such as those of replicas that have something in common.

#include <algorithm>
#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor {

/// Of so many values each, of fewer at the end. @param size of a group
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
