#pragma once
// Couplings of terms [first_term, last_term) as numbers, for every row of a bond table.

#include <vector>

#include "larmor/core/simd/views.hpp"
#include "larmor/spins/hamiltonian/bond_table.hpp"

namespace larmor::spins {

/// Values of bilinear bonds, (rows, bonds, components).
/// @param present is any of them nonzero?
std::vector<double> bond_values(const BondTable& table, BondClass c, std::size_t first_term,
                                std::size_t last_term, bool& present);

/// Values of biquadratic bonds, (rows, bonds).
/// @param present is any of them nonzero?
std::vector<double> biquadratic_values(const BondTable& table, std::size_t first_term,
                                       std::size_t last_term, bool& present);

/// Values of bilinear bonds with contributions that differ by replica, (blocks, rows, bonds,
/// components, 8).
/// @param terms those of the table
std::vector<double> bond_values_by_replica(const BondTable& table, BondClass c,
                                           const std::vector<LoweredTerm>& terms,
                                           std::size_t first_term, std::size_t last_term,
                                           const SpinLayout& layout, int threads);

}  // namespace larmor::spins
