#pragma once
// Averages of series of all replicas.

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

}  // namespace larmor::study
