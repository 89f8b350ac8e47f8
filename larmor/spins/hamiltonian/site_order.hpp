#pragma once
// In which order the sites of a model lie in memory: sublattice by sublattice where colours repeat
// through the lattice, else colour by colour. Sites of one colour do not interact. BITS: sums over
// sites and sweeps follow this order.

#include <array>
#include <optional>
#include <vector>

#include "larmor/core/simd/domain.hpp"
#include "larmor/lattice/supercell.hpp"
#include "larmor/spins/hamiltonian/bond_table.hpp"

namespace larmor::spins {

/// Where sites lie sublattice by sublattice, but not all cells are alike.
struct SublatticeOrder {
  std::array<Index, 3> supercell{1, 1, 1};
  std::vector<Index> first;  ///< first storage position of each sublattice, and the end
  std::vector<int> colour;   ///< of each sublattice
};

struct SiteOrder {
  /// Canonical site of each storage position; padding repeats the last site: it is read by
  /// whole-vector loads, never written.
  std::vector<std::int32_t> canonical;
  std::vector<std::vector<SiteRange>> colours;  ///< storage positions of each, ascending
  /// Where runs of storage positions begin that go through the lattice once: sublattices or
  /// colours. Those of vacancies, and the end, may be among them.
  std::vector<Index> runs;
  std::optional<SublatticeOrder> sublattices;

  /// Storage position of each of the canonical sites. [sites]
  std::vector<std::int32_t> storage(Index sites) const;
};

/// Colours that repeat through the lattice; nothing for pairs of any sites, and for vacancies.
std::optional<lattice::SublatticeColouring> repeating_colours(
    const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms);

/// Of a lattice whose cells are alike. @param positions storage positions, padding included
SiteOrder order_of_alike_cells(const lattice::Geometry& geometry,
                               const lattice::SublatticeColouring& repeating, Index positions,
                               int threads);

/// Of any other. @param table of all sites @param repeating where colours do repeat
SiteOrder order_of_sites(const lattice::Geometry& geometry, const BondTable& table,
                         const std::optional<lattice::SublatticeColouring>& repeating,
                         Index positions);

}  // namespace larmor::spins
