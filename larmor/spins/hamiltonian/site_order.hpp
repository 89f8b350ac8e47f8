#pragma once
// The order of the sites of a model in memory: by sublattices if colours repeat through the
// lattice, otherwise by colours. Sites of one colour do not interact. BITS: sums over sites and
// sweeps follow this order.

#include <array>
#include <optional>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/simd/domain.hpp"
#include "larmor/lattice/supercell.hpp"
#include "larmor/spins/hamiltonian/bond_table.hpp"
#include "larmor/spins/hamiltonian/cell_bonds.hpp"

namespace larmor::spins {

/// The sublattices by which sites are stored, if cells are not all alike.
struct SublatticeOrder {
  std::array<Index, 3> supercell{1, 1, 1};
  std::vector<Index> first;  ///< first storage position of each sublattice, and the end
  std::vector<int> colour;   ///< of each sublattice
};

struct SiteOrder {
  /// Canonical site of each storage position. Padding repeats the last site. Whole-vector loads
  /// read the padding, and nothing writes it.
  std::vector<std::int32_t> canonical;
  std::vector<std::vector<SiteRange>> colours;  ///< storage positions of each colour, ascending
  /// First positions of the sublattices or colours. The storage positions of each sublattice or
  /// colour pass through the lattice once. The first vacancy and the end may be included.
  std::vector<Index> runs;
  std::optional<SublatticeOrder> sublattices;

  /// Storage position of each canonical site. [sites]
  std::vector<std::int32_t> storage(Index sites) const;
};

/// Colours that repeat through the lattice. They do not exist if there are explicit pairs or
/// vacancies.
std::optional<lattice::SublatticeColouring> repeating_colours(
    const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms);

/// Order of a lattice whose cells are alike.
/// @param positions storage positions, with padding
SiteOrder order_of_alike_cells(const lattice::Geometry& geometry,
                               const lattice::SublatticeColouring& repeating, Index positions,
                               int threads);

/// Order of any other lattice.
/// @param table bonds of all sites
/// @param repeating colouring that repeats, if any
SiteOrder order_of_sites(const lattice::Geometry& geometry, const BondTable& table,
                         const std::optional<lattice::SublatticeColouring>& repeating,
                         Index positions);

/// Data of every storage position on a device. Couplings are stored elsewhere.
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
