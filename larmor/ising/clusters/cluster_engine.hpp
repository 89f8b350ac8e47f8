#pragma once
// Who updates clusters: threads of a CPU, or a GPU. Inside of ClusterUpdate.

#include <memory>
#include <vector>

#include "larmor/clusters/cluster_sums.hpp"
#include "larmor/clusters/slab_clusters.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/ising/clusters/cluster_graph.hpp"
#include "larmor/ising/clusters/cluster_view.hpp"
#include "larmor/ising/clusters/state_sums.hpp"

namespace larmor::ising {

using clusters::ClusterSums;
using clusters::LabelPair;
using clusters::MergedLabel;
using clusters::SlabClusters;

enum class MeasureClusters { no, sums, sums_and_histogram };

/// How clusters are found on a GPU.
enum class ClusterMethod {
  /// Trees of sites are united: in tiles of a grid in shared memory, then across their borders.
  union_find,
  /// For comparison, as in T. Protzman, J. Giedt (Int. J. Mod. Phys. C): each site takes the least
  /// label around it until no label changes, which the host asks after each iteration. After
  /// O. Kalentev et al., J. Parallel Distrib. Comput. 71, 615 (2011).
  label_equivalence
};

/// Where ranks share a grid, each has an engine for its slab. They are called all together, and
/// what they tell is of the slab alone, but for clusters that several ranks have: the root counts
/// these.
class ClusterEngine {
 public:
  virtual ~ClusterEngine() = default;
  /// @param view of this device's memory @param states (replica, site)
  virtual void swendsen_wang(const ClusterView& view, const ClusterKeys& keys, std::uint8_t* states,
                             MeasureClusters measured) = 0;
  /// The updates of the steps from that of the keys on, of which the last is measured.
  virtual void swendsen_wang_updates(const ClusterView& view, ClusterKeys keys, Index updates,
                                     std::uint8_t* states, MeasureClusters measured) {
    for (Index n = 1; n <= updates; ++n, ++keys.step)
      swendsen_wang(view, keys, states, n == updates ? measured : MeasureClusters::no);
  }
  /// The clusters of the steps from that of the keys on; of no slab.
  virtual void wolff(const ClusterView& view, const ClusterKeys& keys, Index clusters,
                     std::uint8_t* states, MeasureClusters measured) = 0;
  /// @param labels of the whole grid (replica, site) on this device
  virtual void label(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
                     std::uint32_t* labels) = 0;
  /// Of the last update that was measured. [replicas]
  virtual std::vector<ClusterSums> sums() const = 0;
  /// [replicas]
  virtual std::vector<StateSums> measure(const ClusterView& view,
                                         const std::uint8_t* states) const = 0;
};

/// @param slab of this rank, which must outlive the engine; null: it has the whole graph
std::unique_ptr<ClusterEngine> make_cpu_clusters(int threads, SlabClusters* slab);
#if defined(LARMOR_HAS_CUDA)
std::unique_ptr<ClusterEngine> make_gpu_clusters(const Device& device, ClusterMethod method,
                                                 SlabClusters* slab);
#endif

}  // namespace larmor::ising
