#pragma once
// Cluster updates of phi^4 fields. Each replica draws a random axis in each step, and clusters are
// reflected along it (larmor/clusters/reflection_cluster_view.hpp with K = 2 kappa). Reflections
// keep |phi_x|, so a run at finite lambda also needs updates of single sites.

#include "larmor/clusters/reflection_clusters.hpp"
#include "larmor/phi4/field_state.hpp"

namespace larmor::phi4 {

class FieldClusters {
 public:
  /// @param model must outlive the object
  FieldClusters(const FieldModel& model, std::uint64_t seed);

  /// Updates all clusters once. @param measured if true, the sums of this update are added to the
  /// sums since clear_sums
  void swendsen_wang(FieldState& state, bool measured);
  /// Reflects the clusters of random sites, one after the other. @param clusters number of sites
  void wolff(FieldState& state, Index clusters, bool measured);

  void clear_sums() { clusters_.clear_sums(); }
  /// Sums over all measured updates since clear_sums. Either all of these updates must be
  /// Swendsen-Wang updates, or all must be Wolff updates. Waits for a GPU. [replicas]
  std::vector<clusters::ReflectionSums> sums() const { return clusters_.sums(); }

 private:
  void update(FieldState& state, clusters::Reflected reflected, bool measured);

  const FieldModel* model_;
  std::uint64_t seed_;
  Array<float> axis_;  ///< (replica, most_components)
  clusters::ReflectionClusters clusters_;
};

}  // namespace larmor::phi4
