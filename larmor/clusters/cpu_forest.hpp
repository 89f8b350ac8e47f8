#pragma once
// Forests of the sites of one replica, and the access of CPU threads to them. The rows of a grid
// are divided into blocks. Each thread unites the sites within a block. Then threads unite sites
// across the borders of blocks, by compare and exchange. The caller says which bonds are active.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "larmor/clusters/forest.hpp"
#include "larmor/clusters/regular_grid.hpp"
#include "larmor/core/device/parallel.hpp"

namespace larmor::clusters {

/// Trees that only one thread uses.
struct OwnParents {
  std::uint32_t* parent;
  std::uint32_t load(std::uint32_t site) const { return parent[site]; }
  void store(std::uint32_t site, std::uint32_t to) const { parent[site] = to; }
  std::uint32_t hook(std::uint32_t root, std::uint32_t to) const {
    parent[root] = to;
    return root;
  }
};

/// Trees that several threads unite at the same time.
struct SharedParents {
  std::uint32_t* parent;
  std::uint32_t load(std::uint32_t site) const {
    return std::atomic_ref(parent[site]).load(std::memory_order_relaxed);
  }
  void store(std::uint32_t site, std::uint32_t to) const {
    std::atomic_ref(parent[site]).store(to, std::memory_order_relaxed);
  }
  std::uint32_t hook(std::uint32_t root, std::uint32_t to) const {
    std::uint32_t expected = root;
    std::atomic_ref(parent[root]).compare_exchange_strong(expected, to, std::memory_order_relaxed);
    return expected;
  }
};

/// Buffers for one replica at a time.
struct Workspace {
  std::vector<std::uint32_t> parent, size;
  /// For each block, from the index of its first site on: the roots of the block before blocks were
  /// united.
  std::vector<std::uint32_t> roots;
  /// First the active bonds of each site, later the decision of its cluster.
  std::vector<std::uint8_t> bonds;

  /// Fills all arrays with zeros if the number of sites changes.
  void resize(Index sites);
};

/// Consecutive blocks of sites; for a grid, of whole rows.
struct SiteBlocks {
  Index count, sites_of_block, sites;
  Index first(Index block) const { return std::min(sites, block * sites_of_block); }
  Index last(Index block) const { return std::min(sites, (block + 1) * sites_of_block); }
};

/// @param threads number of threads that share the sites
SiteBlocks site_blocks_of(const GridView& grid, Index sites, int threads);

/// The next row of a grid in +axis.
struct NextRow {
  bool is_there, wraps;
  Index first_site;
};
NextRow next_row(const GridView& grid, Index row_site, int axis);

/// A forest that is being built. If `with_sizes`, `size` of each root counts the sites of its tree.
struct GridForest {
  const GridView& grid;
  Workspace& work;
  bool with_sizes;
};

/// Unites the sites of a row with their neighbours in this row and in earlier rows of the block, if
/// `bonds` holds the bonds between them. If a bond leads around an axis, it unites the row with the
/// first row along the axis.
/// @param begin first site of the block @param first first site of the row
void unite_row(const GridForest& forest, Index begin, Index first);
/// Unites the sites of a block with their neighbours in other blocks. Several threads may call it
/// for different blocks at one time. @param begin, end sites of the block
void unite_borders(const GridForest& forest, Index begin, Index end);
/// Makes each site of a block refer to its root in the block, and counts sizes. @return number of
/// roots
Index flatten_block(const GridForest& forest, Index begin, Index end);
/// Some roots of a block were hooked to other trees. Makes these sites refer to the final root, and
/// adds their sizes to its size. @param count number of roots
void resolve_block(const GridForest& forest, Index begin, Index count);

/// Builds trees in which every site refers to its root, or to a site that does. `size` of a root
/// becomes the size of its cluster.
/// @param draw (first, last): draws the bonds of these sites, which are whole rows
/// @param keep (first): keeps in `bonds` only the active bonds of the row that begins with this
/// site
/// @return the number of roots of each block before blocks were united
template <class Draw, class Keep>
std::vector<Index> unite_grid(const GridForest& forest, const SiteBlocks& site_blocks, int threads,
                              const Draw& draw, const Keep& keep) {
  const auto length = static_cast<Index>(forest.grid.length[0]);
  std::vector<Index> roots(static_cast<std::size_t>(site_blocks.count));
  parallel_for(threads, site_blocks.count, [&](Index block) {
    const Index begin = site_blocks.first(block), end = site_blocks.last(block);
    for (Index first = begin; first < end; first += length) {
      // Bonds of several rows are drawn at once, because random words come in whole groups.
      constexpr Index drawn_at_once = 4096;
      const Index drawn = std::max(length, drawn_at_once / length * length);
      if ((first - begin) % drawn == 0) draw(first, std::min(end, first + drawn));
      keep(first);
      unite_row(forest, begin, first);
    }
    roots[static_cast<std::size_t>(block)] = flatten_block(forest, begin, end);
  });
  if (site_blocks.count == 1) return roots;
  parallel_for(threads, site_blocks.count, [&](Index block) {
    unite_borders(forest, site_blocks.first(block), site_blocks.last(block));
  });
  parallel_for(threads, site_blocks.count, [&](Index block) {
    resolve_block(forest, site_blocks.first(block), roots[static_cast<std::size_t>(block)]);
  });
  return roots;
}

/// Makes every site a tree of its own, before the bonds of a graph unite them.
void make_single_site_trees(Workspace& work, const SiteBlocks& site_blocks, int threads);
/// Makes each site refer to its root, and counts sizes. @return number of roots of each block
std::vector<Index> flatten_graph(Workspace& work, const SiteBlocks& site_blocks, int threads,
                                 bool with_sizes);

}  // namespace larmor::clusters
