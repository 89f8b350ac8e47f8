#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::lattice {

/// The bonds of each site: entries offset[i] to offset[i + 1] - 1 belong to site i. Symmetric.
struct Graph {
  std::vector<Index> offset;            ///< [sites + 1]
  std::vector<std::int32_t> neighbour;  ///< the site at the other end
  std::vector<std::int32_t> bond;       ///< number of the bond; may be empty

  Index sites() const { return static_cast<Index>(offset.size()) - 1; }
  Index degree(Index site) const {
    const auto i = static_cast<std::size_t>(site);
    return offset[i + 1] - offset[i];
  }
};

/// The graph of these bonds. The bonds of each site keep their order.
/// @param bonds fewer than 2^31; each has members i and j, which are different sites
template <class Bond>
Graph graph_of(Index sites, std::span<const Bond> bonds) {
  Graph graph;
  graph.offset.assign(static_cast<std::size_t>(sites) + 1, 0);
  for (const Bond& bond : bonds) {
    ++graph.offset[static_cast<std::size_t>(bond.i) + 1];
    ++graph.offset[static_cast<std::size_t>(bond.j) + 1];
  }
  for (std::size_t i = 1; i < graph.offset.size(); ++i) graph.offset[i] += graph.offset[i - 1];
  graph.neighbour.resize(2 * bonds.size());
  graph.bond.resize(2 * bonds.size());
  std::vector<Index> next(graph.offset.begin(), graph.offset.end() - 1);
  for (std::size_t n = 0; n < bonds.size(); ++n) {
    const auto add = [&](Index from, Index to) {
      const auto entry = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
      graph.neighbour[entry] = static_cast<std::int32_t>(to);
      graph.bond[entry] = static_cast<std::int32_t>(n);
    };
    add(bonds[n].i, bonds[n].j);
    add(bonds[n].j, bonds[n].i);
  }
  return graph;
}

}  // namespace larmor::lattice
