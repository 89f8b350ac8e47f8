#pragma once
// Sums over clusters. Sizes are integers, so that the order of summation does not matter.

#include <array>
#include <cstdint>

#include "larmor/core/types.hpp"

namespace larmor::clusters {

/// Sums over clusters of a replica: all clusters of Swendsen-Wang, or the grown ones of Wolff.
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

  /// Improved estimator of the square of the order parameter, from one update of Swendsen-Wang. It
  /// is valid if all couplings are positive. The square is m^2 for Ising spins. For Potts states it
  /// is q/(q-1) sum_a (n_a/N - 1/q)^2.
  double order_squared(Index sites_of_lattice) const;
  /// Estimates the square of the order parameter from the mean size of clusters that grew from
  /// random sites (Wolff).
  double wolff_order_squared(Index sites_of_lattice) const;
};

/// Sums over the clusters of the measured updates of a replica: all clusters of Swendsen-Wang, or
/// the grown clusters of Wolff.
struct ReflectionSums {
  ClusterSums clusters;  ///< without a histogram
  /// Sum over clusters C of (sum_{x in C} sigma_x)^2. For Wolff, each addend is divided by the size
  /// of its cluster.
  double projection_squares = 0;

  friend bool operator==(const ReflectionSums&, const ReflectionSums&) = default;

  /// Improved estimators of <m^2>, where m is the mean of the vectors. Each is the number of
  /// components times the estimator for the projection. This holds if the directions r are
  /// isotropic. If the sums contain several updates, so do the estimates.
  double order_squared(Index sites, int components) const;
  double wolff_order_squared(Index sites, int components) const;
};

}  // namespace larmor::clusters
