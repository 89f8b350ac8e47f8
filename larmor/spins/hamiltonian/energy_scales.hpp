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

/// Bounds for bonds, on-site couplings and fields. Long-range couplings are left out.
/// @param table bonds of the terms, for all sites or the first cell
/// @param first_cell true if all cells are equal, so that only the first cell is read
/// @param replicas number of replicas that differ in couplings or fields; 0 if they are equal
FieldBounds field_bounds(const lattice::Geometry& geometry, const BondTable& table,
                         const std::vector<LoweredTerm>& terms, const SiteMoments& moments,
                         bool first_cell, Index replicas, int threads);

/// Energy per spin of the ferromagnetic state along z. Only bonds count, with the couplings that
/// all replicas share.
/// @param table bonds for all sites or the first cell
double ferromagnetic_energy(const BondTable& table, const lattice::Geometry& geometry);

}  // namespace larmor::spins
