#pragma once
// The unit cell: lattice vectors, basis atoms, and named wave vectors.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"
#include "larmor/lattice/named_wave_vectors.hpp"

namespace larmor::lattice {

struct BasisAtom {
  Vec3<double> fractional;  ///< in units of the cell's vectors
  std::string species;
  double moment = 1;  ///< mu_B
};

struct Crystal {
  std::string name;
  std::array<Vec3<double>, 3> cell;  ///< rows are lattice vectors
  std::vector<BasisAtom> basis;
  int dimensions = 3;  ///< lattice vectors beyond these have size 1 and are never periodic
  std::vector<NamedWaveVector> wave_vectors;

  Vec3<double> cartesian(const Vec3<double>& fractional) const;
  Vec3<double> fractional(const Vec3<double>& cartesian) const;
  /// Reciprocal vectors b_i with a_i.b_j = 2 pi delta_ij.
  std::array<Vec3<double>, 3> reciprocal() const;
};

/// chain, square, triangular, honeycomb, kagome, sc, bcc, fcc, diamond, pyrochlore with lattice
/// constant `a`. bcc, fcc, diamond and pyrochlore use the conventional cubic cell (2, 4, 8 and 16
/// atoms).
/// @throws InputError for another name
Crystal named_crystal(std::string_view type, double a);

/// Names that `named_crystal` accepts.
std::vector<std::string> crystal_names();

/// Checks a crystal.
/// @throws InputError for a singular or non-finite cell, an empty basis, or coinciding atoms
void validate(const Crystal& crystal);

}  // namespace larmor::lattice
