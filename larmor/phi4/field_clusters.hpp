#pragma once
// Cluster updates of phi^4 fields: each replica and step has a random axis, along which clusters
// are reflected (larmor/clusters/reflection_cluster_view.hpp with K = 2 kappa). They leave |phi_x|
// as it is, so that at finite lambda updates of single sites belong to them.

#include "larmor/clusters/reflection_clusters.hpp"
#include "larmor/phi4/field_state.hpp"

namespace larmor::phi4 {

class FieldClusters {
 public:
  /// @param model outlives it
  FieldClusters(const FieldModel& model, std::uint64_t seed);

  /// One update of all clusters. @param measured sums are added to those since clear_sums
  void swendsen_wang(FieldState& state, bool measured);
  /// Reflects the clusters of some random sites, one after the other.
  void wolff(FieldState& state, Index clusters, bool measured);

  void clear_sums() { clusters_.clear_sums(); }
  /// Of all updates since then, which were either of all clusters or of Wolff; waits for a GPU.
  /// [replicas]
  std::vector<clusters::ReflectionSums> sums() const { return clusters_.sums(); }

 private:
  void update(FieldState& state, clusters::Reflected reflected, bool measured);

  const FieldModel* model_;
  std::uint64_t seed_;
  Array<float> axis_;  ///< (replica, most_components)
  clusters::ReflectionClusters clusters_;
};

}  // namespace larmor::phi4
