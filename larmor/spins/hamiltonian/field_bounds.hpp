#pragma once
// Upper bounds of what acts on a spin, over all sites and configurations.

#include <vector>

#include "larmor/spins/hamiltonian/bond_table.hpp"
#include "larmor/spins/hamiltonian/site_moments.hpp"

namespace larmor::spins {

struct FieldBounds {
  double derivative = 0;  ///< of |dH/de|, an energy
  double field = 0;       ///< of |dH/de| / mu
};

/// Of bonds, on-site couplings and fields; long-range couplings are not among them.
/// @param table of the terms, of all sites or of the first cell
/// @param first_cell are all cells as the first one, so that it alone is looked at?
/// @param replicas that terms tell apart; 0: none
FieldBounds field_bounds(const lattice::Geometry& geometry, const BondTable& table,
                         const std::vector<LoweredTerm>& terms, const SiteMoments& moments,
                         bool first_cell, Index replicas, int threads);

}  // namespace larmor::spins
