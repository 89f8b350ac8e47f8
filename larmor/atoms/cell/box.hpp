#pragma once
// The box of the atoms: a parallelepiped that repeats along some of its vectors.
//
// In this room lengths are in Angstrom and energies in eV, as in LAMMPS's metal units. Positions
// are never wrapped into the box: the image in which an atom lies is part of its state.

#include <array>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::atoms {

struct Box {
  std::array<Vec3<double>, 3> vectors;  ///< right-handed or left-handed, not in one plane
  std::array<bool, 3> periodic{true, true, true};

  LARMOR_HD double volume() const {
    return std::abs(dot(vectors[0], cross(vectors[1], vectors[2])));
  }

  /// Fractional coordinates f of a position r = f0 a0 + f1 a1 + f2 a2, with the box vectors a0, a1,
  /// a2.
  LARMOR_HD std::array<double, 3> fractional(const Vec3<double>& r) const {
    const auto& [a, b, c] = vectors;
    const double inverse = 1 / dot(a, cross(b, c));
    return {inverse * dot(r, cross(b, c)), inverse * dot(r, cross(c, a)),
            inverse * dot(r, cross(a, b))};
  }

  /// Distance between the two faces of the box that the box vector number `d` connects.
  LARMOR_HD double height(std::size_t d) const {
    return volume() / length(cross(vectors[(d + 1) % 3], vectors[(d + 2) % 3]));
  }
};

}  // namespace larmor::atoms
