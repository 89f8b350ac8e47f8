#pragma once
// Engines that update clusters of reflections, on threads of a CPU or on a GPU. Internal to
// ReflectionClusters.

#include <memory>
#include <vector>

#include "larmor/clusters/cluster_sums.hpp"
#include "larmor/clusters/reflection_cluster_view.hpp"
#include "larmor/core/device/device.hpp"

namespace larmor::clusters {

/// The clusters that are reflected: each with probability 1/2 (Swendsen-Wang), or only the cluster
/// of one site (Wolff).
enum class Reflected { half_of_all, seed_cluster };

/// Trees on a GPU that lead every site to the root of its cluster.
struct FoundClusters {
  const std::uint32_t* parent;  ///< (replica, site)
  ClusterKeys keys;
  Reflected reflected;
};

/// The operations of a model on its vectors in one cluster update.
class ReflectedField {
 public:
  virtual ~ReflectedField() = default;
  /// On a CPU, projects sites [first, last) of a replica. @param sigma projections of the replica
  virtual void project(Index replica, Index first, Index last, float* sigma) const = 0;
  /// On a CPU, reflects the chosen sites among the sites [first, last).
  /// @param reflected 1 for each site of the replica that is reflected, otherwise 0
  virtual void reflect(Index replica, Index first, Index last, const float* sigma,
                       const std::uint8_t* reflected) = 0;
  /// Does the work of `project` for a list of sites.
  virtual void project_sites(Index replica, const std::uint32_t* sites, Index count,
                             float* sigma) const {
    for (Index n = 0; n < count; ++n) project(replica, sites[n], Index{sites[n]} + 1, sigma);
  }
  /// Reflects all sites of a list.
  virtual void reflect_sites(Index replica, const std::uint32_t* sites, Index count,
                             const float* sigma, const std::uint8_t* reflected) {
    for (Index n = 0; n < count; ++n)
      reflect(replica, sites[n], Index{sites[n]} + 1, sigma, reflected);
  }
  /// On a GPU, launches the projection of all replicas. @param sigma (replica, site)
  virtual void project_all(float* sigma) const = 0;
  /// On a GPU, launches the reflection of the sites for which is_reflected of reflection_gpu.cuh is
  /// true.
  virtual void reflect_all(const ReflectionClusterView& view, const FoundClusters& found) = 0;
};

class ReflectionEngine {
 public:
  virtual ~ReflectionEngine() = default;
  /// Updates every replica once. @param view in memory of this device, without projections
  virtual void update(ReflectionClusterView view, const ClusterKeys& keys, ReflectedField& field,
                      Reflected reflected, bool measured) = 0;
  /// Sets the sums to zero.
  virtual void clear_sums(Index replicas) = 0;
  /// Sums over the measured updates since clear_sums. [replicas]
  virtual std::vector<ReflectionSums> sums() const = 0;
};

std::unique_ptr<ReflectionEngine> make_cpu_reflections(int threads);
#if defined(LARMOR_HAS_CUDA)
std::unique_ptr<ReflectionEngine> make_gpu_reflections(const Device& device);
#endif

}  // namespace larmor::clusters
