#pragma once
// Averages of series over all replicas, over the replicas at one rung of a ladder of couplings, and
// over disorder samples. Replica r is at rung r % rungs.
//
// Each sample of disorder has several consecutive replicas. Fluctuations in time are computed in
// each replica. The error is the scatter of samples. This error holds for the mean over thermal
// motion and disorder, for series of any length.

#include <vector>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/core/types.hpp"

namespace larmor::study {

/// The ratio of each pair; 0 for a numerator of 0. [n] @param pairs (n, 2)
std::vector<double> ratios(const std::vector<double>& pairs);

/// <x> / <y> of a series of pairs, which differs from the mean of x / y.
/// @param pairs [sample][replica][2]
/// @param of_sample replicas that share a disorder sample; 0: all replicas are equivalent
Estimate ratio_of_means(const std::vector<double>& pairs, Index replicas, Index of_sample);

/// The average in another unit.
Estimate scaled(Estimate estimate, double factor);

/// Lengths of vectors (n, 3). [n]
std::vector<double> lengths(const std::vector<double>& vectors);

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

/// The number of replicas at a rung.
inline Index replicas_at_rung(Index replicas, Index rung, Index rungs) {
  return (replicas - rung + rungs - 1) / rungs;
}

/// [<x>] of a series [time][replica]. The estimate is reliable if there are 20 disorder samples,
/// each with a series of 5 autocorrelation times.
/// @param of_sample replicas of a sample
Estimate disorder_mean(std::span<const double> series, Index replicas, Index of_sample);

/// [f(<x>, <y>, ...)]: the mean over replicas of the jackknife's estimate in each.
/// @param columns as for `jackknife`
Estimate disorder_mean_of(const std::vector<std::span<const double>>& columns, Index replicas,
                          Index of_sample, const DerivedQuantity& quantity);

/// f([<x>], [<y>], ...): a function of means over thermal motion and disorder.
Estimate of_disorder_means(const std::vector<std::span<const double>>& columns, Index replicas,
                           Index of_sample, const DerivedQuantity& quantity);

}  // namespace larmor::study
