// Clusters of reflections on the threads of a CPU. Each thread has its own replicas, or all threads
// share one replica.

#include <atomic>
#include <cstring>

#include "larmor/clusters/cpu_forest.hpp"
#include "larmor/clusters/grown_cluster.hpp"
#include "larmor/clusters/reflection_engine.hpp"
#include "larmor/clusters/row_kernels.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/maths/ordered_sum.hpp"

namespace larmor::clusters {
namespace {

/// Buffers for one replica at a time.
struct ReflectionWorkspace {
  GrownCluster grown;
  Workspace forest;
  std::vector<float> sigma;
  std::vector<Index> moment;  ///< sum of sigma of the cluster of each root

  void resize(Index sites) {
    forest.resize(sites);
    // The array has one more number, because the kernel reads the next site of the last site of a
    // row.
    sigma.resize(static_cast<std::size_t>(sites) + 1);
    moment.resize(static_cast<std::size_t>(sites));
  }
};

/// One update of one replica.
struct ReplicaUpdate {
  const ReflectionClusterView& view;
  const ClusterKeys& keys;
  Index replica;
  ReflectionWorkspace& work;
  int threads;  ///< number of threads that share the replica
  bool measured;
};

/// Calls the kernel `activate` for consecutive sites whose neighbours in +axis are also
/// consecutive.
void activate(const ReplicaUpdate& update, Index first, Index count, Index other, int axis,
              const std::uint32_t* words) {
  const float* const sigma = update.work.sigma.data();
  reflection_row_kernels().activate(
      sigma + first, sigma + other, words, count, strength_of(update.view, update.replica),
      static_cast<std::uint8_t>(1u << axis), update.work.forest.bonds.data() + first);
}

/// Tests the bonds of the sites [first, last) in +axis. @param words random words of these bonds
void draw_axis(const ReplicaUpdate& update, int axis, Index first, Index last,
               const std::uint32_t* words) {
  const GridView& grid = update.view.grid;
  if (grid.length[axis] == 1) return;
  const auto stride = static_cast<Index>(grid.stride[axis]);
  const Index plane = stride * static_cast<Index>(grid.length[axis]), inner = plane - stride;
  // Along x, all bonds are tested at once as if rows did not end. The loop then corrects the bonds
  // at the ends of rows.
  if (stride == 1) activate(update, first, last - first, first + 1, axis, words);
  for (Index site = first; site < last;) {
    const Index place = site % plane, start = site - place;
    const bool wraps = place >= inner;
    const Index end = std::min(last, start + (wraps ? plane : inner));
    const std::uint32_t* const own = words + (site - first);
    if (stride > 1 && !wraps) activate(update, site, end - site, site + stride, axis, own);
    if (wraps && stride == 1)
      update.work.forest.bonds[static_cast<std::size_t>(site)] &=
          static_cast<std::uint8_t>(~(1u << axis));
    if (wraps && grid.periodic[axis]) activate(update, site, end - site, site - inner, axis, own);
    site = end;
  }
}

/// Tests the bonds of the sites [first, last), and stores the active ones.
void draw_bonds(const ReplicaUpdate& update, Index first, Index last) {
  const GridView& grid = update.view.grid;
  const Index group = sites_of_group(grid.words_shift);
  const int words_of_site = 1 << grid.words_shift;
  constexpr Index block = 4096, most = block + 64;
  std::uint32_t drawn[4 * most], words[4 * most];
  for (Index from = first; from < last; from += block) {
    const Index to = std::min(last, from + block);
    const Index first_group = from / group;
    const Index groups = (to + group - 1) / group - first_group;
    bond_row_kernels().words(update.keys.of(Stream::cluster_bond), update.replica, grid.words_shift,
                             first_group, groups, drawn);
    for (Index g = 0; g < groups; ++g)
      for (int axis = 0; axis < grid.axes; ++axis)
        std::memcpy(words + axis * most + g * group, drawn + (g * words_of_site + axis) * group,
                    static_cast<std::size_t>(group) * sizeof(std::uint32_t));
    std::memset(update.work.forest.bonds.data() + from, 0, static_cast<std::size_t>(to - from));
    for (int axis = 0; axis < grid.axes; ++axis)
      draw_axis(update, axis, from, to, words + axis * most + (from - first_group * group));
  }
}

template <class Parents>
void unite_edges(const ReplicaUpdate& update, const Parents& trees) {
  const ReflectionClusterView& view = update.view;
  const float* const sigma = update.work.sigma.data();
  constexpr Index block = 4096;
  parallel_for(update.threads, (view.edges.bonds + block - 1) / block, [&](Index n) {
    for (Index bond = n * block; bond < std::min(view.edges.bonds, (n + 1) * block); ++bond)
      if (active_edge(view, update.keys, update.replica, sigma, bond))
        unite(trees, view.edges.ends[2 * bond], view.edges.ends[2 * bond + 1]);
  });
}

/// Builds trees in which every site refers to its root, or to a site that does.
/// @return the number of roots of each block before blocks were united
std::vector<Index> find_clusters(const ReplicaUpdate& update, const SiteBlocks& site_blocks) {
  Workspace& forest = update.work.forest;
  if (update.view.grid.axes > 0)
    return unite_grid(
        GridForest{update.view.grid, forest, update.measured}, site_blocks, update.threads,
        [&](Index first, Index last) { draw_bonds(update, first, last); }, [](Index) {});
  make_single_site_trees(forest, site_blocks, update.threads);
  if (update.threads > 1)
    unite_edges(update, SharedParents{forest.parent.data()});
  else
    unite_edges(update, OwnParents{forest.parent.data()});
  return flatten_graph(forest, site_blocks, update.threads, update.measured);
}

/// The label of a site's cluster, once clusters are found.
std::uint32_t label_of(const ReplicaUpdate& update, Index site) {
  const std::uint32_t* const parent = update.work.forest.parent.data();
  return parent[parent[site]];
}

class CpuReflections : public ReflectionEngine {
 public:
  explicit CpuReflections(int threads)
      : threads_(std::max(threads, 1)), work_(static_cast<std::size_t>(threads_)) {}

