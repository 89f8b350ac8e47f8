#pragma once
// Averages over samples of a quenched disorder, each of several consecutive replicas. Fluctuations
// in time are computed in each replica. The error is the scatter of samples. So it holds for the
// mean over thermal motion and disorder, for series of any length.

#include "larmor/core/statistics/statistics.hpp"

namespace larmor::study {

/// [<x>] of a series [time][replica]. Reliable with 20 samples, of 5 autocorrelation times each.
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
