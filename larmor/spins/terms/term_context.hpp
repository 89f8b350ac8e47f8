#pragma once
// What a term may look at while it lowers.

#include "larmor/core/units.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::spins {

struct TermContext {
  const lattice::Geometry& geometry;
  const std::vector<double>& moments;  ///< of canonical sites, in mu_B
  Constants constants;
};

}  // namespace larmor::spins
