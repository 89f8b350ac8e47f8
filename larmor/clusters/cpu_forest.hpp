#pragma once
// Forests of the sites of one replica on threads of a CPU. The rows of a grid are cut into chunks:
// each thread unites sites within a chunk, then across the borders of chunks by compare and
// exchange. Which bonds are active, whoever calls says.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "larmor/clusters/cpu_parents.hpp"
#include "larmor/clusters/forest.hpp"
#include "larmor/clusters/regular_grid.hpp"
#include "larmor/core/device/parallel.hpp"

namespace larmor::clusters {

/// Of one replica at a time.
struct Workspace {
  std::vector<std::uint32_t> parent, size;
  /// Of each chunk, from its first site on: the roots among its sites before chunks were united.
  std::vector<std::uint32_t> roots;
  /// Active bonds of each site, then what its cluster decided.
  std::vector<std::uint8_t> bonds;

  void fit(Index sites);
};

/// Consecutive pieces of the sites; of a grid whole rows.
struct Chunks {
  Index count, sites_of_chunk, sites;
  Index first(Index chunk) const { return std::min(sites, chunk * sites_of_chunk); }
  Index last(Index chunk) const { return std::min(sites, (chunk + 1) * sites_of_chunk); }
};

/// @param threads that share the sites
Chunks chunks_of(const GridView& grid, Index sites, int threads);

/// What a row of a grid has in +axis.
struct NextRow {
  bool is_there, wraps;
  Index first_site;
};
NextRow next_row(const GridView& grid, Index row_site, int axis);

/// Sizes of trees are counted in `size` of their roots while sites are united.
struct GridForest {
  const GridView& grid;
  Workspace& work;
  bool with_sizes;
};

/// Joins each site of some rows with those behind it in the same rows, by their `bonds`.
/// @param begin, end of a chunk @param first of the row
void unite_row(const GridForest& forest, Index begin, Index first);
/// Joins the rows of a chunk with those behind them in other chunks.
void unite_borders(const GridForest& forest, Index begin, Index end);
/// Each site refers to its root of the chunk, which knows how many do. @return number of roots
Index flatten_chunk(const GridForest& forest, Index begin, Index end);
/// Those roots of a chunk that were hooked to others refer to the root of the whole, and bring what
/// they counted. @param count of roots
void resolve_chunk(const GridForest& forest, Index begin, Index count);

/// Leaves trees of which every site refers to its root, or to a site that does, and in `size` of
/// the roots the sizes of their clusters.
/// @param draw (first, last): begins with the bonds of these sites, whole rows
/// @param keep (first): leaves in `bonds` of a row, whose first site it is, what is active
/// @return number of roots of each chunk before chunks were united
template <class Draw, class Keep>
std::vector<Index> unite_grid(const GridForest& forest, const Chunks& chunks, int threads,
                              const Draw& draw, const Keep& keep) {
  const auto length = static_cast<Index>(forest.grid.length[0]);
  std::vector<Index> roots(static_cast<std::size_t>(chunks.count));
  parallel_for(threads, chunks.count, [&](Index chunk) {
    const Index begin = chunks.first(chunk), end = chunks.last(chunk);
    for (Index first = begin; first < end; first += length) {
      // Some rows at once: their words come in whole blocks.
      constexpr Index drawn_at_once = 4096;
      const Index drawn = std::max(length, drawn_at_once / length * length);
      if ((first - begin) % drawn == 0) draw(first, std::min(end, first + drawn));
      keep(first);
      unite_row(forest, begin, first);
    }
    roots[static_cast<std::size_t>(chunk)] = flatten_chunk(forest, begin, end);
  });
  if (chunks.count == 1) return roots;
  parallel_for(threads, chunks.count, [&](Index chunk) {
    unite_borders(forest, chunks.first(chunk), chunks.last(chunk));
  });
  parallel_for(threads, chunks.count, [&](Index chunk) {
    resolve_chunk(forest, chunks.first(chunk), roots[static_cast<std::size_t>(chunk)]);
  });
  return roots;
}

/// Every site a tree of its own. Then sites that bonds of any graph join: united by one thread, or
/// by several at a time.
void plant(Workspace& work, const Chunks& chunks, int threads);
/// Each site refers to its root, which counts. @return number of roots of each chunk
std::vector<Index> flatten_graph(Workspace& work, const Chunks& chunks, int threads,
                                 bool with_sizes);

}  // namespace larmor::clusters
