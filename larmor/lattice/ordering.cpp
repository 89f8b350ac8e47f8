#include "larmor/lattice/ordering.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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
  // The last entry is the end of the colours, where the sites without colour begin.
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

namespace {

/// Binary digits of each coordinate of a key. BITS: keys order the sites.
constexpr int key_bits = 21;

/// Moves the bits of x to every third bit of the result.
std::uint64_t spread(std::uint64_t x) {
  x = (x | (x << 32)) & 0x001f00000000ffffu;
  x = (x | (x << 16)) & 0x001f0000ff0000ffu;
  x = (x | (x << 8)) & 0x100f00f00f00f00fu;
  x = (x | (x << 4)) & 0x10c30c30c30c30c3u;
  return (x | (x << 2)) & 0x1249249249249249u;
}

}  // namespace

std::vector<std::int32_t> along_curve(const Geometry& geometry) {
  const auto sites = static_cast<std::size_t>(geometry.sites());
  std::vector<Vec3<double>> position(sites);
  for (std::size_t site = 0; site < sites; ++site)
    position[site] = geometry.position(static_cast<Index>(site));
  Vec3<double> low = position.front(), high = low;
  for (const Vec3<double>& r : position) {
    low = {std::min(low.x, r.x), std::min(low.y, r.y), std::min(low.z, r.z)};
    high = {std::max(high.x, r.x), std::max(high.y, r.y), std::max(high.z, r.z)};
  }
  const Vec3<double> extent = high - low;
  const double longest = std::max({extent.x, extent.y, extent.z});
  // All directions have one scale, because a thin film is not a cube.
  const double scale = longest > 0 ? ((1 << key_bits) - 1) / longest : 0;
  const auto coordinate = [scale](double x) {
    return spread(static_cast<std::uint64_t>(std::floor(x * scale)));
  };
  std::vector<std::uint64_t> key(sites);
  for (std::size_t site = 0; site < sites; ++site) {
    const Vec3<double> r = position[site] - low;
    key[site] = coordinate(r.x) | (coordinate(r.y) << 1) | (coordinate(r.z) << 2);
  }
  std::vector<std::int32_t> order(sites);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return key[static_cast<std::size_t>(a)] < key[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace larmor::lattice
