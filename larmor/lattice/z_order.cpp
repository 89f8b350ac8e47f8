#include "larmor/lattice/z_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace larmor::lattice {
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
  const Vec3<double> span = high - low;
  const double longest = std::max({span.x, span.y, span.z});
  // One scale for all directions, because a thin film is not a cube.
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
