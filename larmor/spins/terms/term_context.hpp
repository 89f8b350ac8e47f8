#pragma once
// The data that a term reads to compute its canonical forms.

#include "larmor/core/input/units.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/site_moments.hpp"

namespace larmor::spins {

struct TermContext {
  const lattice::Geometry& geometry;
  const SiteMoments& moments;
  Constants constants;

  /// Does every cell have the same species and moments?
  bool cells_are_alike() const { return geometry.is_perfect() && moments.by_atom(); }
};

}  // namespace larmor::spins
