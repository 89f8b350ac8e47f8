#pragma once
// A translation-invariant model in the form for JIT kernels. It lists the sublattices of a cell.
// For each sublattice, it lists the interacting sublattices with their distance in cells. So all
// neighbours are constants when a kernel is compiled.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "larmor/lattice/supercell.hpp"
#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {

/// One directed bond of every site of a sublattice.
struct SublatticeBond {
  int to;                        ///< sublattice
  std::array<int, 3> shift;      ///< in cells, the shortest of all periodic images
  std::vector<double> coupling;  ///< numbers of the bond class
};

struct Sublattice {
  int basis;                  ///< atom of the crystal's cell
  std::array<Index, 3> cell;  ///< crystal cell within a cell
  int colour;                 ///< -1 if its sites have several colours
  Index first;                ///< storage position in cell (0, 0, 0)
  std::vector<SublatticeBond> bonds;
};

/// Cells are crystal cells or larger cells. The storage position of a sublattice's site in a cell c
/// is first + sum_d [ (c_d modulo fold_d) inner_d + (c_d / fold_d) outer_d ].
struct Stencil {
  std::array<Index, 3> cells{1, 1, 1};      ///< along each lattice vector
  std::array<Index, 3> supercell{1, 1, 1};  ///< crystal cells in a cell
  std::array<Index, 3> fold{1, 1, 1};
  std::array<Index, 3> inner{0, 0, 0};
  std::array<Index, 3> outer{1, 1, 1};
  Index atoms = 1;  ///< atoms in a crystal cell
  BondClass bond_class = BondClass::scalar;
  std::vector<Sublattice> sublattices;

  Index all_cells() const { return cells[0] * cells[1] * cells[2]; }
  Index sites() const { return all_cells() * static_cast<Index>(sublattices.size()); }
  /// Contribution of a coordinate of the cell to the storage position.
  Index offset(std::size_t d, Index coordinate) const {
    return coordinate % fold[d] * inner[d] + coordinate / fold[d] * outer[d];
  }
  Index storage(const Sublattice& s, const std::array<Index, 3>& cell) const {
    return s.first + offset(0, cell[0]) + offset(1, cell[1]) + offset(2, cell[2]);
  }
  /// Canonical site of a sublattice in cell (0, 0, 0). canonical_strides() returns the increments
  /// of the canonical site from cell to cell along each lattice vector.
  Index canonical_origin(const Sublattice& s) const;
  std::array<Index, 3> canonical_strides() const;
};

/// Cells of a stencil.
enum class StencilCells {
  crystal,  ///< crystal cells: few sublattices, for kernels over all sites
  colours   ///< cells of the colouring: a sublattice has one colour
};

/// Tables of a model on the host, by storage position.
struct StencilTables {
  std::array<Index, 3> size{1, 1, 1};       ///< crystal cells
  std::array<Index, 3> supercell{1, 1, 1};  ///< crystal cells of a cell of the colouring
  Index atoms = 1;
  std::vector<Index> first;             ///< first storage position of each sublattice, and the end
  std::vector<int> colour;              ///< of each sublattice
  std::vector<std::int32_t> canonical;  ///< canonical site of each storage position
  std::vector<std::int32_t> neighbour;  ///< as in ModelView
  int bonds_per_site = 0;
  BondClass bond_class = BondClass::scalar;
  std::vector<std::int32_t> row;  ///< row of couplings of each storage position
  std::vector<double> value;      ///< couplings (row, bonds_per_site * components)
};

/// The stencil of the tables. It does not exist if sites of a sublattice differ in their bonds
/// (open boundaries, disorder), or if some sites are absent (vacancies).
std::optional<Stencil> find_stencil(const StencilTables& tables, StencilCells cells, int threads);

}  // namespace larmor::spins
