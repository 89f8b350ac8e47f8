#include "larmor/symmetry/bond_symmetry.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "larmor/core/error.hpp"
#include "larmor/lattice/input.hpp"
#include "larmor/symmetry/matrices.hpp"

namespace larmor::symmetry {
namespace {

/// Atoms and offset, which tell bonds apart.
using BondKey = std::array<int, 5>;

BondKey key_of(const lattice::StencilBond& bond) {
  return {bond.from, bond.to, bond.offset[0], bond.offset[1], bond.offset[2]};
}

lattice::StencilBond reversed(const lattice::StencilBond& bond) {
  return {bond.to, bond.from, {-bond.offset[0], -bond.offset[1], -bond.offset[2]}, -bond.r};
}

/// The bond from the first atom, which it moves to cell (0, 0, 0), to the second.
lattice::StencilBond bond_between(const lattice::Crystal& crystal, const CellAtom& a,
                                  const CellAtom& b) {
  lattice::StencilBond bond{a.atom, b.atom, {}, {}};
  for (std::size_t d = 0; d < 3; ++d) bond.offset[d] = b.cell[d] - a.cell[d];
  bond.r = position_of(crystal, {b.atom, bond.offset}) - position_of(crystal, {a.atom, {0, 0, 0}});
  return bond;
}

bool is_known(const std::vector<MatrixOperation>& group, const MatrixOperation& operation) {
  return std::ranges::any_of(group, [&](const MatrixOperation& known) {
    return known.reverses == operation.reverses &&
           distance(known.rotation, operation.rotation) < 1e-6;
  });
}

void add_once(std::vector<MatrixOperation>& group, const MatrixOperation& operation) {
  if (!is_known(group, operation)) group.push_back(operation);
}

/// Cells within reach of a length along each vector that repeats.
/// @throws LatticeKeyError if the search would take very long
std::array<int, 3> reach_of(const lattice::Crystal& crystal, double length_of_bonds) {
  constexpr double most_cells = 1e7;
  const auto b = crystal.reciprocal();
  std::array<int, 3> reach{0, 0, 0};
  for (std::size_t d = 0; d < static_cast<std::size_t>(crystal.dimensions); ++d)
    reach[d] = static_cast<int>(
                   std::min(std::ceil(length_of_bonds * length(b[d]) / 6.283185307), most_cells)) +
               1;
  if ((2.0 * reach[0] + 1) * (2.0 * reach[1] + 1) * (2.0 * reach[2] + 1) > most_cells)
    throw lattice::LatticeKeyError("cell", "bonds of this length reach too many cells",
                                   "give shorter vectors of the same lattice, or a smaller "
                                   "distance");
  return reach;
}

template <class Visit>
void for_each_bond(const lattice::Crystal& crystal, double longest, const Visit& visit) {
  // Fractions may lie outside 0 to 1, and so offsets start at the difference of the fractions.
  const std::array<int, 3> reach = reach_of(crystal, longest);
  const int count = static_cast<int>(crystal.basis.size());
  for (int i = 0; i < count; ++i)
    for (int j = i; j < count; ++j) {
      const Vec3<double> f = crystal.basis[static_cast<std::size_t>(i)].fractional -
                             crystal.basis[static_cast<std::size_t>(j)].fractional;
      const double start[3] = {f.x, f.y, f.z};
      std::array<int, 3> base{0, 0, 0};
      for (std::size_t d = 0; d < static_cast<std::size_t>(crystal.dimensions); ++d)
        base[d] = static_cast<int>(std::lround(start[d]));
      for (int x = -reach[0]; x <= reach[0]; ++x)
        for (int y = -reach[1]; y <= reach[1]; ++y)
          for (int z = -reach[2]; z <= reach[2]; ++z) {
            const std::array<int, 3> offset{base[0] + x, base[1] + y, base[2] + z};
            if (i == j && offset <= std::array<int, 3>{0, 0, 0}) continue;
            const lattice::StencilBond bond = bond_between(crystal, {i, {0, 0, 0}}, {j, offset});
            if (length(bond.r) <= longest) visit(bond);
          }
    }
}

/// The number of entries that are not 0 in some allowed matrix of an image.
int entries_of(const MatrixSpace& space, const BondImage& image) {
  constexpr double least = 1e-7;
  Mat3<double> sizes{};
  for (const Mat3<double>& matrix : space.all()) {
    const Mat3<double> turned = image.operation.apply(matrix);
    for (int i = 0; i < 3; ++i)
      sizes.row[i] +=
          {std::abs(turned.row[i].x), std::abs(turned.row[i].y), std::abs(turned.row[i].z)};
  }
  int entries = 0;
  for (const Vec3<double>& row : sizes.row)
    entries += int(row.x > least) + int(row.y > least) + int(row.z > least);
  return entries;
}

/// The orbit of a bond, whose representative is an image with few entries in its matrix.
BondOrbit orbit_with_simple_matrix(const SpaceGroup& group, const lattice::Crystal& crystal,
                                   const lattice::StencilBond& bond) {
  BondOrbit orbit = orbit_of(group, crystal, bond);
  const MatrixSpace space = allowed_exchange(orbit.group);
  const auto simplest = std::ranges::min_element(
      orbit.images, {}, [&](const BondImage& image) { return entries_of(space, image); });
  if (simplest == orbit.images.begin()) return orbit;
  return orbit_of(group, crystal, simplest->bond);
}

/// Shortest first, and of bonds of equal length those with the simplest offset.
void sort_for_users(std::vector<lattice::StencilBond>& bonds) {
  std::ranges::stable_sort(bonds, {}, [](const auto& bond) { return length(bond.r); });
  const auto rank = [](const lattice::StencilBond& bond) {
    int size = 0, negative = 0;
    for (const int n : bond.offset) size += std::abs(n), negative += int(n < 0);
    return std::tuple(bond.from, bond.to, negative, size, -bond.offset[0], -bond.offset[1]);
  };
  for (auto first = bonds.begin(); first != bonds.end();) {
    const double longest = length(first->r) * (1 + 1e-6);
    const auto last = std::find_if(first, bonds.end(),
                                   [&](const auto& bond) { return length(bond.r) > longest; });
    std::sort(first, last, [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    first = last;
  }
}

}  // namespace

int BondOrbit::bonds_at(int atom) const {
  int count = 0;
  for (const BondImage& image : images)
    count += int(image.bond.from == atom) + int(image.bond.to == atom);
  return count;
}

BondOrbit orbit_of(const SpaceGroup& group, const lattice::Crystal& crystal,
                   const lattice::StencilBond& bond) {
  const CellAtom from{bond.from, {0, 0, 0}}, to{bond.to, bond.offset};
  BondOrbit orbit;
  std::set<BondKey> known;
  const BondKey key = key_of(bond), key_of_reverse = key_of(reversed(bond));
  for (const Operation& operation : group.operations) {
    const lattice::StencilBond image =
        bond_between(crystal, moved(crystal, operation, from), moved(crystal, operation, to));
    const BondKey found = key_of(image);
    if (found == key) add_once(orbit.group, {operation.rotation, false});
    if (found == key_of_reverse) add_once(orbit.group, {operation.rotation, true});
    if (known.contains(found) || known.contains(key_of(reversed(image)))) continue;
    known.insert(found);
    orbit.images.push_back({image, {operation.rotation, false}});
  }
  return orbit;
}

SiteOrbit orbit_of(const SpaceGroup& group, const lattice::Crystal& crystal, int atom) {
  SiteOrbit orbit;
  for (const Operation& operation : group.operations) {
    const int image = moved(crystal, operation, {atom, {0, 0, 0}}).atom;
    const MatrixOperation of_matrix{operation.rotation, false};
    if (image == atom) add_once(orbit.group, of_matrix);
    if (std::ranges::none_of(orbit.images, [&](const auto& it) { return it.atom == image; }))
      orbit.images.push_back({image, of_matrix});
  }
  return orbit;
}

double nearest_spins(const lattice::Crystal& crystal) {
  // The nearest atoms are at most as far apart as the length of the shortest vector of the cell.
  double longest = length(crystal.cell[0]);
  for (std::size_t d = 1; d < static_cast<std::size_t>(crystal.dimensions); ++d)
    longest = std::min(longest, length(crystal.cell[d]));
  double nearest = longest;
  for_each_bond(crystal, longest * (1 + 1e-9), [&](const lattice::StencilBond& bond) {
    nearest = std::min(nearest, length(bond.r));
  });
  return nearest;
}

std::vector<BondOrbit> orbits_within(const SpaceGroup& group, const lattice::Crystal& crystal,
                                     double longest) {
  constexpr std::size_t most = 100'000;
  std::vector<lattice::StencilBond> bonds;
  for_each_bond(crystal, longest + group.tolerance, [&](const lattice::StencilBond& bond) {
    bonds.push_back(bond);
    if (bonds.size() > most)
      throw InputError(fmt::format("more than {} bonds are up to {:.6g} long", most, longest),
                       "give a smaller distance");
  });
  sort_for_users(bonds);
  std::set<BondKey> known;
  std::vector<BondOrbit> orbits;
  for (const lattice::StencilBond& bond : bonds) {
    if (known.contains(key_of(bond)) || known.contains(key_of(reversed(bond)))) continue;
    orbits.push_back(orbit_with_simple_matrix(group, crystal, bond));
    for (const BondImage& image : orbits.back().images) known.insert(key_of(image.bond));
  }
  return orbits;
}

std::string point_group_symbol(const std::vector<MatrixOperation>& group) {
  std::vector<Mat3<double>> rotations;
  for (const MatrixOperation& operation : group) rotations.push_back(operation.rotation);
  return point_group_symbol(rotations);
}

std::string operation_text(const MatrixOperation& operation) {
  return operation_text(operation.rotation) +
         (operation.reverses ? ", which exchanges the two sites," : "");
}

}  // namespace larmor::symmetry
