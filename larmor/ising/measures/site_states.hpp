#pragma once
// States of all sites, (replica, site), from any storage; the input of sums over planes and along
// axes.

#include "larmor/core/device/array.hpp"
#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "larmor/ising/potts/potts_state.hpp"

namespace larmor::ising {

/// @param states on the device [replicas * sites], written without waiting for a GPU
void write_site_states(PottsState& from, Array<std::uint8_t>& states);
/// +1 is state 0, -1 is state 1.
void write_site_states(const BitLattice& from, Array<std::uint8_t>& states);

}  // namespace larmor::ising
