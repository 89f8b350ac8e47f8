#pragma once
// Sums over clusters. Sizes are integers, so that the order of summation does not matter.

#include <array>
#include <cstdint>

#include "larmor/core/types.hpp"

namespace larmor::clusters {

/// Sums over the clusters of one update of a replica: all clusters of Swendsen-Wang, the grown ones
/// of Wolff.
struct ClusterSums {
  std::uint64_t clusters = 0;
  std::uint64_t sites = 0;    ///< sites in these clusters
  std::uint64_t squares = 0;  ///< sum of (sites of a cluster)^2; 0 means 2^64 if there are clusters
  std::uint64_t largest = 0;  ///< sites of the largest cluster
  /// Clusters of 2^k to 2^(k+1) - 1 sites; zeros if not requested.
  std::array<std::uint64_t, 33> histogram{};

  friend bool operator==(const ClusterSums&, const ClusterSums&) = default;

  void add_cluster(std::uint64_t size, bool in_histogram);
  /// Adds the sums of other clusters of the same replica.
  void add(const ClusterSums& others);

  /// Improved estimator of the square of the order parameter, valid if all couplings are positive.
  /// It is <m^2> for Ising, q/(q-1) sum_a (n_a/N - 1/q)^2 for Potts. Uses clusters of
  /// Swendsen-Wang.
  double order_squared(Index sites_of_lattice) const;
  /// This estimator from the mean size of clusters that grew from random sites (Wolff).
  double wolff_order_squared(Index sites_of_lattice) const;
};

/// Sums over the clusters of one update of a replica: all clusters, or that of Wolff.
struct ReflectionSums {
  ClusterSums clusters;  ///< without a histogram
  /// Sum over clusters C of (sum_{x in C} sigma_x)^2; for Wolff's cluster divided by its size.
  double projection_squares = 0;

  friend bool operator==(const ReflectionSums&, const ReflectionSums&) = default;

  /// Improved estimators of <m^2>, with the mean m of the vectors and N components: N times that of
  /// their projection. They hold for isotropic directions r.
  double order_squared(Index sites, int components) const;
  double wolff_order_squared(Index sites, int components) const;
};

}  // namespace larmor::clusters
