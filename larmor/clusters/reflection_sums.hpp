#pragma once
// What clusters of reflections are measured by.

#include "larmor/clusters/cluster_sums.hpp"

namespace larmor::clusters {

/// Of the clusters of an update of one replica: all of them, or that of Wolff.
struct ReflectionSums {
  ClusterSums clusters;  ///< without a histogram
  /// Sum over clusters C of (sum_{x in C} sigma_x)^2, of Wolff's cluster divided by its size.
  double projection_squares = 0;

  friend bool operator==(const ReflectionSums&, const ReflectionSums&) = default;

  /// Improved estimators of <m^2>, m the mean of the vectors: N times that of their projection.
  /// For r of all directions alike.
  double order_squared(Index sites, int components) const;
  double wolff_order_squared(Index sites, int components) const;
};

}  // namespace larmor::clusters
