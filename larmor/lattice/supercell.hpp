#pragma once
// Periodic colourings: a lattice divided into the sublattices of a supercell, without bonds inside
// a colour. Kernels compute the neighbours of a site by arithmetic. The sites of a sublattice are
// adjacent in memory.

#include <array>
#include <optional>
#include <vector>

#include "larmor/lattice/bonds.hpp"
#include "larmor/lattice/colouring.hpp"

namespace larmor::lattice {

/// A supercell of some cells along each lattice vector, with a colour for each sublattice.
/// Sublattice `basis + n_basis (x + c_0 (y + c_1 z))` holds the atom `basis` of all cells that are
/// (x, y, z) modulo the supercell.
struct SublatticeColouring {
  std::array<Index, 3> supercell{1, 1, 1};
  Colouring colouring;  ///< of the sublattices

  Index sublattices() const { return static_cast<Index>(colouring.colour.size()); }
  /// The sublattice of a site.
  Index sublattice(const Geometry& geometry, Index site) const;
};

/// The colouring with the fewest colours, then the smallest supercell; no value if none is
/// suitable. Only supercells that divide the lattice and have few sublattices are tried. Bonds are
/// those of the infinite lattice, in both directions, so open boundaries and vacancies change
/// nothing.
std::optional<SublatticeColouring> colour_sublattices(const Geometry& geometry,
                                                      const std::vector<StencilBond>& bonds);

}  // namespace larmor::lattice