  void update(ReflectionClusterView view, const ClusterKeys& keys, ReflectedField& field,
              Reflected reflected, bool measured) override {
    const Region region("clusters of reflections");
    for_replicas(view, [&](Index replica, ReflectionWorkspace& work, int threads) {
      const ReplicaUpdate update{view, keys, replica, work, threads, measured};
      const auto first = static_cast<std::uint32_t>(seed_site(view, keys, replica));
      if (reflected == Reflected::seed_cluster && view.grid.axes > 0 && grow(update, field, first))
        return;
      work.resize(view.sites);
      const SiteBlocks site_blocks = site_blocks_of(view.grid, view.sites, threads);
      parallel_for(threads, site_blocks.count, [&](Index block) {
        field.project(replica, site_blocks.first(block), site_blocks.last(block),
                      work.sigma.data());
      });
      const std::vector<Index> roots = find_clusters(update, site_blocks);
      std::uint32_t seed = 0;
      if (reflected == Reflected::seed_cluster)
        seed = label_of(update, first);
      else
        decide(update, site_blocks, roots);
      if (measured) measure(update, site_blocks, reflected, seed);
      std::uint8_t* const chosen = work.forest.bonds.data();
      // `roots` now holds the decisions of roots, so `bonds` can hold those of sites.
      parallel_for(threads, site_blocks.count, [&](Index block) {
        for (Index i = site_blocks.first(block); i < site_blocks.last(block); ++i) {
          const std::uint32_t label = label_of(update, i);
          chosen[i] = static_cast<std::uint8_t>(reflected == Reflected::seed_cluster
                                                    ? (label == seed ? 1 : 0)
                                                    : work.forest.roots[label]);
        }
        field.reflect(replica, site_blocks.first(block), site_blocks.last(block), work.sigma.data(),
                      chosen);
      });
    });
  }

  void clear_sums(Index replicas) override { sums_.assign(static_cast<std::size_t>(replicas), {}); }
  std::vector<ReflectionSums> sums() const override { return sums_; }

 private:
  /// Calls body(replica, workspace, threads that share the replica) for all replicas.
  template <class Body>
  void for_replicas(const ReflectionClusterView& view, const Body& body) {
    constexpr Index worth_sharing = 1 << 13;
    if (view.replicas >= threads_ || view.sites < worth_sharing) {
      parallel_for(threads_, view.replicas, [&](Index replica) {
        body(replica, work_[static_cast<std::size_t>(thread_number())], 1);
      });
      return;
    }
    for (Index replica = 0; replica < view.replicas; ++replica) body(replica, work_[0], threads_);
  }

