// Clusters on the threads of a CPU. If there are many replicas, or the graph is small, each thread
// has its own replicas. Otherwise threads share a replica. At the end of an update, every root
// decides on the new state of its cluster.

#include <algorithm>
#include <cstring>
#include <utility>

#include "larmor/clusters/cpu_forest.hpp"
#include "larmor/clusters/row_kernels.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/ising/clusters/cluster_engine.hpp"

namespace larmor::ising {
namespace {

using clusters::bond_row_kernels;
using clusters::BondRowKernels;
using clusters::GridForest;
using clusters::next_row;
using clusters::NextRow;
using clusters::OwnParents;
using clusters::SharedParents;
using clusters::site_blocks_of;
using clusters::SiteBlocks;
using clusters::sites_of_group;
using clusters::Workspace;

/// Arguments of one update of one replica.
struct ReplicaUpdate {
  const ClusterView& view;
  const ClusterKeys& keys;
  Index replica;
  const std::uint8_t* spins;
  Workspace& work;
  int threads;  ///< threads that share the replica
  bool with_sizes;
};

/// Sets a bit for each bond whose random word is below its threshold. Each of the sites [first,
/// last) has one bit per axis.
void draw_bonds(const ReplicaUpdate& update, Index first, Index last) {
  const ClusterView& view = update.view;
  const clusters::GridView& grid = view.grid;
  const BondRowKernels& kernels = bond_row_kernels();
  const RandomKey key = update.keys.of(Stream::cluster_bond);
  const Index group = sites_of_group(grid.words_shift);
  constexpr Index block = 4096;
  std::uint8_t bits[block + 64];
  std::uint32_t words[4 * (block + 64)];
  for (Index from = first; from < last; from += block) {
    const Index to = std::min(last, from + block);
    // Number of the first site in the whole grid.
    const auto origin = static_cast<Index>(view.first_site);
    const Index first_group = (origin + from) / group;
    const Index groups = (origin + to + group - 1) / group - first_group;
    std::uint8_t* const bonds = update.work.bonds.data() + from;
    if (view.codes == nullptr) {
      kernels.below(key, update.replica, grid.words_shift, threshold_of(view, update.replica, 0),
                    first_group, groups, bits);
      std::memcpy(bonds, bits + (origin + from - first_group * group),
                  static_cast<std::size_t>(to - from));
      continue;
    }
    kernels.words(key, update.replica, grid.words_shift, first_group, groups, words);
    std::memset(bonds, 0, static_cast<std::size_t>(to - from));
    for (int axis = 0; axis < grid.axes; ++axis)
      for (Index site = from; site < to; ++site) {
        const Index own_group = (origin + site) / group - first_group;
        const Index place = (origin + site) % group;
        const std::uint32_t word = words[((own_group << grid.words_shift) + axis) * group + place];
        const BondKind kind =
            bond_kind(view, update.replica, static_cast<std::uint64_t>(axis * view.sites + site));
        if (word < threshold_of(view, update.replica, kind.number))
          bonds[site - from] |= static_cast<std::uint8_t>(1u << axis);
      }
  }
}

/// Clears the bits of missing or unsatisfied bonds of a row.
void keep_satisfied(const ReplicaUpdate& update, Index first) {
  const ClusterView& view = update.view;
  const clusters::GridView& grid = view.grid;
  const auto length = static_cast<Index>(grid.length[0]);
  std::uint8_t* const bonds = update.work.bonds.data() + first;
  const std::uint8_t* const spins = update.spins + first;
  const auto keep = [&](int axis, Index from, Index count, const std::uint8_t* others) {
    const auto bit = static_cast<std::uint8_t>(1u << axis);
    if (view.codes == nullptr) {
      bond_row_kernels().keep_satisfied(spins + from, others, count, view.antiferromagnetic, bit,
                                        bonds + from);
      return;
    }
    for (Index i = 0; i < count; ++i) {
      const auto slot = static_cast<std::uint64_t>(axis * view.sites + first + from + i);
      if (!is_satisfied(spins[from + i], others[i],
                        bond_kind(view, update.replica, slot).antiferromagnetic))
        bonds[from + i] &= static_cast<std::uint8_t>(~bit);
    }
  };
  keep(0, 0, length - 1, spins + 1);
  if (has_bond(grid, grid.length[0] - 1, 0))
    keep(0, length - 1, 1, spins);
  else
    bonds[length - 1] &= 0xfe;
  for (int axis = 1; axis < grid.axes; ++axis) {
    const NextRow next = next_row(grid, first, axis);
    if (next.is_there) {
      keep(axis, 0, length, update.spins + next.first_site);
    } else {
      for (Index i = 0; i < length; ++i) bonds[i] &= static_cast<std::uint8_t>(~(1u << axis));
    }
  }
}

/// Unites the sites of active bonds of a graph. The ends of a bond may be far apart, so each thread
/// may unite any sites.
template <class Parents>
void unite_edges(const ReplicaUpdate& update, const Parents& trees) {
  const ClusterView& view = update.view;
  const Index group = sites_of_group(0);
  constexpr Index block_groups = 128;
  const Index block = block_groups * group;
  parallel_for(update.threads, (view.edges.bonds + block - 1) / block, [&](Index n) {
    std::uint32_t words[block_groups * 32];
    const Index first = n * block, last = std::min(view.edges.bonds, first + block);
    bond_row_kernels().words(update.keys.of(Stream::cluster_bond), update.replica, 0,
                             n * block_groups, (last - first + group - 1) / group, words);
    for (Index bond = first; bond < last; ++bond) {
      const BondKind kind = bond_kind(view, update.replica, static_cast<std::uint64_t>(bond));
      const std::uint32_t a = view.edges.ends[2 * bond], b = view.edges.ends[2 * bond + 1];
      if (words[bond - first] < threshold_of(view, update.replica, kind.number) &&
          is_satisfied(update.spins[a], update.spins[b], kind.antiferromagnetic))
        unite(trees, a, b);
    }
  });
}

/// Makes trees in which every site refers to its root, or to a site that refers to the root. `size`
/// of a root is the size of its cluster. @return for each block of sites, the number of roots
/// before blocks were united
std::vector<Index> find_clusters(const ReplicaUpdate& update, const SiteBlocks& site_blocks) {
  if (update.view.grid.axes > 0)
    return unite_grid(
        GridForest{update.view.grid, update.work, update.with_sizes}, site_blocks, update.threads,
        [&](Index first, Index last) { draw_bonds(update, first, last); },
        [&](Index first) { keep_satisfied(update, first); });
  clusters::make_single_site_trees(update.work, site_blocks, update.threads);
  if (update.threads > 1)
    unite_edges(update, SharedParents{update.work.parent.data()});
  else
    unite_edges(update, OwnParents{update.work.parent.data()});
  return clusters::flatten_graph(update.work, site_blocks, update.threads, update.with_sizes);
}

/// Every root of a block of sites decides on the new state of its cluster. @param count number of
/// roots of the block before blocks were united
/// @return sums over the clusters of these roots
ClusterSums decide(const ReplicaUpdate& update, Index begin, Index count, bool in_histogram) {
  constexpr Index most = 256;
  const std::uint32_t* const roots = update.work.roots.data() + begin;
  std::uint32_t words[most], labels[most] = {};
  ClusterSums sums;
  for (Index from = 0; from < count; from += most) {
    const Index own = std::min(most, count - from);
    for (Index n = 0; n < own; ++n) labels[n] = label_of_site(update.view, roots[from + n]);
    bond_row_kernels().label_words(update.keys.of(Stream::cluster_state), update.replica, labels,
                                   (own + 7) / 8 * 8, words);
    for (Index n = 0; n < own; ++n) {
      const std::uint32_t root = roots[from + n];
      if (update.work.parent[root] != root) continue;
      update.work.bonds[root] = decision(update.view, words[n]);
      if (update.with_sizes && is_counted(update.view, update.work.size[root]))
        sums.add_cluster(size_of_cluster(update.work.size[root]), in_histogram);
    }
  }
  return sums;
}

void assign_states(const ReplicaUpdate& update, std::uint8_t* spins, Index begin, Index end) {
  const std::uint32_t* const parent = update.work.parent.data();
  const std::uint8_t* const decided = update.work.bonds.data();
  if (update.view.is_ising)
    for (Index i = begin; i < end; ++i) spins[i] ^= decided[parent[parent[i]]];
  else
    for (Index i = begin; i < end; ++i) spins[i] = decided[parent[parent[i]]];
}

/// States of the next rank's first plane, which is the neighbour of the slab's last plane.
std::vector<std::uint8_t> states_behind(SlabClusters& slab, const std::uint8_t* spins) {
  const auto plane = static_cast<std::size_t>(slab.sites_of_plane());
  std::vector<std::uint8_t> behind(plane);
  slab.planes().exchange(
      {{const_cast<std::uint8_t*>(spins), nullptr, nullptr, behind.data(), plane}});
  return behind;
}

/// New labels for the clusters of a slab that continue on other ranks.
std::vector<MergedLabel> merge_with_ranks(SlabClusters& slab, const ReplicaUpdate& update) {
  const ClusterView& view = update.view;
  const Index plane = slab.sites_of_plane();
  const auto label = [&](Index site) {
    return label_of_site(view,
                         update.work.parent[update.work.parent[static_cast<std::size_t>(site)]]);
  };
  std::vector<std::uint32_t> first(static_cast<std::size_t>(plane)), behind(first.size());
  for (Index i = 0; i < plane; ++i) first[static_cast<std::size_t>(i)] = label(i);
  slab.planes().exchange(
      {{first.data(), nullptr, nullptr, behind.data(), first.size() * sizeof(std::uint32_t)}});
  const std::vector<std::uint8_t> states = states_behind(slab, update.spins);
  std::vector<LabelPair> pairs;
  for (Index i = 0; i < plane && slab.has_border(); ++i) {
    const Index site = view.sites - plane + i;
    const auto n = static_cast<std::size_t>(i);
    if (active_bond_to_next_rank(view, update.keys, update.replica,
                                 static_cast<std::uint64_t>(site), update.spins[site], states[n]))
      pairs.push_back({clusters::replica_label(update.replica, label(site)),
                       clusters::replica_label(update.replica, behind[n])});
  }
  return slab.merge(std::move(pairs));
}

class CpuClusters : public ClusterEngine {
 public:
  CpuClusters(int threads, SlabClusters* slab)
      : threads_(std::max(threads, 1)), slab_(slab), work_(static_cast<std::size_t>(threads_)) {}

