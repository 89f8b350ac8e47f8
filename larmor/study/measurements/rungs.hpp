#pragma once
// Replicas on a ladder of couplings: replica r is at rung r % rungs, and averages are per rung.

#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::study {

/// The replicas at one rung, out of a series [sample][replica][component].
inline std::vector<double> at_rung(std::vector<double> series, Index replicas, Index components,
                                   Index rung, Index rungs) {
  if (rungs == 1) return series;
  std::vector<double> own;
  const auto count = static_cast<Index>(series.size()) / components;
  for (Index i = 0; i < count; ++i)
    if (i % replicas % rungs == rung)
      own.insert(own.end(), series.begin() + i * components, series.begin() + (i + 1) * components);
  return own;
}

/// The number of these replicas at a rung.
inline Index replicas_at_rung(Index replicas, Index rung, Index rungs) {
  return (replicas - rung + rungs - 1) / rungs;
}

}  // namespace larmor::study
