#pragma once
// Boxes of LAMMPS files: along the axes, tilted (a along x, b in the plane of x and y), or with any
// vectors. See https://docs.lammps.org/Howto_triclinic.html.

#include "larmor/atoms/system/named_structure.hpp"

namespace larmor::io {

struct LammpsBox {
  std::array<Vec3<double>, 3> vectors{};
  Vec3<double> origin{};
  std::array<bool, 3> periodic{true, true, true};

  /// Sets a box with or without tilt.
  /// @param low, high corners of the smallest box with edges along x, y, z that contains this box
  /// @param tilt xy, xz, yz
  void set_bounds(const std::array<double, 3>& low, const std::array<double, 3>& high,
                  const std::array<double, 3>& tilt);

  /// The tilts xy, xz, yz.
  std::array<double, 3> tilt() const { return {vectors[1].x, vectors[2].x, vectors[2].y}; }
  bool is_tilted() const { return tilt() != std::array<double, 3>{}; }
  /// Do LAMMPS's files need explicit vectors for this box?
  bool is_general() const;
  /// The arguments `low` and `high` of set_bounds for a box that is not general. The origin counts
  /// as 0.
  std::array<std::array<double, 3>, 2> bounds() const;
};

/// The box of the atoms. @throws InputError for atoms without a cell, or with a left-handed one
LammpsBox lammps_box(const atoms::NamedStructure& atoms);

}  // namespace larmor::io
