#pragma once
// Boxes as files of LAMMPS have them: along the axes, leaning (a along x, b in the plane of x and
// y), or of any vectors. See https://docs.lammps.org/Howto_triclinic.html.

#include "larmor/atoms/system/named_structure.hpp"

namespace larmor::io {

struct LammpsBox {
  std::array<Vec3<double>, 3> vectors{};
  Vec3<double> origin{};
  std::array<bool, 3> periodic{true, true, true};

  /// A box between planes. @param low, high of the smallest box along the axes that holds it
  /// @param tilt xy, xz, yz
  void set_bounds(const std::array<double, 3>& low, const std::array<double, 3>& high,
                  const std::array<double, 3>& tilt);

  /// xy, xz, yz.
  std::array<double, 3> tilt() const { return {vectors[1].x, vectors[2].x, vectors[2].y}; }
  bool leans() const { return tilt() != std::array<double, 3>{}; }
  /// Does it need vectors of its own?
  bool is_general() const;
  /// As set_bounds takes them, of a box that is not general. The origin is left out.
  std::array<std::array<double, 3>, 2> bounds() const;
};

/// @throws InputError for atoms without a cell, or a left-handed one
LammpsBox lammps_box(const atoms::NamedStructure& atoms);

}  // namespace larmor::io
