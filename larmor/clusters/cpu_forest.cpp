#include "larmor/clusters/cpu_forest.hpp"

#include <atomic>

namespace larmor::clusters {
namespace {

/// An earlier row with bonds to the row that is being united.
struct EarlierRow {
  std::uint32_t distance;
  int axis;
};

/// `yes` for the condition 1, `no` for 0.
inline std::uint32_t chosen(std::uint32_t condition, std::uint32_t yes, std::uint32_t no) {
  return no ^ ((no ^ yes) & (0u - condition));
}

/// Adds the sites of a row to trees of its own sites and of earlier rows.
template <int count>
void attach_row(const GridForest& forest, Index first, const EarlierRow* rows) {
  const OwnParents trees{forest.work.parent.data()};
  std::uint32_t* const parent = trees.parent;
  const std::uint8_t* const bonds = forest.work.bonds.data();
  const auto length = static_cast<std::uint32_t>(forest.grid.length[0]);
  const auto begin = static_cast<std::uint32_t>(first);
  std::uint32_t label = begin;
  unsigned joined = 0;  // 1 if the site is joined to the previous site of the row
  for (std::uint32_t x = 0; x < length; ++x) {
    const std::uint32_t site = begin + x;
    // Any site of a tree can be the parent. So no root is searched if only one bond is active.
    // Masks select the results, to avoid branches.
    label = chosen(joined, label, site);
    for (int n = 0; n < count; ++n) {
      const std::uint32_t before = site - rows[n].distance;
      const unsigned active = bonds[before] >> rows[n].axis & 1u;
      const std::uint32_t other = parent[parent[before]];
      if ((active & joined & static_cast<unsigned>(other != label)) != 0)
        label = unite(trees, label, other);
      label = chosen(active & ~joined, other, label);
      joined |= active;
    }
    parent[site] = label;
    joined = bonds[site] & 1u;
  }
  if (joined != 0) unite(trees, begin + length - 1, begin);
}

template <class Parents>
void unite_rows(const GridForest& forest, const Parents& trees, Index first, Index other,
                int axis) {
  const std::uint8_t* const bonds = forest.work.bonds.data();
  const auto length = static_cast<Index>(forest.grid.length[0]);
  for (Index x = 0; x < length; ++x)
    if ((bonds[first + x] >> axis & 1u) != 0)
      unite(trees, static_cast<std::uint32_t>(first + x), static_cast<std::uint32_t>(other + x));
}

}  // namespace

void Workspace::resize(Index sites) {
  const auto count = static_cast<std::size_t>(sites);
  if (parent.size() == count) return;
  parent.assign(count, 0);
  size.assign(count, 0);
  roots.assign(count, 0);
  bonds.assign(count, 0);
}

SiteBlocks site_blocks_of(const GridView& grid, Index sites, int threads) {
  // With this many blocks, threads that begin late still find work.
  constexpr Index blocks_of_thread = 4;
  const Index row = grid.axes > 0 ? static_cast<Index>(grid.length[0]) : Index{1};
  const Index rows = sites / row;
  const Index wanted = threads > 1 ? std::min(rows, threads * blocks_of_thread) : 1;
  const Index rows_of_block = (rows + wanted - 1) / wanted;
  return {(rows + rows_of_block - 1) / rows_of_block, rows_of_block * row, sites};
}

NextRow next_row(const GridView& grid, Index row_site, int axis) {
  const auto site = static_cast<std::uint64_t>(row_site);
  const std::uint64_t x = coordinate(grid, site, axis);
  return {has_bond(grid, x, axis), x + 1 == grid.length[axis],
          static_cast<Index>(next_site(grid, site, x, axis))};
}

void unite_row(const GridForest& forest, Index begin, Index first) {
  const GridView& grid = forest.grid;
  EarlierRow rows[3];
  int count = 0;
  for (int axis = 1; axis < grid.axes; ++axis) {
    const auto stride = static_cast<Index>(grid.stride[axis]);
    if (coordinate(grid, static_cast<std::uint64_t>(first), axis) > 0 && first - stride >= begin)
      rows[count++] = {static_cast<std::uint32_t>(stride), axis};
  }
  if (count == 0)
    attach_row<0>(forest, first, rows);
  else if (count == 1)
    attach_row<1>(forest, first, rows);
  else if (count == 2)
    attach_row<2>(forest, first, rows);
  else
    attach_row<3>(forest, first, rows);
  for (int axis = 1; axis < grid.axes; ++axis) {
    const NextRow next = next_row(grid, first, axis);
    if (next.is_there && next.wraps && next.first_site >= begin)
      unite_rows(forest, OwnParents{forest.work.parent.data()}, first, next.first_site, axis);
  }
}

void unite_borders(const GridForest& forest, Index begin, Index end) {
  const GridView& grid = forest.grid;
  const auto length = static_cast<Index>(grid.length[0]);
  for (Index first = begin; first < end; first += length)
    for (int axis = 1; axis < grid.axes; ++axis) {
      const NextRow next = next_row(grid, first, axis);
      if (next.is_there && (next.first_site < begin || next.first_site >= end))
        unite_rows(forest, SharedParents{forest.work.parent.data()}, first, next.first_site, axis);
    }
}

Index flatten_block(const GridForest& forest, Index begin, Index end) {
  std::uint32_t* const parent = forest.work.parent.data();
  std::uint32_t* const size = forest.work.size.data();
  std::uint32_t* const roots = forest.work.roots.data() + begin;
  Index count = 0;
  for (Index i = begin; i < end; ++i) {
    const auto site = static_cast<std::uint32_t>(i);
    // The parent of a site is smaller, and its own parent is already its root.
    const std::uint32_t root = parent[parent[site]];
    parent[site] = root;
    roots[count] = site;
    count += root == site ? 1 : 0;
    if (forest.with_sizes) {
      size[site] = 0;
      ++size[root];
    }
  }
  return count;
}

void resolve_block(const GridForest& forest, Index begin, Index count) {
  const SharedParents trees{forest.work.parent.data()};
  for (Index n = 0; n < count; ++n) {
    const std::uint32_t site = forest.work.roots[static_cast<std::size_t>(begin + n)];
    const std::uint32_t root = find_root(trees, site);
    if (root == site) continue;
    trees.store(site, root);
    if (forest.with_sizes)
      std::atomic_ref(forest.work.size[root])
          .fetch_add(forest.work.size[site], std::memory_order_relaxed);
  }
}

void make_single_site_trees(Workspace& work, const SiteBlocks& site_blocks, int threads) {
  parallel_for(threads, site_blocks.count, [&](Index block) {
    for (Index i = site_blocks.first(block); i < site_blocks.last(block); ++i) {
      work.parent[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(i);
      work.size[static_cast<std::size_t>(i)] = 0;
    }
  });
}

std::vector<Index> flatten_graph(Workspace& work, const SiteBlocks& site_blocks, int threads,
                                 bool with_sizes) {
  std::vector<Index> roots(static_cast<std::size_t>(site_blocks.count));
  const SharedParents trees{work.parent.data()};
  parallel_for(threads, site_blocks.count, [&](Index block) {
    std::uint32_t* const own = work.roots.data() + site_blocks.first(block);
    Index count = 0;
    for (Index i = site_blocks.first(block); i < site_blocks.last(block); ++i) {
      const auto site = static_cast<std::uint32_t>(i);
      const std::uint32_t root = find_root(trees, site);
      trees.store(site, root);
      if (root == site) own[count++] = site;
      if (!with_sizes) continue;
      if (threads > 1)
        std::atomic_ref(work.size[root]).fetch_add(1, std::memory_order_relaxed);
      else
        ++work.size[root];
    }
    roots[static_cast<std::size_t>(block)] = count;
  });
  return roots;
}

}  // namespace larmor::clusters
