#include "larmor/lattice/ordering.hpp"

#include "larmor/core/device/parallel.hpp"

namespace larmor::lattice {

Ordering by_colour(const Colouring& colouring, const std::vector<std::int32_t>& order) {
  const auto sites = static_cast<std::int32_t>(colouring.colour.size());
  Ordering ordering;
  ordering.colour_begin.assign(static_cast<std::size_t>(colouring.colours) + 1, 0);
  for (const std::int32_t c : colouring.colour)
    if (c != no_colour) ++ordering.colour_begin[static_cast<std::size_t>(c) + 1];
  for (std::size_t c = 1; c < ordering.colour_begin.size(); ++c)
    ordering.colour_begin[c] += ordering.colour_begin[c - 1];
  // The last entry is the end of the colours. Sites without colour begin there.
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
  // A finer colouring: each sublattice has its own colour.
  Colouring fine;
  fine.colours = static_cast<std::int32_t>(colouring.sublattices());
  for (Index site = 0; site < geometry.sites(); ++site)
    fine.colour.push_back(geometry.occupied(site)
                              ? static_cast<std::int32_t>(colouring.sublattice(geometry, site))
                              : no_colour);
  return by_colour(fine);
}

std::vector<std::int32_t> canonical_by_sublattice(const Geometry& geometry,
                                                  const std::array<Index, 3>& supercell,
                                                  Index positions, int threads) {
  const auto atoms = static_cast<Index>(geometry.crystal.basis.size());
  const Index nx = geometry.size[0] / supercell[0], ny = geometry.size[1] / supercell[1],
              nz = geometry.size[2] / supercell[2];
  const Index sublattices = atoms * supercell[0] * supercell[1] * supercell[2];
  std::vector<std::int32_t> canonical(static_cast<std::size_t>(positions),
                                      static_cast<std::int32_t>(geometry.sites() - 1));
  parallel_for(threads, sublattices * nz, [&](Index n) {
    const Index sublattice = n / nz, z = n % nz, cell = sublattice / atoms;
    std::int32_t* to = canonical.data() + n * nx * ny;
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x)
        *to++ = static_cast<std::int32_t>(geometry.site(
            static_cast<int>(sublattice % atoms), x * supercell[0] + cell % supercell[0],
            y * supercell[1] + cell / supercell[0] % supercell[1],
            z * supercell[2] + cell / (supercell[0] * supercell[1])));
  });
  return canonical;
}

}  // namespace larmor::lattice