  void swendsen_wang(const ClusterView& view, const ClusterKeys& keys, std::uint8_t* states,
                     MeasureClusters measured) override {
    swendsen_wang_updates(view, keys, 1, states, measured);
  }

  void swendsen_wang_updates(const ClusterView& view, ClusterKeys keys, Index updates,
                             std::uint8_t* states, MeasureClusters measured) override {
    const Region region("Swendsen-Wang");
    if (measured != MeasureClusters::no) sums_.assign(static_cast<std::size_t>(view.replicas), {});
    for_replicas(view, [&](Index replica, Workspace& work, int threads) {
      std::uint8_t* const spins = states + replica * view.sites;
      ClusterKeys own = keys;
      for (Index n = 1; n <= updates; ++n, ++own.step) {
        const bool with_sizes = n == updates && measured != MeasureClusters::no;
        update_replica({view, own, replica, spins, work, threads, with_sizes}, spins,
                       measured == MeasureClusters::sums_and_histogram);
      }
    });
  }

  void wolff(const ClusterView& view, const ClusterKeys& keys, Index clusters, std::uint8_t* states,
             MeasureClusters measured) override {
    const Region region("Wolff");
    if (measured != MeasureClusters::no) sums_.assign(static_cast<std::size_t>(view.replicas), {});
    if (view.grid.axes == 0 && bonds_of_.empty()) list_bonds(view);
    parallel_for(threads_, view.replicas, [&](Index replica) {
      Workspace& work = work_[static_cast<std::size_t>(thread_number())];
      work.resize(view.sites);
      std::fill(work.bonds.begin(), work.bonds.end(), std::uint8_t{0});
      std::uint8_t* const spins = states + replica * view.sites;
      ClusterSums sums;
      for (Index n = 0; n < clusters; ++n) {
        const ClusterKeys own{keys.seed, keys.step + static_cast<std::uint64_t>(n),
                              keys.first_replica};
        const ReplicaUpdate update{view, own, replica, spins, work, 1, false};
        const WolffSeed seed = wolff_seed(view, own, replica);
        const Index size = grow(update, static_cast<std::uint32_t>(seed.site));
        for (Index i = 0; i < size; ++i) {
          const std::uint32_t site = work.parent[static_cast<std::size_t>(i)];
          spins[site] = turned_state(view, spins[site], seed.turn);
          work.bonds[site] = 0;
        }
        sums.add_cluster(static_cast<std::uint64_t>(size),
                         measured == MeasureClusters::sums_and_histogram);
      }
      if (measured != MeasureClusters::no) sums_[static_cast<std::size_t>(replica)] = sums;
    });
  }

