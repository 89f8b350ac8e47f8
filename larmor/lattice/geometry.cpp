#include "larmor/lattice/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/lattice/input.hpp"

namespace larmor::lattice {
namespace {

/// Neighbour tables hold 32-bit positions, which limits the sites.
constexpr Index most_sites = std::numeric_limits<std::int32_t>::max();

std::string count_text(Index count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

SiteIndex Geometry::decode(Index site) const {
  const auto n = static_cast<Index>(crystal.basis.size());
  const Index cell = site / n;
  return {static_cast<int>(site % n),
          {cell % size[0], cell / size[0] % size[1], cell / (size[0] * size[1])}};
}

bool Geometry::is_periodic() const {
  for (std::size_t d = 0; d < static_cast<std::size_t>(crystal.dimensions); ++d)
    if (!periodic[d]) return false;
  return true;
}

Vec3<double> Geometry::position(Index site) const {
  const SiteIndex s = decode(site);
  const Vec3<double> cell{static_cast<double>(s.cell[0]), static_cast<double>(s.cell[1]),
                          static_cast<double>(s.cell[2])};
  return crystal.cartesian(cell + crystal.basis[static_cast<std::size_t>(s.basis)].fractional);
}

Index Geometry::spins() const {
  Index vacancies = 0;
  for (const std::uint8_t n : substitution)
    if (n > 0 && substitutes[n - 1u].moment == 0) ++vacancies;
  return sites() - vacancies;
}

bool Geometry::may_hold(Index basis, const std::string& name) const {
  const auto b = static_cast<std::size_t>(basis);
  return crystal.basis[b].species == name ||
         std::any_of(substitutes.begin(), substitutes.end(), [&](const Substitute& other) {
           return other.species == name && other.moment > 0 && other.atoms[b];
         });
}

bool Geometry::has_species(const std::string& name) const {
  for (std::size_t b = 0; b < crystal.basis.size(); ++b)
    if (may_hold(static_cast<Index>(b), name)) return true;
  return false;
}

Geometry make_lattice(const Crystal& crystal, const std::vector<Index>& size,
                      const std::vector<bool>& periodic) {
  validate(crystal);
  const auto dimensions = static_cast<std::size_t>(crystal.dimensions);
  if (size.size() != dimensions)
    throw LatticeKeyError("size",
                          "size has " + count_text(static_cast<Index>(size.size()), "number") +
                              ", but " + (crystal.name.empty() ? "the lattice" : crystal.name) +
                              " has " + count_text(crystal.dimensions, "dimension"),
                          "give one number of cells for each dimension");
  if (periodic.size() != 1 && periodic.size() != dimensions)
    throw LatticeKeyError("periodic",
                          "periodic has " +
                              count_text(static_cast<Index>(periodic.size()), "value") + " for " +
                              count_text(crystal.dimensions, "dimension"),
                          "give one value, or one for each dimension");
  Geometry geometry;
  geometry.crystal = crystal;
  auto sites = static_cast<Index>(crystal.basis.size());
  for (std::size_t d = 0; d < 3; ++d) {
    const bool used = d < dimensions;
    geometry.size[d] = used ? size[d] : 1;
    geometry.periodic[d] = used && periodic[periodic.size() == 1 ? 0 : d];
    if (geometry.size[d] < 1)
      throw LatticeKeyError("size", "size " + std::to_string(geometry.size[d]) + " is not positive",
                            "give at least one cell along each lattice vector");
    if (geometry.size[d] > most_sites / sites)
      throw LatticeKeyError(
          "size", "the lattice has more than 2^31 - 1 sites",
          "make the lattice smaller: a process can hold at most 2147483647 sites");
    sites *= geometry.size[d];
  }
  return geometry;
}

Vec3<double> separation(const Geometry& geometry, Index i, Index j) {
  return nearest_image(geometry, geometry.position(j) - geometry.position(i));
}

Vec3<double> nearest_image(const Geometry& geometry, const Vec3<double>& vector) {
  const Crystal& crystal = geometry.crystal;
  Vec3<double> f = crystal.fractional(vector);
  double* component[3] = {&f.x, &f.y, &f.z};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto length = static_cast<double>(geometry.size[d]);
    if (geometry.periodic[d]) *component[d] -= length * std::round(*component[d] / length);
  }
  // In a skewed cell the rounded image may not be the nearest. So the images one cell away are
  // tried, too.
  Vec3<double> nearest = crystal.cartesian(f);
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const int shift[3] = {x, y, z};
        Vec3<double> r = crystal.cartesian(f);
        bool allowed = true;
        for (std::size_t d = 0; d < 3; ++d) {
          allowed = allowed && (shift[d] == 0 || geometry.periodic[d]);
          r += (shift[d] * static_cast<double>(geometry.size[d])) * crystal.cell[d];
        }
        if (allowed && dot(r, r) < dot(nearest, nearest) * (1 - 1e-12)) nearest = r;
      }
  return nearest;
}

std::vector<Vec3<double>> periods_of(const Geometry& geometry) {
  std::vector<Vec3<double>> periods;
  for (std::size_t d = 0; d < 3; ++d)
    if (geometry.periodic[d])
      periods.push_back(static_cast<double>(geometry.size[d]) * geometry.crystal.cell[d]);
  return periods;
}

}  // namespace larmor::lattice
