#pragma once
// The search for pairs that a file lists twice.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::io {

/// Two entries, in the order of the file, that name one pair, in either order.
/// @param pair_of pair_of(n) is the std::pair of entry n of `count`
template <class PairOf>
std::optional<std::pair<std::size_t, std::size_t>> doubled_pair(std::size_t count,
                                                                const PairOf& pair_of) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto ends = [&](std::size_t n) {
    const auto pair = pair_of(n);
    return std::pair<Index, Index>(std::minmax<Index>(pair.first, pair.second));
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return ends(a) != ends(b) ? ends(a) < ends(b) : a < b;
  });
  for (std::size_t n = 1; n < order.size(); ++n)
    if (ends(order[n - 1]) == ends(order[n])) return std::pair(order[n - 1], order[n]);
  return std::nullopt;
}

}  // namespace larmor::io