  void label(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
             std::uint32_t* labels) override {
    for_replicas(view, [&](Index replica, Workspace& work, int threads) {
      const ReplicaUpdate update{view, keys,    replica, states + replica * view.sites,
                                 work, threads, false};
      const SiteBlocks site_blocks = site_blocks_of(view.grid, view.sites, threads);
      find_clusters(update, site_blocks);
      std::vector<MergedLabel> merged;
      if (slab_ != nullptr) merged = merge_with_ranks(*slab_, update);
      const auto is_less = [](const MergedLabel& a, const MergedLabel& b) {
        return a.before < b.before;
      };
      std::sort(merged.begin(), merged.end(), is_less);
      const auto merged_label = [&](std::uint32_t label) {
        const MergedLabel wanted{clusters::replica_label(replica, label), 0};
        const auto found = std::lower_bound(merged.begin(), merged.end(), wanted, is_less);
        const bool is_merged = found != merged.end() && clusters::site_of(found->before) == label;
        return is_merged ? clusters::site_of(found->after) : label;
      };
      parallel_for(threads, site_blocks.count, [&](Index block) {
        for (Index i = site_blocks.first(block); i < site_blocks.last(block); ++i)
          labels[replica * view.sites + i] = merged_label(
              label_of_site(view, work.parent[work.parent[static_cast<std::size_t>(i)]]));
      });
    });
  }

