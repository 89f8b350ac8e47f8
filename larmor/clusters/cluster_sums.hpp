#pragma once
// What updates of clusters are measured by, in integers: no order of summation shows.

#include <array>
#include <cstdint>

#include "larmor/core/types.hpp"

namespace larmor::clusters {

/// Of the clusters of an update of one replica: all of Swendsen-Wang, those grown of Wolff.
struct ClusterSums {
  std::uint64_t clusters = 0;
  std::uint64_t sites = 0;    ///< in them
  std::uint64_t squares = 0;  ///< sum of (sites of a cluster)^2; 0 of clusters that exist is 2^64
  std::uint64_t largest = 0;  ///< sites
  /// Clusters of 2^k to 2^(k+1) - 1 sites. Zeros where it was not asked for.
  std::array<std::uint64_t, 33> histogram{};

  friend bool operator==(const ClusterSums&, const ClusterSums&) = default;

  void add_cluster(std::uint64_t size, bool in_histogram);
  /// Sums of other clusters of the same replica.
  void add(const ClusterSums& others);

  /// Improved estimator of the square of the order parameter, where all couplings are positive: of
  /// Ising <m^2>, of Potts q/(q-1) sum_a (n_a/N - 1/q)^2. From the clusters of Swendsen-Wang.
  double order_squared(Index sites_of_lattice) const;
  /// The same from clusters that grew from random sites (Wolff): their mean size.
  double wolff_order_squared(Index sites_of_lattice) const;
};

}  // namespace larmor::clusters
