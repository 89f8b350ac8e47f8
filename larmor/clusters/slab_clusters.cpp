#include "larmor/clusters/slab_clusters.hpp"

#include <algorithm>
#include <utility>

#include "larmor/clusters/cpu_parents.hpp"
#include "larmor/clusters/forest.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/ranks/joined.hpp"

namespace larmor::clusters {
namespace {

Index planes_of(const RegularGrid& grid) {
  if (grid.lengths.size() < 2)
    throw InputError("ranks share clusters of a grid of one axis",
                     "they share grids of two to four axes");
  return grid.lengths.back();
}

/// What a rank has of a cluster.
struct Part {
  ReplicaLabel cluster;
  std::uint64_t sites;
};

}  // namespace

std::vector<MergedLabel> merged_labels(std::span<const LabelPair> pairs) {
  std::vector<ReplicaLabel> labels;
  labels.reserve(2 * pairs.size());
  for (const LabelPair& pair : pairs) {
    labels.push_back(pair.a);
    labels.push_back(pair.b);
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  const auto place = [&](ReplicaLabel label) {
    return static_cast<std::uint32_t>(std::lower_bound(labels.begin(), labels.end(), label) -
                                      labels.begin());
  };
  // Places have the order of labels: the least place of a tree is that of its least label.
  std::vector<std::uint32_t> parent(labels.size());
  for (std::size_t n = 0; n < parent.size(); ++n) parent[n] = static_cast<std::uint32_t>(n);
  const OwnParents trees{parent.data()};
  for (const LabelPair& pair : pairs) unite(trees, place(pair.a), place(pair.b));
  std::vector<MergedLabel> merged;
  merged.reserve(labels.size());
  for (std::size_t n = 0; n < labels.size(); ++n)
    merged.push_back({labels[n], labels[found_root(trees, static_cast<std::uint32_t>(n))]});
  return merged;
}

SlabClusters::SlabClusters(const Communicator& world, const RegularGrid& grid, const Device& device)
    : own_(grid), planes_(world, planes_of(grid), grid.periodic.back(), device) {
  for (std::size_t axis = 0; axis + 1 < grid.lengths.size(); ++axis)
    sites_of_plane_ *= grid.lengths[axis];
  own_.lengths.back() = planes_.last() - planes_.first();
  own_.periodic.back() = false;
}

std::vector<MergedLabel> SlabClusters::merge(std::vector<LabelPair> own) const {
  std::vector<MergedLabel> merged = merged_labels(joined_on_all(world(), std::move(own)));
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
  std::vector<Part> parts;
  for (std::size_t n = 0; n < own.size(); ++n) parts.push_back({own[n].after, sizes[n]});
  parts = joined_on_all(world(), std::move(parts));
  std::vector<ClusterSums> sums(static_cast<std::size_t>(replicas));
  if (!world().is_root()) return sums;
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.cluster < b.cluster; });
  for (auto part = parts.begin(); part != parts.end();) {
    const ReplicaLabel cluster = part->cluster;
    std::uint64_t sites = 0;
    for (; part != parts.end() && part->cluster == cluster; ++part) sites += part->sites;
    sums[static_cast<std::size_t>(replica_of(cluster))].add_cluster(sites, in_histogram);
  }
  return sums;
}

}  // namespace larmor::clusters
