#pragma once
// Bins of the distribution P(q) of an overlap. Overlaps of N spins with discrete states are
//
//     q = (p n / N - 1) / (p - 1),
//
// where n = 0..N is the number of sites with equal states in both copies, and p the number of
// states. So each bin holds an equal whole number of these values. Only the first and the last bin
// may hold fewer. Overlaps of vectors can be any number in [-1, 1], and their bins have equal
// width.

#include <utility>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::overlaps {

class OverlapBins {
 public:
  /// @param spins N @param states p @param most largest number of bins
  static OverlapBins of_states(Index spins, Index states, Index most);
  static OverlapBins of_vectors(Index bins);

  Index count() const { return std::ssize(edges_) - 1; }
  /// [count + 1]
  const std::vector<double>& edges() const { return edges_; }
  Index bin(double overlap) const;

 private:
  explicit OverlapBins(std::vector<double> edges) : edges_(std::move(edges)) {}

  std::vector<double> edges_;
};

}  // namespace larmor::overlaps
