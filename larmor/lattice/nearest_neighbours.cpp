#include "larmor/lattice/nearest_neighbours.hpp"

#include <algorithm>
#include <cstdlib>

namespace larmor::lattice {
namespace {

StencilBond reversed(const StencilBond& bond) {
  return {bond.to, bond.from, {-bond.offset[0], -bond.offset[1], -bond.offset[2]}, -bond.r};
}

}  // namespace

NearestNeighbours::NearestNeighbours(const Geometry& geometry) : geometry_(geometry) {
  if (geometry.is_lattice()) {
    of_atom_.resize(geometry.crystal.basis.size());
    for (const StencilBond& bond : stencil_by_shell(geometry, 1, {})) {
      of_atom_[static_cast<std::size_t>(bond.to)].push_back(reversed(bond));
      of_atom_[static_cast<std::size_t>(bond.from)].push_back(bond);
    }
    return;
  }
  of_site_.resize(static_cast<std::size_t>(geometry.sites()));
  for (const PairBond& bond : pairs_by_shell(geometry, 1, {})) {
    if (!geometry.occupied(bond.i) || !geometry.occupied(bond.j)) continue;
    of_site_[static_cast<std::size_t>(bond.i)].push_back({bond.j, bond.r});
    of_site_[static_cast<std::size_t>(bond.j)].push_back({bond.i, -bond.r});
  }
}

std::vector<NearSite> NearestNeighbours::of(Index site) const {
  if (!geometry_.is_lattice()) return of_site_[static_cast<std::size_t>(site)];
  std::vector<NearSite> near;
  if (!geometry_.occupied(site)) return near;
  for (const StencilBond& bond : of_atom_[static_cast<std::size_t>(geometry_.basis_index(site))]) {
    const Index other = neighbour(geometry_, site, bond);
    if (other >= 0 && geometry_.occupied(other)) near.push_back({other, bond.r});
  }
  return near;
}

Index NearestNeighbours::most() const {
  std::size_t most = 0;
  for (const auto& bonds : of_atom_) most = std::max(most, bonds.size());
  for (const auto& sites : of_site_) most = std::max(most, sites.size());
  return static_cast<Index>(most);
}

Index NearestNeighbours::reach(std::size_t d) const {
  Index most = 0;
  for (const std::vector<StencilBond>& bonds : of_atom_)
    for (const StencilBond& bond : bonds) most = std::max<Index>(most, std::abs(bond.offset[d]));
  return most;
}

}  // namespace larmor::lattice
