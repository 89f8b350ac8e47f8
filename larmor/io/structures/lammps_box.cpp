#include "larmor/io/structures/lammps_box.hpp"

#include <algorithm>

#include "larmor/core/error.hpp"

namespace larmor::io {
namespace {

/// How far the bounds of a tilted box exceed those without tilt: below and above, along x, y, z.
std::array<std::array<double, 3>, 2> bounds_of_tilt(const std::array<double, 3>& tilt) {
  const auto [xy, xz, yz] = tilt;
  return {{{std::min({0.0, xy, xz, xy + xz}), std::min(0.0, yz), 0},
           {std::max({0.0, xy, xz, xy + xz}), std::max(0.0, yz), 0}}};
}

}  // namespace

void LammpsBox::set_bounds(const std::array<double, 3>& low, const std::array<double, 3>& high,
                           const std::array<double, 3>& tilt) {
  const auto [below, above] = bounds_of_tilt(tilt);
  std::array<double, 3> first{}, edge{};
  for (std::size_t d = 0; d < 3; ++d) {
    first[d] = low[d] - below[d];
    edge[d] = (high[d] - above[d]) - first[d];
  }
  origin = {first[0], first[1], first[2]};
  vectors = {{{edge[0], 0, 0}, {tilt[0], edge[1], 0}, {tilt[1], tilt[2], edge[2]}}};
}

bool LammpsBox::is_general() const {
  const auto& [a, b, c] = vectors;
  return a.y != 0 || a.z != 0 || b.z != 0 || !(a.x > 0 && b.y > 0 && c.z > 0);
}

std::array<std::array<double, 3>, 2> LammpsBox::bounds() const {
  const auto [below, above] = bounds_of_tilt(tilt());
  return {{below, {vectors[0].x + above[0], vectors[1].y + above[1], vectors[2].z + above[2]}}};
}

LammpsBox lammps_box(const atoms::NamedStructure& atoms) {
  if (!atoms.has_volume())
    throw InputError("the atoms have no cell, and a file of LAMMPS needs a box",
                     "give the structure a Lattice, or write extended XYZ");
  const auto& [a, b, c] = atoms.box.vectors;
  if (!(dot(a, cross(b, c)) > 0))
    throw InputError("the vectors of the cell are left-handed, and LAMMPS needs right-handed ones",
                     "exchange two vectors, or write extended XYZ");
  return {atoms.box.vectors, {}, atoms.box.periodic};
}

}  // namespace larmor::io
