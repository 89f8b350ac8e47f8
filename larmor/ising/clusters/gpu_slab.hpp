#pragma once
// What a GPU does of clusters that several ranks have parts of: labels at the borders of its slab
// are exchanged, and pairs of them go to the host. Compiled only where CUDA is found.

#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/ising/clusters/cluster_engine.hpp"

namespace larmor::ising {

class GpuSlab {
 public:
  GpuSlab(const Device& device, SlabClusters& slab) : device_(device), slab_(slab) {}

  /// Leads the roots of clusters that are part of others to the sites of their labels, which may
  /// be none of this slab (found_root_of_ranks). Waits for the GPU.
  /// @param parent complete trees (replica, site) @param size of their roots, null: not measured.
  /// Roots that share a cluster with other ranks have 0 afterwards
  void merge(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
             std::uint32_t* parent, std::uint32_t* size, bool in_histogram);
  /// Of the last merge with sizes, on the root: the clusters that several ranks have. [replicas]
  const std::vector<ClusterSums>& merged_sums() const { return sums_; }

  /// Adds the weights of satisfied bonds to the next rank to every `stride`th of `sums`, a replica
  /// each.
  void add_satisfied(const ClusterView& view, const std::uint8_t* states, unsigned long long* sums,
                     Index stride);

 private:
  void bring_states(const ClusterView& view, const std::uint8_t* states);
  std::vector<LabelPair> pairs(const ClusterView& view, const ClusterKeys& keys,
                               const std::uint8_t* states, std::uint32_t* parent);
  /// kernel(blocks, stream) for so many threads of each replica.
  template <class Kernel>
  void launch(const char* name, Index threads, Index replicas, const Kernel& kernel) const;

  Device device_;
  SlabClusters& slab_;
  Array<std::uint8_t> states_behind_;                  ///< (replica, site of a plane)
  Array<std::uint32_t> labels_first_, labels_behind_;  ///< likewise
  Array<LabelPair> pairs_;
  Array<unsigned long long> count_;  ///< of pairs
  Array<MergedLabel> merged_;
  Array<std::uint32_t> taken_;  ///< sizes of their clusters
  std::vector<ClusterSums> sums_;
};

}  // namespace larmor::ising
