#pragma once
// Who updates clusters of reflections: threads of a CPU, or a GPU. Inside of ReflectionClusters.

#include <memory>
#include <vector>

#include "larmor/clusters/reflection_cluster_view.hpp"
#include "larmor/clusters/reflection_sums.hpp"
#include "larmor/core/device/device.hpp"

namespace larmor::clusters {

/// Which clusters are reflected: each with probability 1/2 (Swendsen-Wang), or that of one site
/// (Wolff).
enum class Reflected { half_of_all, of_seed };

/// Trees that lead every site of a GPU to the root of its cluster.
struct FoundClusters {
  const std::uint32_t* parent;  ///< (replica, site)
  ClusterKeys keys;
  Reflected reflected;
};

/// Vectors that clusters are grown of: what their model does for a step.
class ReflectedField {
 public:
  virtual ~ReflectedField() = default;
  /// On a CPU, sites [first, last) of a replica. @param sigma their projections, of the replica
  virtual void project(Index replica, Index first, Index last, float* sigma) const = 0;
  /// @param reflected 1 for those that are, of the replica
  virtual void reflect(Index replica, Index first, Index last, const float* sigma,
                       const std::uint8_t* reflected) = 0;
  /// The same of some sites.
  virtual void project_sites(Index replica, const std::uint32_t* sites, Index count,
                             float* sigma) const {
    for (Index n = 0; n < count; ++n) project(replica, sites[n], Index{sites[n]} + 1, sigma);
  }
  virtual void reflect_sites(Index replica, const std::uint32_t* sites, Index count,
                             const float* sigma, const std::uint8_t* reflected) {
    for (Index n = 0; n < count; ++n)
      reflect(replica, sites[n], Index{sites[n]} + 1, sigma, reflected);
  }
  /// On a GPU, launches all of it. @param sigma (replica, site)
  virtual void project_all(float* sigma) const = 0;
  /// By is_reflected of reflection_gpu.cuh.
  virtual void reflect_all(const ReflectionClusterView& view, const FoundClusters& found) = 0;
};

class ReflectionEngine {
 public:
  virtual ~ReflectionEngine() = default;
  /// @param view of this device's memory, without projections
  virtual void update(ReflectionClusterView view, const ClusterKeys& keys, ReflectedField& field,
                      Reflected reflected, bool measured) = 0;
  /// The sums begin anew.
  virtual void clear_sums(Index replicas) = 0;
  /// Of the updates that were measured since then. [replicas]
  virtual std::vector<ReflectionSums> sums() const = 0;
};

std::unique_ptr<ReflectionEngine> make_cpu_reflections(int threads);
#if defined(LARMOR_HAS_CUDA)
std::unique_ptr<ReflectionEngine> make_gpu_reflections(const Device& device);
#endif

}  // namespace larmor::clusters
