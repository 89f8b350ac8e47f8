#pragma once
// Interface of the CPU and GPU implementations of cluster updates, for ClusterUpdate.

#include <memory>
#include <vector>

#include "larmor/clusters/cluster_sums.hpp"
#include "larmor/clusters/slab_clusters.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/types.hpp"
#include "larmor/ising/clusters/cluster_graph.hpp"
#include "larmor/ising/clusters/cluster_view.hpp"

namespace larmor::ising {

/// Sums over the configuration of one replica.
struct StateSums {
  Index satisfied = 0;        ///< sum of ClusterGraph::weights over satisfied bonds
  std::vector<Index> counts;  ///< number of sites in each state [q]

  friend bool operator==(const StateSums&, const StateSums&) = default;

  /// Square of the order parameter: m^2 for Ising, q/(q-1) sum_a (n_a/N - 1/q)^2 for Potts.
  double order_squared() const;
};

using clusters::ClusterSums;
using clusters::LabelPair;
using clusters::MergedLabel;
using clusters::SlabClusters;

enum class MeasureClusters { no, sums, sums_and_histogram };

/// Algorithms that find clusters on a GPU.
enum class ClusterMethod {
  /// Unites trees of sites, first within tiles of a grid in shared memory, then across the borders
  /// of tiles.
  union_find,
  /// For comparison, as in T. Protzman, J. Giedt (Int. J. Mod. Phys. C). Each site takes the least
  /// label around it, until no label changes. The host checks for changes after each iteration.
  /// Method of O. Kalentev et al., J. Parallel Distrib. Comput. 71, 615 (2011).
  label_equivalence
};

/// If ranks share a grid, each rank has an engine for its slab, and all ranks call their engines
/// together. Results are for the slab only. Clusters that several ranks have are an exception: the
/// root rank counts them.
class ClusterEngine {
 public:
  virtual ~ClusterEngine() = default;
  /// @param view with arrays on this device @param states (replica, site)
  virtual void swendsen_wang(const ClusterView& view, const ClusterKeys& keys, std::uint8_t* states,
                             MeasureClusters measured) = 0;
  /// Does several updates with consecutive steps. The keys have the first step. Only the last
  /// update is measured.
  virtual void swendsen_wang_updates(const ClusterView& view, ClusterKeys keys, Index updates,
                                     std::uint8_t* states, MeasureClusters measured) {
    for (Index n = 1; n <= updates; ++n, ++keys.step)
      swendsen_wang(view, keys, states, n == updates ? measured : MeasureClusters::no);
  }
  /// Changes several Wolff clusters with consecutive steps. The keys have the first step. Not for
  /// slabs.
  virtual void wolff(const ClusterView& view, const ClusterKeys& keys, Index clusters,
                     std::uint8_t* states, MeasureClusters measured) = 0;
  /// @param labels receives the label of each site, a number of a site in the whole grid, (replica,
  /// site) on this device
  virtual void label(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
                     std::uint32_t* labels) = 0;
  /// Sums of the last measured update. [replicas]
  virtual std::vector<ClusterSums> sums() const = 0;
  /// Sums over `states`. [replicas]
  virtual std::vector<StateSums> measure(const ClusterView& view,
                                         const std::uint8_t* states) const = 0;
};

/// @param slab the slab of this rank. It must outlive the engine. null: this process has the whole
/// graph
std::unique_ptr<ClusterEngine> make_cpu_clusters(int threads, SlabClusters* slab);
#if defined(LARMOR_HAS_CUDA)
std::unique_ptr<ClusterEngine> make_gpu_clusters(const Device& device, ClusterMethod method,
                                                 SlabClusters* slab);
#endif

}  // namespace larmor::ising
