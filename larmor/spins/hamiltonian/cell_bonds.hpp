#pragma once
// Bonds of a lattice without boundaries, vacancies or explicit pairs. They are derived from the
// bonds of one cell. Sites are stored by sublattices of a supercell (lattice::by_sublattice).

#include "larmor/lattice/supercell.hpp"
#include "larmor/spins/hamiltonian/bond_table.hpp"
#include "larmor/spins/hamiltonian/stencil.hpp"

namespace larmor::spins {

class CellBonds {
 public:
  /// @param table bonds of the sites of the first cell
  CellBonds(const lattice::Geometry& geometry, const lattice::SublatticeColouring& colouring,
            const BondTable& table);

  Index sublattices() const { return static_cast<Index>(colour_.size()); }
  Index atoms() const { return atoms_; }
  Index sites_of_each() const { return coarse_[0] * coarse_[1] * coarse_[2]; }
  int bonds_per_site() const { return bonds_per_site_; }

  /// Writes elements [first, last) of the neighbour table of a ModelView. The range covers whole
  /// groups of eight positions. Padding repeats the last site.
  void fill_neighbours(Index first, Index last, std::int32_t* to) const;

  /// @param value couplings (row, bonds_per_site * components), with the rows of the table.
  ///        If it is empty, the stencil has no bonds.
  Stencil stencil(StencilCells cells, BondClass bond_class, const std::vector<double>& value) const;

 private:
  /// The other end of a bond of a basis atom, as seen from its own cell.
  struct Neighbour {
    Index atom;
    std::array<Index, 3> shift;  ///< crystal cells, 0 <= shift < size
  };
  /// The other end of a bond, as seen from a site of a sublattice.
  struct Place {
    Index sublattice;
    std::array<Index, 3> shift;  ///< coarse cells, 0 <= shift < coarse
  };
  const Neighbour& neighbour(Index atom, int bond) const {
    return neighbour_[static_cast<std::size_t>(atom * bonds_per_site_ + bond)];
  }
  Place place(Index sublattice, int bond) const;
  std::array<Index, 3> cell_of(Index sublattice) const;

  std::array<Index, 3> size_, supercell_, coarse_;
  Index atoms_;
  int bonds_per_site_;
  std::vector<int> colour_;           ///< of each sublattice
  std::vector<Neighbour> neighbour_;  ///< (atom, bond)
  std::vector<std::int32_t> row_;     ///< of each atom
};

}  // namespace larmor::spins
