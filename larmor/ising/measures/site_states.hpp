#pragma once
// The states of all sites, (replica, site), whatever form they are kept in: what sums over planes
// and along axes are made from.

#include "larmor/core/device/array.hpp"
#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "larmor/ising/potts/potts_state.hpp"

namespace larmor::ising {

/// @param states where kernels run [replicas * sites], written without waiting for a GPU
void write_site_states(PottsState& from, Array<std::uint8_t>& states);
/// +1 is state 0, -1 is state 1.
void write_site_states(const BitLattice& from, Array<std::uint8_t>& states);

}  // namespace larmor::ising
