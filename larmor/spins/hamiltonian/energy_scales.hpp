#pragma once
// Scales of the energy of a model: upper bounds of the field on a spin, over all sites and
// configurations, and the energy of the ferromagnetic state.

#include <vector>

#include "larmor/spins/hamiltonian/bond_table.hpp"
#include "larmor/spins/hamiltonian/site_moments.hpp"

namespace larmor::spins {

struct FieldBounds {
  double derivative = 0;  ///< bound of |dH/de|, an energy
  double field = 0;       ///< bound of |dH/de| / mu
};

/// Bounds for bonds, on-site couplings and fields; without long-range couplings.
/// @param table bonds of the terms, for all sites or the first cell
/// @param first_cell are all cells equal to the first, so that only the first is read?
/// @param replicas number of replicas that differ in couplings or fields, or 0
FieldBounds field_bounds(const lattice::Geometry& geometry, const BondTable& table,
                         const std::vector<LoweredTerm>& terms, const SiteMoments& moments,
                         bool first_cell, Index replicas, int threads);

/// Energy per spin of the ferromagnetic state along z: bonds of the sites in the table, for
/// couplings that all replicas share.
double ferromagnetic_energy(const BondTable& table, const lattice::Geometry& geometry);

}  // namespace larmor::spins