  /// Reflects the cluster of a site if the cluster is small enough that its growth is the fastest
  /// method.
  /// @return whether it was reflected
  bool grow(const ReplicaUpdate& update, ReflectedField& field, std::uint32_t first) {
    // A site of a growing cluster takes as long as this many sites in the labelling of all
    // clusters. Growth uses one thread, and the labelling uses all.
    constexpr Index as_fast = 8;
    const ReflectionClusterView& view = update.view;
    GrownCluster& grown = update.work.grown;
    const Index most = std::max(view.sites / (as_fast * update.threads), Index{64});
    if (!grown.grow(view, update.keys, update.replica, field, first, most)) return false;
    const std::vector<std::uint32_t>& sites = grown.sites();
    if (update.measured) {
      Index moment = 0;
      for (const std::uint32_t site : sites) moment += whole(view, grown.sigma()[site]);
      add_seed_sums(update, sites.size(), moment);
    }
    field.reflect_sites(update.replica, sites.data(), std::ssize(sites), grown.sigma(),
                        grown.marks());
    return true;
  }

  /// Adds the sums of the seed's cluster. @param moment sum of sigma over the cluster
  void add_seed_sums(const ReplicaUpdate& update, std::uint64_t size, Index moment) {
    ReflectionSums& sums = sums_[static_cast<std::size_t>(update.replica)];
    const double S = static_cast<double>(moment) / static_cast<double>(update.view.unit);
    sums.clusters.add_cluster(size, false);
    sums.projection_squares += S * S / static_cast<double>(size);
  }

  /// Writes to `roots` for every root whether its cluster is reflected. @param count number of
  /// roots of each block
  static void decide(const ReplicaUpdate& update, const SiteBlocks& site_blocks,
                     const std::vector<Index>& count) {
    Workspace& forest = update.work.forest;
    parallel_for(update.threads, site_blocks.count, [&](Index block) {
      constexpr Index most = 256;
      std::uint32_t words[most], labels[most] = {};
      const Index begin = site_blocks.first(block);
      Index left = count[static_cast<std::size_t>(block)];
      // Each decision overwrites the list of roots at the index of its root. A root is never
      // smaller than its place in the list, so the loop goes from the end and loses no unread root.
      while (left > 0) {
        const Index own = std::min(most, left);
        left -= own;
        std::copy_n(forest.roots.data() + begin + left, own, labels);
        bond_row_kernels().label_words(update.keys.of(Stream::cluster_state), update.replica,
                                       labels, (own + 7) / 8 * 8, words);
        for (Index n = own - 1; n >= 0; --n)
          forest.roots[labels[n]] = is_reflected(words[n]) ? 1 : 0;
      }
    });
  }

  void measure(const ReplicaUpdate& update, const SiteBlocks& site_blocks, Reflected reflected,
               std::uint32_t seed) {
    ReflectionWorkspace& work = update.work;
    const ReflectionClusterView& view = update.view;
    parallel_for(update.threads, site_blocks.count, [&](Index block) {
      std::fill(work.moment.begin() + site_blocks.first(block),
                work.moment.begin() + site_blocks.last(block), Index{0});
    });
    parallel_for(update.threads, site_blocks.count, [&](Index block) {
      for (Index i = site_blocks.first(block); i < site_blocks.last(block); ++i) {
        const Index own = whole(view, work.sigma[static_cast<std::size_t>(i)]);
        Index& sum = work.moment[label_of(update, i)];
        if (update.threads > 1)
          std::atomic_ref(sum).fetch_add(own, std::memory_order_relaxed);
        else
          sum += own;
      }
    });
    if (reflected == Reflected::seed_cluster)
      return add_seed_sums(update, size_of_cluster(work.forest.size[seed]),
                           work.moment[static_cast<std::size_t>(seed)]);
    ReflectionSums& sums = sums_[static_cast<std::size_t>(update.replica)];
    const std::uint32_t* const parent = work.forest.parent.data();
    const auto square = [&](Index root) {
      const double S = static_cast<double>(work.moment[static_cast<std::size_t>(root)]) /
                       static_cast<double>(view.unit);
      return S * S;
    };
    for (Index i = 0; i < view.sites; ++i)
      if (parent[i] == static_cast<std::uint32_t>(i))
        sums.clusters.add_cluster(size_of_cluster(work.forest.size[static_cast<std::size_t>(i)]),
                                  false);
    sums.projection_squares += tree_sum(sum_blocks_of(view.sites), [&](Index site_block) {
      const Index first = site_block * sites_of_sum_block;
      return tree_sum(std::min(sites_of_sum_block, view.sites - first), [&](Index i) {
        return parent[first + i] == static_cast<std::uint32_t>(first + i) ? square(first + i) : 0.0;
      });
    });
  }

  int threads_;
  std::vector<ReflectionWorkspace> work_;  ///< one per thread
  std::vector<ReflectionSums> sums_;
};

}  // namespace

std::unique_ptr<ReflectionEngine> make_cpu_reflections(int threads) {
  return std::make_unique<CpuReflections>(threads);
}

}  // namespace larmor::clusters