  std::vector<ClusterSums> sums() const override { return sums_; }

  std::vector<StateSums> measure(const ClusterView& view,
                                 const std::uint8_t* states) const override {
    const SiteBlocks site_blocks =
        site_blocks_of(view.grid, view.sites, view.replicas < threads_ ? threads_ : 1);
    std::vector<StateSums> partial_sums(
        static_cast<std::size_t>(view.replicas * site_blocks.count));
    parallel_for(threads_, std::ssize(partial_sums), [&](Index n) {
      const std::uint8_t* const spins = states + n / site_blocks.count * view.sites;
      const Index block = n % site_blocks.count;
      StateSums& partial = partial_sums[static_cast<std::size_t>(n)];
      partial.counts = counts_of(view, spins, site_blocks.first(block), site_blocks.last(block));
      const auto bonds_before = [&](Index blocks) {
        return view.edges.bonds * blocks / site_blocks.count;
      };
      partial.satisfied = view.grid.axes > 0
                              ? satisfied_of_grid(view, n / site_blocks.count, spins,
                                                  site_blocks.first(block), site_blocks.last(block))
                              : satisfied_of_edges(view, n / site_blocks.count, spins,
                                                   bonds_before(block), bonds_before(block + 1));
    });
    std::vector<StateSums> found(static_cast<std::size_t>(view.replicas));
    for (std::size_t n = 0; n < partial_sums.size(); ++n) {
      StateSums& sums = found[n / static_cast<std::size_t>(site_blocks.count)];
      sums.counts.resize(static_cast<std::size_t>(view.states));
      sums.satisfied += partial_sums[n].satisfied;
      for (std::size_t state = 0; state < sums.counts.size(); ++state)
        sums.counts[state] += partial_sums[n].counts[state];
    }
    for (Index replica = 0; replica < view.replicas && slab_ != nullptr; ++replica)
      found[static_cast<std::size_t>(replica)].satisfied +=
          satisfied_to_next_rank(view, replica, states + replica * view.sites);
    return found;
  }

 private:
  void update_replica(const ReplicaUpdate& update, std::uint8_t* spins, bool in_histogram) {
    const ClusterView& view = update.view;
    const SiteBlocks site_blocks = site_blocks_of(view.grid, view.sites, update.threads);
    const std::vector<Index> roots = find_clusters(update, site_blocks);
    std::vector<MergedLabel> merged;
    if (slab_ != nullptr) merged = merge_with_ranks(*slab_, update);
    if (slab_ != nullptr && update.with_sizes) add_merged(update, merged, in_histogram);
    std::vector<ClusterSums> partial_sums(static_cast<std::size_t>(site_blocks.count));
    parallel_for(update.threads, site_blocks.count, [&](Index block) {
      partial_sums[static_cast<std::size_t>(block)] = decide(
          update, site_blocks.first(block), roots[static_cast<std::size_t>(block)], in_histogram);
    });
    for (const MergedLabel& label : merged)
      update.work.bonds[site_of_label(view, clusters::site_of(label.before))] =
          decision(view, label_word(update.keys, update.replica, clusters::site_of(label.after)));
    if (update.with_sizes)
      for (const ClusterSums& partial : partial_sums)
        sums_[static_cast<std::size_t>(update.replica)].add(partial);
    parallel_for(update.threads, site_blocks.count, [&](Index block) {
      assign_states(update, spins, site_blocks.first(block), site_blocks.last(block));
    });
  }

