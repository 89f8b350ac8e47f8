#include "larmor/core/statistics/replicas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace larmor {

Index jackknife_blocks(Index asked, Index replicas, Index least) {
  if (asked < 2 || replicas <= least) return 0;
  Index blocks = std::min(asked, replicas);
  while (replicas - (replicas + blocks - 1) / blocks < least) ++blocks;
  return blocks;
}

double jackknife_error(const std::vector<double>& left) {
  if (left.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto B = static_cast<double>(left.size());
  double mean = 0, squares = 0;
  for (const double x : left) mean += x / B;
  for (const double x : left) squares += (x - mean) * (x - mean);
  return std::sqrt((B - 1) / B * squares);
}

}  // namespace larmor
