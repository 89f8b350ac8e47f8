#pragma once
// Energy of the ferromagnetic state along z, a spin, of bonds alone.

#include "larmor/spins/hamiltonian/bond_table.hpp"

namespace larmor::spins {

/// Of the sites in the table; of the couplings that all replicas share.
double ferromagnetic_energy(const BondTable& table, const lattice::Geometry& geometry);

}  // namespace larmor::spins
