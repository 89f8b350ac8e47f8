#pragma once
// The rod group of a chain: isometries that map a chain, which is periodic along one direction, to
// itself.

#include <vector>

#include "larmor/symmetry/space_group.hpp"

namespace larmor::symmetry {

/// Atoms of a chain, with equal numbers for equal kinds.
struct ChainAtoms {
  std::vector<Vec3<double>> positions;
  std::vector<int> kinds;
};

/// All operations, each once up to translations by `period`, the identity first. If all atoms lie
/// on a line, the group has all rotations about this line. Then multiples of 90 degrees stand for
/// all, because they restrict matrices of bonds and sites equally.
std::vector<Operation> rod_operations(const Vec3<double>& period, const ChainAtoms& atoms,
                                      double tolerance);

}  // namespace larmor::symmetry
