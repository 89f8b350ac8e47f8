#pragma once
// Colours for the sites of an interaction graph, so that sites of one colour do not interact: a
// Monte Carlo sweep colour by colour is exactly a sequential sweep in some order.

#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::lattice {

/// Neighbours of site i: neighbour[offset[i]] to neighbour[offset[i + 1] - 1]. Symmetric.
struct Graph {
  std::vector<Index> offset;
  std::vector<std::int32_t> neighbour;

  Index sites() const { return static_cast<Index>(offset.size()) - 1; }
};

/// Of a site where nothing is to be updated: a vacancy.
inline constexpr std::int32_t no_colour = -1;

struct Colouring {
  std::vector<std::int32_t> colour;  ///< of each site
  std::int32_t colours = 0;
};

/// Two colours where the graph is bipartite; otherwise greedy, in the order of a breadth-first
/// search. Depends on the graph alone.
Colouring greedy_colouring(const Graph& graph);

}  // namespace larmor::lattice