  /// Calls body(replica, workspace, threads that share the replica) for all replicas.
  template <class Body>
  void for_replicas(const ClusterView& view, const Body& body) {
    constexpr Index worth_sharing = 1 << 15;
    // Ranks exchange the labels of one replica after the other.
    if (slab_ == nullptr && (view.replicas >= threads_ || view.sites < worth_sharing)) {
      parallel_for(threads_, view.replicas, [&](Index replica) {
        Workspace& work = work_[static_cast<std::size_t>(thread_number())];
        work.resize(view.sites);
        body(replica, work, 1);
      });
      return;
    }
    work_[0].resize(view.sites);
    for (Index replica = 0; replica < view.replicas; ++replica) body(replica, work_[0], threads_);
  }

  /// Adds the clusters that several ranks have. Their roots on single ranks no longer count them.
  void add_merged(const ReplicaUpdate& update, const std::vector<MergedLabel>& merged,
                  bool in_histogram) {
    std::vector<std::uint32_t> sizes;
    for (const MergedLabel& label : merged) {
      std::uint32_t& size =
          update.work.size[site_of_label(update.view, clusters::site_of(label.before))];
      sizes.push_back(std::exchange(size, 0));
    }
    const std::vector<ClusterSums> sums =
        slab_->merged_sums(merged, sizes, update.view.replicas, in_histogram);
    const auto own = static_cast<std::size_t>(update.replica);
    sums_[own].add(sums[own]);
  }

  /// Lists the sites of a site's cluster in `parent`, and marks them in `bonds`. @return size of
  /// the cluster
  Index grow(const ReplicaUpdate& update, std::uint32_t seed) const {
    const ClusterView& view = update.view;
    Workspace& work = update.work;
    Index size = 0;
    const auto add_site = [&](std::uint32_t site) {
      work.bonds[site] = 1;
      work.parent[static_cast<std::size_t>(size++)] = site;
    };
    add_site(seed);
    for (Index next = 0; next < size; ++next) {
      const std::uint32_t site = work.parent[static_cast<std::size_t>(next)];
      if (view.grid.axes == 0) {
        for (Index n = first_bond_of_[site]; n < first_bond_of_[site + 1]; ++n) {
          const SiteBond& bond = bonds_of_[static_cast<std::size_t>(n)];
          if (work.bonds[bond.other] == 0 &&
              active_edge(view, update.keys, update.replica, update.spins, bond.number))
            add_site(bond.other);
        }
        continue;
      }
      for (int axis = 0; axis < view.grid.axes; ++axis) {
        const clusters::GridView& grid = view.grid;
        const std::uint64_t length = grid.length[axis], x = coordinate(grid, site, axis);
        // The bond begins at its owner and has + direction.
        const auto try_bond = [&](std::uint64_t owner, std::uint64_t along, std::uint64_t other) {
          if (work.bonds[other] == 0 &&
              active_bond(view, update.keys, update.replica, update.spins, owner, along, axis))
            add_site(static_cast<std::uint32_t>(other));
        };
        if (has_bond(grid, x, axis)) try_bond(site, x, next_site(grid, site, x, axis));
        const std::uint64_t x_before = x > 0 ? x - 1 : length - 1;
        const std::uint64_t before = site + (x_before - x) * grid.stride[axis];
        if (has_bond(grid, x_before, axis)) try_bond(before, x_before, before);
      }
    }
    return size;
  }

  static std::vector<Index> counts_of(const ClusterView& view, const std::uint8_t* spins,
                                      Index begin, Index end) {
    if (view.states == 2) {
      Index ones = 0;
      for (Index i = begin; i < end; ++i) ones += spins[i];
      return {end - begin - ones, ones};
    }
    std::vector<Index> counts(static_cast<std::size_t>(view.states));
    for (Index i = begin; i < end; ++i) ++counts[spins[i]];
    return counts;
  }

