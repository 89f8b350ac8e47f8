#include "larmor/lattice/supercell.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace larmor::lattice {
namespace {

// BITS: the choice of the supercell determines the order of sites in memory and in updates.
constexpr Index most_cells = 6;  ///< largest number of cells along a lattice vector
constexpr Index most_sublattices = 64;

Index modulo(Index a, Index n) { return (a % n + n) % n; }

Index sublattice_number(int basis, const std::array<Index, 3>& cell,
                        const std::array<Index, 3>& supercell, Index atoms) {
  return basis + atoms * (modulo(cell[0], supercell[0]) +
                          supercell[0] * (modulo(cell[1], supercell[1]) +
                                          supercell[1] * modulo(cell[2], supercell[2])));
}

/// Graph of the sublattices that interact; no value if a sublattice interacts with itself.
std::optional<Graph> sublattice_graph(const std::array<Index, 3>& supercell, Index atoms,
                                      const std::vector<StencilBond>& bonds) {
  const Index cells = supercell[0] * supercell[1] * supercell[2];
  std::vector<std::set<std::int32_t>> neighbours(static_cast<std::size_t>(cells * atoms));
  for (Index c = 0; c < cells; ++c) {
    const std::array<Index, 3> from{c % supercell[0], c / supercell[0] % supercell[1],
                                    c / (supercell[0] * supercell[1])};
    for (const StencilBond& bond : bonds) {
      const std::array<Index, 3> to{from[0] + bond.offset[0], from[1] + bond.offset[1],
                                    from[2] + bond.offset[2]};
      const Index a = sublattice_number(bond.from, from, supercell, atoms);
      const Index b = sublattice_number(bond.to, to, supercell, atoms);
      if (a == b) return std::nullopt;
      neighbours[static_cast<std::size_t>(a)].insert(static_cast<std::int32_t>(b));
      neighbours[static_cast<std::size_t>(b)].insert(static_cast<std::int32_t>(a));
    }
  }
  Graph graph;
  graph.offset.push_back(0);
  for (const std::set<std::int32_t>& others : neighbours) {
    graph.neighbour.insert(graph.neighbour.end(), others.begin(), others.end());
    graph.offset.push_back(static_cast<Index>(graph.neighbour.size()));
  }
  return graph;
}

}  // namespace

Index SublatticeColouring::sublattice(const Geometry& geometry, Index site) const {
  const SiteIndex place = geometry.decode(site);
  return sublattice_number(place.basis, place.cell, supercell,
                           static_cast<Index>(geometry.crystal.basis.size()));
}

std::optional<SublatticeColouring> colour_sublattices(const Geometry& geometry,
                                                      const std::vector<StencilBond>& bonds) {
  if (!geometry.is_lattice()) return std::nullopt;
  const auto atoms = static_cast<Index>(geometry.crystal.basis.size());
  const auto divides = [&](std::size_t d, Index n) { return geometry.size[d] % n == 0; };
  std::optional<SublatticeColouring> best;
  for (Index z = 1; z <= most_cells; ++z)
    for (Index y = 1; y <= most_cells; ++y)
      for (Index x = 1; x <= most_cells; ++x) {
        const Index sublattices = atoms * x * y * z;
        if (!divides(0, x) || !divides(1, y) || !divides(2, z) || sublattices > most_sublattices)
          continue;
        const std::optional<Graph> graph = sublattice_graph({x, y, z}, atoms, bonds);
        if (!graph) continue;
        SublatticeColouring found{{x, y, z}, greedy_colouring(*graph)};
        if (!best || std::pair(found.colouring.colours, sublattices) <
                         std::pair(best->colouring.colours, best->sublattices()))
          best = std::move(found);
      }
  return best;
}

}  // namespace larmor::lattice
