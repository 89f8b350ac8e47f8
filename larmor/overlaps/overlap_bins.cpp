#include "larmor/overlaps/overlap_bins.hpp"

#include <algorithm>

namespace larmor::overlaps {

OverlapBins OverlapBins::of_states(Index spins, Index states, Index most) {
  const Index values = spins + 1;
  const Index of_bin = (values + most - 1) / most;
  const Index bins = (values + of_bin - 1) / of_bin;
  // The bins have room for more values than there are. The first and the last bin share the values
  // that are missing.
  const Index shift = (bins * of_bin - values) / 2;
  const auto p = static_cast<double>(states), N = static_cast<double>(spins);
  std::vector<double> edges;
  for (Index bin = 0; bin <= bins; ++bin) {
    const Index n = std::clamp<Index>(bin * of_bin - shift, 0, values);
    edges.push_back((p * (static_cast<double>(n) - 0.5) / N - 1) / (p - 1));
  }
  return OverlapBins(std::move(edges));
}

OverlapBins OverlapBins::of_vectors(Index bins) {
  std::vector<double> edges;
  for (Index bin = 0; bin <= bins; ++bin)
    edges.push_back(2 * static_cast<double>(bin) / static_cast<double>(bins) - 1);
  return OverlapBins(std::move(edges));
}

Index OverlapBins::bin(double overlap) const {
  const auto above = std::upper_bound(edges_.begin(), edges_.end(), overlap);
  return std::clamp<Index>(above - edges_.begin() - 1, 0, count() - 1);
}

}  // namespace larmor::overlaps
