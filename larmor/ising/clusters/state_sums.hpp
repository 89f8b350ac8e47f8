#pragma once
// What configurations are measured by, in integers: no order of summation shows.

#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::ising {

/// Of the configuration of one replica.
struct StateSums {
  Index satisfied = 0;        ///< sum of ClusterGraph::weights over satisfied bonds
  std::vector<Index> counts;  ///< sites in each state [q]

  friend bool operator==(const StateSums&, const StateSums&) = default;

  /// Square of the order parameter: of Ising m^2, of Potts q/(q-1) sum_a (n_a/N - 1/q)^2.
  double order_squared() const;
};

}  // namespace larmor::ising
