#pragma once
// What the sampler tells measurements of its clusters.

#include <vector>

#include "larmor/clusters/reflection_sums.hpp"

namespace larmor::study {

/// Clusters of spins of the last sweep, while a measurement wants them.
struct SpinClusterCensus {
  bool is_wanted = false;                      ///< set before the sampler is made
  Index updates = 0;                           ///< that the sums are of
  std::vector<clusters::ReflectionSums> sums;  ///< [replicas]
};

}  // namespace larmor::study
