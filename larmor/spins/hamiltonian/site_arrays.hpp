#pragma once
// Data of every storage position except for couplings, on a device.

#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/spins/hamiltonian/bond_table.hpp"
#include "larmor/spins/hamiltonian/cell_bonds.hpp"

namespace larmor::spins {

struct SiteArrays {
  Array<std::int32_t> canonical;  ///< canonical site [positions]
  Array<std::int32_t> neighbour;  ///< storage positions, as in ModelView
};

/// @param canonical site of each storage position, padded
/// @param storage position of each canonical site
SiteArrays site_arrays(const Device& device, const std::vector<std::int32_t>& canonical,
                       const BondTable& table, const std::vector<std::int32_t>& storage);

/// Version for lattices whose cells are alike.
SiteArrays site_arrays(const Device& device, const std::vector<std::int32_t>& canonical,
                       const CellBonds& bonds);

}  // namespace larmor::spins
