#include "larmor/lattice/colouring.hpp"

#include <algorithm>

namespace larmor::lattice {
namespace {

/// Sites in breadth-first order, component by component.
std::vector<std::int32_t> breadth_first(const Graph& graph) {
  std::vector<std::int32_t> order;
  std::vector<bool> seen(static_cast<std::size_t>(graph.sites()));
  order.reserve(seen.size());
  for (Index root = 0; root < graph.sites(); ++root) {
    if (seen[static_cast<std::size_t>(root)]) continue;
    seen[static_cast<std::size_t>(root)] = true;
    std::size_t next = order.size();
    order.push_back(static_cast<std::int32_t>(root));
    for (; next < order.size(); ++next) {
      const auto i = static_cast<std::size_t>(order[next]);
      for (Index k = graph.offset[i]; k < graph.offset[i + 1]; ++k) {
        const std::int32_t j = graph.neighbour[static_cast<std::size_t>(k)];
        if (seen[static_cast<std::size_t>(j)]) continue;
        seen[static_cast<std::size_t>(j)] = true;
        order.push_back(j);
      }
    }
  }
  return order;
}

}  // namespace

Colouring greedy_colouring(const Graph& graph) {
  // In breadth-first order, the coloured neighbours of a site of a bipartite graph all have one
  // colour. So two colours suffice.
  Colouring result;
  result.colour.assign(static_cast<std::size_t>(graph.sites()), -1);
  std::vector<std::int32_t> used;
  for (const std::int32_t site : breadth_first(graph)) {
    const auto i = static_cast<std::size_t>(site);
    used.clear();
    for (Index k = graph.offset[i]; k < graph.offset[i + 1]; ++k)
      used.push_back(
          result.colour[static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(k)])]);
    std::int32_t colour = 0;
    while (std::find(used.begin(), used.end(), colour) != used.end()) ++colour;
    result.colour[i] = colour;
    result.colours = std::max(result.colours, colour + 1);
  }
  return result;
}

}  // namespace larmor::lattice
