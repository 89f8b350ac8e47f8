#pragma once
// Clusters of a grid that ranks share in slabs. Each rank finds the clusters of its own planes.
// Active bonds between its last plane and the first one of the next rank make one cluster of two:
// all ranks are told the labels of both ends, and find alike which least site each of them stands
// for in the end.

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/clusters/cluster_sums.hpp"
#include "larmor/clusters/regular_grid.hpp"
#include "larmor/core/ranks/plane_slabs.hpp"

namespace larmor::clusters {

/// The label of a cluster, the number of a site in the whole grid, among those of all replicas.
using ReplicaLabel = std::uint64_t;
inline namespace LARMOR_ISA_NAMESPACE {
LARMOR_INLINE ReplicaLabel replica_label(Index replica, std::uint64_t label) {
  return static_cast<ReplicaLabel>(replica) << 32 | label;
}
LARMOR_INLINE Index replica_of(ReplicaLabel label) { return static_cast<Index>(label >> 32); }
LARMOR_INLINE std::uint32_t site_of(ReplicaLabel label) {
  return static_cast<std::uint32_t>(label);
}
}  // namespace LARMOR_ISA_NAMESPACE

/// Labels of two clusters that are one.
struct LabelPair {
  ReplicaLabel a, b;
};

/// The label of a cluster of one rank, and of the cluster of the whole grid that it is part of.
struct MergedLabel {
  ReplicaLabel before, after;
};

/// Of every label that is in one of some pairs, in any order: the least that they lead to.
std::vector<MergedLabel> merged_labels(std::span<const LabelPair> pairs);

class SlabClusters {
 public:
  /// On all ranks at once. @param world must outlive this
  /// @throws InputError for a grid of one axis, or fewer planes than ranks
  SlabClusters(const Communicator& world, const RegularGrid& grid, const Device& device);

  /// The planes of this rank, a grid that is open along its last axis.
  const RegularGrid& own_grid() const { return own_; }
  Index own_sites() const { return own_.lengths.back() * sites_of_plane_; }
  Index sites_of_plane() const { return sites_of_plane_; }
  /// Of this rank in the whole grid.
  Index first_site() const { return planes_.first() * sites_of_plane_; }
  /// Are there bonds from its last plane to another rank's?
  bool has_border() const { return planes_.rank_behind() >= 0; }
  PlaneSlabs& planes() { return planes_; }
  const Communicator& world() const { return planes_.world(); }

  /// On all ranks. @param own pairs of the bonds to the next rank
  /// @return labels of this rank's clusters that others are part of, in any order
  std::vector<MergedLabel> merge(std::vector<LabelPair> own) const;
  /// The clusters that several labels stand for. On all ranks.
  /// @param own as `merge` returns them @param sizes of these clusters on this rank
  /// @return on the root, of each replica; elsewhere none
  std::vector<ClusterSums> merged_sums(std::span<const MergedLabel> own,
                                       std::span<const std::uint32_t> sizes, Index replicas,
                                       bool in_histogram) const;

 private:
  RegularGrid own_;
  Index sites_of_plane_ = 1;
  PlaneSlabs planes_;
};

}  // namespace larmor::clusters
