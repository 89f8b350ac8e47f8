#pragma once
// Averages over samples of a frozen disorder, each of so many replicas side by side. What
// fluctuates in time is found replica by replica, and the error is the scatter of samples: it holds
// for the mean over thermal motion and disorder, however long the series.

#include "larmor/core/statistics/statistics.hpp"

namespace larmor::study {

/// [<x>] of a series [time][replica]. Reliable with 20 samples, of 5 autocorrelation times each.
/// @param of_sample replicas that a sample has
Estimate disorder_mean(std::span<const double> series, Index replicas, Index of_sample);

/// [f(<x>, <y>, ...)]: the mean over replicas of what the jackknife finds in each.
/// @param columns as for `jackknife`
Estimate disorder_mean_of(const std::vector<std::span<const double>>& columns, Index replicas,
                          Index of_sample, const DerivedQuantity& quantity);

/// f([<x>], [<y>], ...): a function of means over both.
Estimate of_disorder_means(const std::vector<std::span<const double>>& columns, Index replicas,
                           Index of_sample, const DerivedQuantity& quantity);

}  // namespace larmor::study
