#pragma once
// The clusters of a sampler, for measurements.

#include <vector>

#include "larmor/clusters/reflection_sums.hpp"

namespace larmor::study {

/// Clusters of spins of the last sweep, if a measurement needs them.
struct SpinClusterCensus {
  bool is_wanted = false;                      ///< set before the sampler is made
  Index updates = 0;                           ///< number of updates in the sums
  std::vector<clusters::ReflectionSums> sums;  ///< [replicas]
};

}  // namespace larmor::study