  static Index satisfied_of_grid(const ClusterView& view, Index replica, const std::uint8_t* spins,
                                 Index begin, Index end) {
    const clusters::GridView& grid = view.grid;
    const auto length = static_cast<Index>(grid.length[0]);
    Index sum = 0;
    const auto add = [&](int axis, Index site, Index count, const std::uint8_t* others) {
      if (view.codes == nullptr) {
        Index equal = 0;
        for (Index i = 0; i < count; ++i) equal += spins[site + i] == others[i] ? 1 : 0;
        sum += view.antiferromagnetic ? count - equal : equal;
        return;
      }
      for (Index i = 0; i < count; ++i) {
        const BondKind kind =
            bond_kind(view, replica, static_cast<std::uint64_t>(axis * view.sites + site + i));
        if (is_satisfied(spins[site + i], others[i], kind.antiferromagnetic))
          sum += weight_of(view, replica, kind.number);
      }
    };
    for (Index first = begin; first < end; first += length) {
      add(0, first, length - 1, spins + first + 1);
      if (has_bond(grid, grid.length[0] - 1, 0)) add(0, first + length - 1, 1, spins + first);
      for (int axis = 1; axis < grid.axes; ++axis) {
        const NextRow next = next_row(grid, first, axis);
        if (next.is_there) add(axis, first, length, spins + next.first_site);
      }
    }
    return sum;
  }

  Index satisfied_to_next_rank(const ClusterView& view, Index replica,
                               const std::uint8_t* spins) const {
    const Index plane = slab_->sites_of_plane(), last = view.sites - plane;
    const std::vector<std::uint8_t> behind = states_behind(*slab_, spins);
    Index sum = 0;
    for (Index i = 0; i < plane && slab_->has_border(); ++i) {
      const Index slot = (view.grid.axes - 1) * view.sites + last + i;
      const BondKind kind = bond_kind(view, replica, static_cast<std::uint64_t>(slot));
      if (is_satisfied(spins[last + i], behind[static_cast<std::size_t>(i)],
                       kind.antiferromagnetic))
        sum += weight_of(view, replica, kind.number);
    }
    return sum;
  }

  static Index satisfied_of_edges(const ClusterView& view, Index replica, const std::uint8_t* spins,
                                  Index begin, Index end) {
    Index sum = 0;
    for (Index bond = begin; bond < end; ++bond) {
      const BondKind kind = bond_kind(view, replica, static_cast<std::uint64_t>(bond));
      if (is_satisfied(spins[view.edges.ends[2 * bond]], spins[view.edges.ends[2 * bond + 1]],
                       kind.antiferromagnetic))
        sum += weight_of(view, replica, kind.number);
    }
    return sum;
  }

  void list_bonds(const ClusterView& view) {
    first_bond_of_.assign(static_cast<std::size_t>(view.sites) + 1, 0);
    const auto ends = std::span(view.edges.ends, static_cast<std::size_t>(2 * view.edges.bonds));
    for (const std::uint32_t site : ends) ++first_bond_of_[std::size_t{site} + 1];
    for (std::size_t site = 1; site < first_bond_of_.size(); ++site)
      first_bond_of_[site] += first_bond_of_[site - 1];
    std::vector<Index> next(first_bond_of_.begin(), first_bond_of_.end() - 1);
    bonds_of_.resize(ends.size());
    for (std::size_t n = 0; n < ends.size(); ++n)
      bonds_of_[static_cast<std::size_t>(next[ends[n]]++)] = {static_cast<Index>(n / 2),
                                                              ends[n ^ 1]};
  }

  struct SiteBond {
    Index number;
    std::uint32_t other;
  };

  int threads_;
  SlabClusters* slab_;           ///< null: this process has the whole graph
  std::vector<Workspace> work_;  ///< one per thread
  std::vector<ClusterSums> sums_;
  std::vector<Index> first_bond_of_;  ///< for each site of a graph, for Wolff [sites + 1]
  std::vector<SiteBond> bonds_of_;
};

}  // namespace

std::unique_ptr<ClusterEngine> make_cpu_clusters(int threads, SlabClusters* slab) {
  return std::make_unique<CpuClusters>(threads, slab);
}

}  // namespace larmor::ising
