#pragma once
// Colours of the sites of an interaction graph: sites of one colour do not interact. So a Monte
// Carlo sweep over the colours is exactly a sequential sweep in some order.

#include <vector>

#include "larmor/lattice/graph.hpp"

namespace larmor::lattice {

/// Colour of a vacancy, which is never updated.
inline constexpr std::int32_t no_colour = -1;

struct Colouring {
  std::vector<std::int32_t> colour;  ///< of each site
  std::int32_t colours = 0;
};

/// The colouring has two colours if the graph is bipartite. Otherwise it is greedy, in
/// breadth-first order. The result depends only on the graph.
Colouring greedy_colouring(const Graph& graph);

}  // namespace larmor::lattice
