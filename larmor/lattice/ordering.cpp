#include "larmor/lattice/ordering.hpp"

namespace larmor::lattice {

Ordering by_colour(const Colouring& colouring, const std::vector<std::int32_t>& order) {
  const auto sites = static_cast<std::int32_t>(colouring.colour.size());
  Ordering ordering;
  ordering.colour_begin.assign(static_cast<std::size_t>(colouring.colours) + 1, 0);
  for (const std::int32_t c : colouring.colour)
    if (c != no_colour) ++ordering.colour_begin[static_cast<std::size_t>(c) + 1];
  for (std::size_t c = 1; c < ordering.colour_begin.size(); ++c)
    ordering.colour_begin[c] += ordering.colour_begin[c - 1];
  // The last entry, where the colours end, is where sites without colour begin.
  std::vector<Index> next = ordering.colour_begin;
  ordering.canonical.resize(static_cast<std::size_t>(sites));
  ordering.storage.resize(static_cast<std::size_t>(sites));
  for (std::int32_t n = 0; n < sites; ++n) {
    const std::int32_t site = order.empty() ? n : order[static_cast<std::size_t>(n)];
    const std::int32_t colour = colouring.colour[static_cast<std::size_t>(site)];
    const Index position =
        next[static_cast<std::size_t>(colour == no_colour ? colouring.colours : colour)]++;
    ordering.canonical[static_cast<std::size_t>(position)] = site;
    ordering.storage[static_cast<std::size_t>(site)] = static_cast<std::int32_t>(position);
  }
  return ordering;
}

Ordering by_sublattice(const Geometry& geometry, const SublatticeColouring& colouring) {
  // A finer colouring: every sublattice has a colour of its own.
  Colouring fine;
  fine.colours = static_cast<std::int32_t>(colouring.sublattices());
  for (Index site = 0; site < geometry.sites(); ++site)
    fine.colour.push_back(geometry.occupied(site)
                              ? static_cast<std::int32_t>(colouring.sublattice(geometry, site))
                              : no_colour);
  return by_colour(fine);
}

}  // namespace larmor::lattice
