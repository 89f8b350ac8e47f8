#pragma once
// Clusters of a grid that is divided into slabs over ranks. Each rank finds the clusters of its own
// planes. Active bonds between its last plane and the first plane of the next rank unite two
// clusters. All ranks receive the labels of both ends of these bonds, and each rank computes the
// least label of each united cluster.

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/clusters/cluster_sums.hpp"
#include "larmor/clusters/regular_grid.hpp"
#include "larmor/core/ranks/plane_slabs.hpp"

namespace larmor::clusters {

/// The label of a cluster, unique among all replicas: the replica and a site of the whole grid.
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

/// Labels of two clusters that are united.
struct LabelPair {
  ReplicaLabel a, b;
};

/// The label of a cluster on one rank, and the label of its cluster in the whole grid.
struct MergedLabel {
  ReplicaLabel before, after;
};

/// For every label in the pairs, in any order: the least of the labels that pairs connect to it.
std::vector<MergedLabel> merged_labels(std::span<const LabelPair> pairs);

class SlabClusters {
 public:
  /// Collective: all ranks call it. @param world must outlive this
  /// @throws InputError for a grid of one axis, or fewer planes than ranks
  SlabClusters(const Communicator& world, const RegularGrid& grid, const Device& device);

  /// The planes of this rank, as a grid that is open along its last axis.
  const RegularGrid& own_grid() const { return own_; }
  Index own_sites() const { return own_.lengths.back() * sites_of_plane_; }
  Index sites_of_plane() const { return sites_of_plane_; }
  /// First site of this rank in the whole grid.
  Index first_site() const { return planes_.first() * sites_of_plane_; }
  /// Are there bonds from the last plane of this rank to another rank?
  bool has_border() const { return planes_.rank_behind() >= 0; }
  PlaneSlabs& planes() { return planes_; }
  const Communicator& world() const { return planes_.world(); }

  /// Collective. @param own pairs from the active bonds to the next rank
  /// @return the labels of this rank's clusters that extend to other ranks, in any order
  std::vector<MergedLabel> merge(std::vector<LabelPair> own) const;
  /// Sums over the clusters that extend over several ranks. Collective.
  /// @param own labels from `merge` @param sizes sizes of these clusters on this rank
  /// @return on the root rank the sums of each replica, on other ranks zeros [replicas]
  std::vector<ClusterSums> merged_sums(std::span<const MergedLabel> own,
                                       std::span<const std::uint32_t> sizes, Index replicas,
                                       bool in_histogram) const;

 private:
  RegularGrid own_;
  Index sites_of_plane_ = 1;
  PlaneSlabs planes_;
};

}  // namespace larmor::clusters
