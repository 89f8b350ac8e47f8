#pragma once

#include "larmor/core/types.hpp"

namespace larmor::lattice {

/// Two sites with a scalar coupling. Sites i and j differ.
struct CoupledPair {
  Index i, j;
  double J;
};

}  // namespace larmor::lattice
