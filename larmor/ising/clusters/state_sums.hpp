#pragma once
// Measurements of configurations as integers, so that sums do not depend on their order.

#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::ising {

/// Sums over the configuration of one replica.
struct StateSums {
  Index satisfied = 0;        ///< sum of ClusterGraph::weights over satisfied bonds
  std::vector<Index> counts;  ///< sites in each state [q]

  friend bool operator==(const StateSums&, const StateSums&) = default;

  /// Square of the order parameter: m^2 for Ising, q/(q-1) sum_a (n_a/N - 1/q)^2 for Potts.
  double order_squared() const;
};

}  // namespace larmor::ising
