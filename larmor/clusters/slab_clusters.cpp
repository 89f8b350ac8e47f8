#include "larmor/clusters/slab_clusters.hpp"

#include <algorithm>
#include <utility>

#include "larmor/core/error.hpp"
#include "larmor/core/ranks/communicator.hpp"

namespace larmor::clusters {
namespace {

Index planes_of(const RegularGrid& grid) {
  if (grid.lengths.size() < 2)
    throw InputError("ranks cannot share clusters of a grid of one axis",
                     "give two to four axes, or use one rank");
  return grid.lengths.back();
}

/// Trees of labels. A hash table finds the labels, for speed, because ranks wait for each other
/// meanwhile.
class LabelForest {
 public:
  explicit LabelForest(std::size_t most_labels) {
    while (std::size_t{1} << bits_ < 2 * most_labels) ++bits_;
    places_.assign(std::size_t{1} << bits_, none);
  }

  void unite(ReplicaLabel a, ReplicaLabel b) {
    const std::uint32_t x = root_of(number_of(a)), y = root_of(number_of(b));
    if (labels_[x] < labels_[y])
      parent_[y] = x;
    else
      parent_[x] = y;
  }
  std::vector<MergedLabel> merged() {
    std::vector<MergedLabel> merged;
    merged.reserve(labels_.size());
    for (std::uint32_t n = 0; n < labels_.size(); ++n)
      merged.push_back({labels_[n], labels_[root_of(n)]});
    return merged;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint32_t number_of(ReplicaLabel label) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio
    const std::size_t mask = places_.size() - 1;
    std::size_t place = static_cast<std::size_t>((label * golden) >> (64 - bits_));
    while (places_[place] != none && labels_[places_[place]] != label) place = (place + 1) & mask;
    if (places_[place] == none) {
      places_[place] = static_cast<std::uint32_t>(labels_.size());
      parent_.push_back(places_[place]);
      labels_.push_back(label);
    }
    return places_[place];
  }
  std::uint32_t root_of(std::uint32_t n) {
    while (parent_[n] != n) n = parent_[n] = parent_[parent_[n]];
    return n;
  }

  int bits_ = 1;
  std::vector<std::uint32_t> places_;  ///< labels by places of the hash table; `none`: free
  std::vector<std::uint32_t> parent_;
  std::vector<ReplicaLabel> labels_;
};

/// The share of a cluster on one rank.
struct ClusterShare {
  ReplicaLabel cluster;
  std::uint64_t sites;
};

}  // namespace

std::vector<MergedLabel> merged_labels(std::span<const LabelPair> pairs) {
  LabelForest forest(2 * pairs.size());
  for (const LabelPair& pair : pairs) forest.unite(pair.a, pair.b);
  return forest.merged();
}

SlabClusters::SlabClusters(const Communicator& world, const RegularGrid& grid, const Device& device)
    : own_(grid), planes_(world, planes_of(grid), grid.periodic.back(), device) {
  for (std::size_t axis = 0; axis + 1 < grid.lengths.size(); ++axis)
    sites_of_plane_ *= grid.lengths[axis];
  own_.lengths.back() = planes_.last() - planes_.first();
  own_.periodic.back() = false;
}

std::vector<MergedLabel> SlabClusters::merge(std::vector<LabelPair> own) const {
  std::vector<MergedLabel> merged = merged_labels(all_gathered(world(), std::move(own)));
  const auto first = static_cast<std::uint64_t>(first_site());
  const std::uint64_t last = first + static_cast<std::uint64_t>(own_sites());
  std::erase_if(merged, [&](const MergedLabel& label) {
    return site_of(label.before) < first || site_of(label.before) >= last;
  });
  return merged;
}

std::vector<ClusterSums> SlabClusters::merged_sums(std::span<const MergedLabel> own,
                                                   std::span<const std::uint32_t> sizes,
                                                   Index replicas, bool in_histogram) const {
  std::vector<ClusterShare> shares;
  for (std::size_t n = 0; n < own.size(); ++n) shares.push_back({own[n].after, sizes[n]});
  shares = all_gathered(world(), std::move(shares));
  std::vector<ClusterSums> sums(static_cast<std::size_t>(replicas));
  if (!world().is_root()) return sums;
  std::sort(shares.begin(), shares.end(),
            [](const ClusterShare& a, const ClusterShare& b) { return a.cluster < b.cluster; });
  for (auto share = shares.begin(); share != shares.end();) {
    const ReplicaLabel cluster = share->cluster;
    std::uint64_t sites = 0;
    for (; share != shares.end() && share->cluster == cluster; ++share) sites += share->sites;
    sums[static_cast<std::size_t>(replica_of(cluster))].add_cluster(sites, in_histogram);
  }
  return sums;
}

}  // namespace larmor::clusters
