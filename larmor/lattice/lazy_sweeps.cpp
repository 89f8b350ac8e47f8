#include "larmor/lattice/lazy_sweeps.hpp"

#include <algorithm>
#include <numeric>

namespace larmor::lattice {

GraphComponents::GraphComponents(Index sites)
    : parent_(static_cast<std::size_t>(sites)), bonds_(static_cast<std::size_t>(sites)) {
  std::iota(parent_.begin(), parent_.end(), 0);
}

std::int32_t GraphComponents::root(std::int32_t site) {
  const auto parent = [&](std::int32_t i) -> std::int32_t& {
    return parent_[static_cast<std::size_t>(i)];
  };
  while (parent(site) != site) {
    parent(site) = parent(parent(site));
    site = parent(site);
  }
  return site;
}

void GraphComponents::join(Index i, Index j) {
  ++bonds_[static_cast<std::size_t>(i)];
  ++bonds_[static_cast<std::size_t>(j)];
  const std::int32_t a = root(static_cast<std::int32_t>(i)), b = root(static_cast<std::int32_t>(j));
  parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
}

bool GraphComponents::need_lazy_sweeps() const {
  // The index of a parent is lower than those of its children.
  std::vector<std::int32_t> root(parent_), sites(parent_.size()), most_bonds(parent_.size());
  for (std::size_t i = 0; i < root.size(); ++i) {
    root[i] = root[static_cast<std::size_t>(root[i])];
    const auto component = static_cast<std::size_t>(root[i]);
    ++sites[component];
    most_bonds[component] = std::max(most_bonds[component], bonds_[i]);
  }
  for (std::size_t component = 0; component < root.size(); ++component)
    if (sites[component] > 0 && needs_lazy_sweeps(sites[component], most_bonds[component]))
      return true;
  return false;
}

}  // namespace larmor::lattice
