#pragma once
// Colours that repeat: a lattice cut into the sublattices of a supercell, those of one colour
// without bonds among them. A kernel then knows the neighbours of a site by arithmetic, and the
// sites of a sublattice lie side by side.

#include <array>
#include <optional>
#include <vector>

#include "larmor/lattice/bonds.hpp"
#include "larmor/lattice/colouring.hpp"

namespace larmor::lattice {

/// A supercell of some cells along each lattice vector and a colour for each of its sublattices:
/// number `basis + n_basis (x + c_0 (y + c_1 z))` holds the atom `basis` of all cells that are
/// (x, y, z) modulo the supercell.
struct SublatticeColouring {
  std::array<Index, 3> supercell{1, 1, 1};
  Colouring colouring;  ///< of the sublattices

  Index sublattices() const { return static_cast<Index>(colouring.colour.size()); }
  /// Which sublattice a site belongs to.
  Index sublattice(const Geometry& geometry, Index site) const;
};

/// The colouring with the fewest colours, and then the smallest supercell, among supercells that
/// divide the lattice and have few sublattices; nothing where there is none. Bonds are those of the
/// infinite lattice, either way round, so open boundaries and vacancies change nothing.
std::optional<SublatticeColouring> colour_sublattices(const Geometry& geometry,
                                                      const std::vector<StencilBond>& bonds);

}  // namespace larmor::lattice
