#pragma once
// Energy per spin of the ferromagnetic state along z; bonds only.

#include "larmor/spins/hamiltonian/bond_table.hpp"

namespace larmor::spins {

/// Energy of the sites in the table, for couplings that all replicas share.
double ferromagnetic_energy(const BondTable& table, const lattice::Geometry& geometry);

}  // namespace larmor::spins
