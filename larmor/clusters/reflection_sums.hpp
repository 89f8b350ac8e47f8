#pragma once
// Sums over clusters of reflections.

#include "larmor/clusters/cluster_sums.hpp"

namespace larmor::clusters {

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
