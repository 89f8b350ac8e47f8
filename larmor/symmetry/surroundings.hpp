#pragma once
// The part of a crystal that a lattice of spins leaves out, and which its symmetry needs.

#include <vector>

#include "larmor/lattice/crystal.hpp"

namespace larmor::symmetry {

struct Surroundings {
  std::vector<lattice::BasisAtom> atoms;  ///< without spins; they only lower the symmetry
  double tolerance = 0;  ///< distance of positions that count as equal; 0: `default_tolerance`
};

}  // namespace larmor::symmetry
