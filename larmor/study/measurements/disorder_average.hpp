#pragma once
// Averages where every replica is a sample of a frozen disorder of its own. Each replica has values
// of its own, so what fluctuates in time is found replica by replica, and the error is the scatter
// of replicas: it holds for the mean over thermal motion and disorder, however long the series.

#include "larmor/core/statistics/statistics.hpp"

namespace larmor::study {

/// [<x>] of a series [sample][replica]. Reliable with 20 replicas, of 5 autocorrelation times each.
Estimate disorder_mean(std::span<const double> series, Index replicas);

/// [f(<x>, <y>, ...)]: the mean over replicas of what the jackknife finds in each.
/// @param columns as for `jackknife`
Estimate disorder_mean_of(const std::vector<std::span<const double>>& columns, Index replicas,
                          const DerivedQuantity& quantity);

/// f([<x>], [<y>], ...): a function of means over both.
Estimate of_disorder_means(const std::vector<std::span<const double>>& columns, Index replicas,
                           const DerivedQuantity& quantity);

}  // namespace larmor::study
