#pragma once
// GPU part of clusters that several ranks share. Ranks exchange labels at the borders of slabs and
// send pairs of labels to the host. Compiled only if CUDA is found.

#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/ising/clusters/cluster_engine.hpp"

namespace larmor::ising {

class GpuSlab {
 public:
  GpuSlab(const Device& device, SlabClusters& slab) : device_(device), slab_(slab) {}

  /// Connects each root of a shared cluster to the site of the cluster's label, which may be in
  /// another slab (find_root_of_ranks). Waits for the GPU.
  /// @param parent complete trees (replica, site)
  /// @param size sizes of roots; null: not measured. The function sets the sizes of roots of shared
  /// clusters to 0
  void merge(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
             std::uint32_t* parent, std::uint32_t* size, bool in_histogram);
  /// Sums over the clusters that several ranks have, from the last merge with sizes. Only the root
  /// rank has them. [replicas]
  const std::vector<ClusterSums>& merged_sums() const { return sums_; }

  /// Adds up the weights of satisfied bonds that lead to the next rank. The sum of replica r is
  /// entry r * stride of `sums`.
  void add_satisfied(const ClusterView& view, const std::uint8_t* states, unsigned long long* sums,
                     Index stride);

 private:
  void exchange_states(const ClusterView& view, const std::uint8_t* states);
  std::vector<LabelPair> pairs(const ClusterView& view, const ClusterKeys& keys,
                               const std::uint8_t* states, std::uint32_t* parent);

  Device device_;
  SlabClusters& slab_;
  Array<std::uint8_t> states_behind_;                  ///< (replica, site of a plane)
  Array<std::uint32_t> labels_first_, labels_behind_;  ///< (replica, site of a plane)
  Array<LabelPair> pairs_;
  Array<unsigned long long> count_;  ///< number of pairs
  Array<MergedLabel> merged_;
  Array<std::uint32_t> merged_sizes_;  ///< sizes of the merged labels' clusters
  std::vector<ClusterSums> sums_;
};

}  // namespace larmor::ising
