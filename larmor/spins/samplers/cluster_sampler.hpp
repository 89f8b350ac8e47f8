#pragma once
// Cluster updates of spins by reflection: Swendsen-Wang and Wolff. Each replica has a random axis
// at each step (reflection_kernel.hpp). Clusters of the spin components along this axis grow with
// couplings K_ij = J_ij / k_B T (larmor/clusters/reflection_cluster_view.hpp).
//
// BITS: ReflectionClusters determines the bits. Its sites are storage positions.

#include "larmor/clusters/reflection_clusters.hpp"
#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

class ClusterSampler {
 public:
  /// @param bonds result of cluster_bonds for this model
  /// @throws InternalError if other processes share the sites
  ClusterSampler(const Model& model, const clusters::ReflectionGraph& bonds, std::uint64_t seed,
                 const ReplicaShare& replicas, const Device& device);

  /// Finds all clusters and reflects each with probability 1/2.
  /// @param beta 1 / k_B T on the device [replicas]
  /// @param measured add to the sums since clear_sums?
  void swendsen_wang(SpinState& state, const double* beta, bool measured);
  /// Reflects the clusters of some random sites, one after the other.
  void wolff(SpinState& state, const double* beta, Index clusters, bool measured);

  void clear_sums() { clusters_.clear_sums(); }
  /// Sums over all measured updates since clear_sums, which must all be of one kind. Waits for a
  /// GPU. [replicas]
  std::vector<clusters::ReflectionSums> sums() const { return clusters_.sums(); }

 private:
  void update(SpinState& state, const double* beta, clusters::Reflected reflected, bool measured);

  std::uint64_t seed_;
  Index first_replica_;
  Array<double> axis_;  ///< (replica, 3)
  clusters::ReflectionClusters clusters_;
};

}  // namespace larmor::spins
