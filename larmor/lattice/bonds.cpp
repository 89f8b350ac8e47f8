#include "larmor/lattice/bonds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/lattice/input.hpp"

namespace larmor::lattice {
namespace {

StencilBond make_bond(const Crystal& crystal, int from, int to, const std::array<int, 3>& offset) {
  const Vec3<double> cell{static_cast<double>(offset[0]), static_cast<double>(offset[1]),
                          static_cast<double>(offset[2])};
  const Vec3<double> f = cell + crystal.basis[static_cast<std::size_t>(to)].fractional -
                         crystal.basis[static_cast<std::size_t>(from)].fractional;
  return {from, to, offset, crystal.cartesian(f)};
}

/// Does the bond have the direction in which it is stored?
bool is_forward(const StencilBond& b) {
  if (b.from != b.to) return b.from < b.to;
  return b.offset > std::array<int, 3>{0, 0, 0};
}

/// All bonds, each once, to cells up to `reach` away along each vector.
std::vector<StencilBond> bonds_within_cells(
    const Geometry& geometry, const std::array<int, 3>& reach, const SpeciesPair& between,
    double longest = std::numeric_limits<double>::infinity()) {
  const Crystal& crystal = geometry.crystal;
  const auto atoms = static_cast<int>(crystal.basis.size());
  const int ny = crystal.dimensions > 1 ? reach[1] : 0;
  const int nz = crystal.dimensions > 2 ? reach[2] : 0;
  std::vector<StencilBond> bonds;
  for (int a = 0; a < atoms; ++a)
    for (int b = a; b < atoms; ++b) {
      if (!may_join(geometry, a, b, between)) continue;
      for (int z = -nz; z <= nz; ++z)
        for (int y = -ny; y <= ny; ++y)
          for (int x = -reach[0]; x <= reach[0]; ++x) {
            const StencilBond bond = make_bond(crystal, a, b, {x, y, z});
            if (is_forward(bond) && length(bond.r) <= longest) bonds.push_back(bond);
          }
    }
  return bonds;
}

/// Largest distance, in cells, between two basis atoms. If the user's fractional coordinates leave
/// the cell, the distance exceeds 1.
double basis_spread(const Crystal& crystal) {
  Vec3<double> low = crystal.basis.front().fractional, high = low;
  for (const BasisAtom& atom : crystal.basis) {
    const Vec3<double>& f = atom.fractional;
    low = {std::min(low.x, f.x), std::min(low.y, f.y), std::min(low.z, f.z)};
    high = {std::max(high.x, f.x), std::max(high.y, f.y), std::max(high.z, f.z)};
  }
  const Vec3<double> d = high - low;
  return std::max({1.0, d.x, d.y, d.z});
}

/// A length up to which all bonds reach at most `reach` cells. The smallest height of the cell
/// determines this length.
double covered_distance(const Crystal& crystal, int reach) {
  const auto b = crystal.reciprocal();
  double height = std::numeric_limits<double>::infinity();
  for (int d = 0; d < crystal.dimensions; ++d)
    height = std::min(height, 2 * M_PI / length(b[static_cast<std::size_t>(d)]));
  return height * (reach - basis_spread(crystal));
}

/// Number of cells along each vector that contain all bonds up to a length.
std::array<int, 3> cells_within(const Crystal& crystal, double cutoff) {
  const auto b = crystal.reciprocal();
  const double spread = basis_spread(crystal);
  std::array<int, 3> cells{0, 0, 0};
  for (std::size_t d = 0; d < 3; ++d)
    cells[d] = static_cast<int>(cutoff * length(b[d]) / (2 * M_PI) + spread);
  return cells;
}

/// Approximate distance of neighbours, if the atoms were spread evenly along the repeated vectors.
double spacing(const Crystal& crystal) {
  double longest = 0;
  for (int d = 0; d < crystal.dimensions; ++d)
    longest = std::max(longest, length(crystal.cell[static_cast<std::size_t>(d)]));
  return longest / std::pow(static_cast<double>(crystal.basis.size()), 1.0 / crystal.dimensions);
}

/// The distance of shell number `shell`; negative if `lengths` has fewer shells.
double shell_distance(std::vector<double> lengths, int shell, double tolerance) {
  std::sort(lengths.begin(), lengths.end());
  double last = -1;
  for (const double d : lengths) {
    if (d <= last * (1 + tolerance)) continue;
    last = d;
    if (--shell == 0) return d;
  }
  return -1;
}

std::string between_text(const SpeciesPair& between) {
  return between ? " between " + (*between)[0] + " and " + (*between)[1] : "";
}

/// Does the bond reach around the lattice to the site itself?
bool is_to_itself(const Geometry& geometry, const StencilBond& bond) {
  if (bond.from != bond.to) return false;
  for (std::size_t d = 0; d < 3; ++d) {
    const bool returns = geometry.periodic[d] && bond.offset[d] % geometry.size[d] == 0;
    if (!returns && bond.offset[d] != 0) return false;
  }
  return true;
}

void require_no_self_coupling(const Geometry& geometry, const StencilBond& bond) {
  if (!is_to_itself(geometry, bond)) return;
  std::string size;
  for (std::size_t d = 0; d < 3; ++d)
    if (bond.offset[d] != 0)
      size += (size.empty() ? "" : ", ") + std::string("at least ") +
              std::to_string(std::abs(bond.offset[d]) + 1) + " along vector " +
              std::to_string(d + 1);
  throw LatticeKeyError("size",
                        "a bond leads around the periodic lattice from a site to the site itself",
                        "make size larger: " + size + "; or open that boundary");
}

}  // namespace

std::vector<StencilBond> stencil_within(const Geometry& geometry, double cutoff) {
  Index reach = 1;
  while (covered_distance(geometry.crystal, static_cast<int>(reach)) < cutoff &&
         reach <= *std::max_element(geometry.size.begin(), geometry.size.end()))
    ++reach;
  // Cells farther away hold no sites, or only images of the site itself, which are refused below.
  std::array<int, 3> cells;
  for (std::size_t d = 0; d < 3; ++d)
    cells[d] = static_cast<int>(std::min<Index>(reach, geometry.size[d]));
  std::vector<StencilBond> bonds = bonds_within_cells(geometry, cells, {});
  std::erase_if(bonds,
                [&](const StencilBond& b) { return length(b.r) > cutoff || !fits(geometry, b); });
  for (const StencilBond& b : bonds) require_no_self_coupling(geometry, b);
  return bonds;
}

std::vector<StencilBond> stencil_between_sites(const Geometry& geometry, double cutoff) {
  std::array<int, 3> reach = cells_within(geometry.crystal, cutoff);
  // Cells beyond the size of the sample are only periodic images.
  for (std::size_t d = 0; d < 3; ++d)
    reach[d] = static_cast<int>(std::min<Index>(reach[d], geometry.size[d]));
  std::vector<StencilBond> bonds = bonds_within_cells(geometry, reach, {}, cutoff);
  std::erase_if(bonds, [&](const StencilBond& bond) {
    return !fits(geometry, bond) || is_to_itself(geometry, bond);
  });
  return bonds;
}

std::vector<StencilBond> stencil_by_shell(const Geometry& geometry, int shell,
                                          const SpeciesPair& between) {
  constexpr double tolerance = input_tolerance;
  constexpr int farthest = 12;
  const Crystal& crystal = geometry.crystal;
  const double longest = covered_distance(crystal, farthest);
  // The cutoff grows until it includes the shell, so that few pairs of a large cell are listed.
  double cutoff = std::min(2 * spacing(crystal), longest);
  for (;;) {
    std::vector<StencilBond> bonds =
        bonds_within_cells(geometry, cells_within(crystal, cutoff), between, cutoff);
    std::vector<double> lengths;
    for (const StencilBond& b : bonds) lengths.push_back(length(b.r));
    const double distance = shell_distance(lengths, shell, tolerance);
    if (distance >= 0 && distance * (1 + 2 * tolerance) <= cutoff) {
      std::erase_if(bonds, [&](const StencilBond& b) {
        return length(b.r) < distance || length(b.r) > distance * (1 + tolerance);
      });
      for (const StencilBond& b : bonds) require_no_self_coupling(geometry, b);
      return bonds;
    }
    if (cutoff >= longest) break;
    cutoff = std::min(1.5 * cutoff, longest);
  }
  throw InputError("no shell " + std::to_string(shell) + between_text(between) +
                       " was found within " + std::to_string(farthest) + " cells",
                   "check the species, or name the bonds by offset");
}

StencilBond stencil_by_offset(const Geometry& geometry, int from, int to,
                              const std::array<int, 3>& offset) {
  if (from == to && offset == std::array<int, 3>{0, 0, 0})
    throw InputError("a bond with offset [0, 0, 0] connects an atom with itself",
                     "name another cell or another atom");
  for (int d = geometry.crystal.dimensions; d < 3; ++d)
    if (offset[static_cast<std::size_t>(d)] != 0)
      throw InputError("an offset has components beyond the " +
                           std::to_string(geometry.crystal.dimensions) +
                           " dimension(s) of the lattice",
                       "set these components to 0");
  const StencilBond bond = make_bond(geometry.crystal, from, to, offset);
  require_no_self_coupling(geometry, bond);
  return bond;
}

bool may_join(const Geometry& geometry, Index a, Index b, const SpeciesPair& between) {
  if (!between) return true;
  const auto hold = [&](std::size_t first, std::size_t second) {
    return geometry.may_hold(a, (*between)[first]) && geometry.may_hold(b, (*between)[second]);
  };
  return hold(0, 1) || hold(1, 0);
}

bool joins(const Geometry& geometry, Index i, Index j, const SpeciesPair& between) {
  if (!geometry.occupied(i) || !geometry.occupied(j)) return false;
  if (!between) return true;
  const std::string& s = geometry.species(i);
  const std::string& t = geometry.species(j);
  return (s == (*between)[0] && t == (*between)[1]) || (s == (*between)[1] && t == (*between)[0]);
}

bool fits(const Geometry& geometry, const StencilBond& bond) {
  for (std::size_t d = 0; d < 3; ++d)
    if (!geometry.periodic[d] && std::abs(bond.offset[d]) >= geometry.size[d]) return false;
  return true;
}

bool same_bond(const StencilBond& a, const StencilBond& b) {
  if (a.from == b.from && a.to == b.to && a.offset == b.offset) return true;
  return a.from == b.to && a.to == b.from && a.offset[0] == -b.offset[0] &&
         a.offset[1] == -b.offset[1] && a.offset[2] == -b.offset[2];
}

Index neighbour(const Geometry& geometry, Index site, const StencilBond& bond) {
  SiteIndex s = geometry.decode(site);
  for (std::size_t d = 0; d < 3; ++d) {
    const Index length = geometry.size[d];
    Index c = s.cell[d] + bond.offset[d];
    if (c < 0 || c >= length) {
      if (!geometry.periodic[d]) return -1;
      c = (c % length + length) % length;
    }
    s.cell[d] = c;
  }
  return geometry.site(bond.to, s.cell[0], s.cell[1], s.cell[2]);
}

}  // namespace larmor::lattice
