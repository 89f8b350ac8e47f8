#include "larmor/spins/hamiltonian/cell_bonds.hpp"

#include <algorithm>

namespace larmor::spins {

CellBonds::CellBonds(const lattice::Geometry& geometry,
                     const lattice::SublatticeColouring& colouring, const BondTable& table)
    : size_(geometry.size),
      supercell_(colouring.supercell),
      atoms_(static_cast<Index>(geometry.crystal.basis.size())),
      bonds_per_site_(table.bonds_per_site()),
      colour_(colouring.colouring.colour.begin(), colouring.colouring.colour.end()) {
  for (std::size_t d = 0; d < 3; ++d) coarse_[d] = size_[d] / supercell_[d];
  for (Index atom = 0; atom < atoms_; ++atom) {
    row_.push_back(table.row(atom));
    for (int bond = 0; bond < bonds_per_site_; ++bond) {
      const lattice::SiteIndex to = geometry.decode(table.neighbour(atom, bond));
      neighbour_.push_back({to.basis, to.cell});
    }
  }
}

std::array<Index, 3> CellBonds::cell_of(Index sublattice) const {
  const Index cell = sublattice / atoms_;
  return {cell % supercell_[0], cell / supercell_[0] % supercell_[1],
          cell / (supercell_[0] * supercell_[1])};
}

CellBonds::Place CellBonds::place(Index sublattice, int bond) const {
  const Neighbour& to = neighbour(sublattice % atoms_, bond);
  const std::array<Index, 3> from = cell_of(sublattice);
  std::array<Index, 3> cell;
  Place place{};
  for (std::size_t d = 0; d < 3; ++d) {
    const Index there = (from[d] + to.shift[d]) % size_[d];
    cell[d] = there % supercell_[d];
    place.shift[d] = there / supercell_[d];
  }
  place.sublattice =
      to.atom + atoms_ * (cell[0] + supercell_[0] * (cell[1] + supercell_[1] * cell[2]));
  return place;
}

void CellBonds::fill_neighbours(Index first, Index last, std::int32_t* to) const {
  const Index group_size = bonds_per_site_ * lane_count;
  const Index each = sites_of_each(), sites = each * sublattices();
  std::vector<Place> of_bond(static_cast<std::size_t>(bonds_per_site_));
  Index known = -1;  // sublattice of `of_bond`
  for (Index group = first / group_size; group < last / group_size; ++group) {
    std::int32_t* const of_group = to + (group * group_size - first);
    for (Index lane = 0; lane < lane_count; ++lane) {
      const Index position = std::min(group * lane_count + lane, sites - 1);
      const Index sublattice = position / each, cell = position % each;
      if (sublattice != known) {
        for (int bond = 0; bond < bonds_per_site_; ++bond)
          of_bond[static_cast<std::size_t>(bond)] = place(sublattice, bond);
        known = sublattice;
      }
      const std::array<Index, 3> here{cell % coarse_[0], cell / coarse_[0] % coarse_[1],
                                      cell / (coarse_[0] * coarse_[1])};
      for (int bond = 0; bond < bonds_per_site_; ++bond) {
        const Place& p = of_bond[static_cast<std::size_t>(bond)];
        std::array<Index, 3> c;
        for (std::size_t d = 0; d < 3; ++d) {
          c[d] = here[d] + p.shift[d];
          if (c[d] >= coarse_[d]) c[d] -= coarse_[d];
        }
        of_group[bond * lane_count + lane] = static_cast<std::int32_t>(
            p.sublattice * each + c[0] + coarse_[0] * (c[1] + coarse_[1] * c[2]));
      }
    }
  }
}

Stencil CellBonds::stencil(StencilCells cells, BondClass bond_class,
                           const std::vector<double>& value) const {
  const bool fine = cells == StencilCells::crystal;
  Stencil stencil;
  stencil.atoms = atoms_;
  stencil.bond_class = bond_class;
  stencil.cells = fine ? size_ : coarse_;
  stencil.outer = {1, coarse_[0], coarse_[0] * coarse_[1]};
  if (fine) {
    stencil.fold = supercell_;
    const Index step = sites_of_each() * atoms_;
    stencil.inner = {step, step * supercell_[0], step * supercell_[0] * supercell_[1]};
  } else {
    stencil.supercell = supercell_;
  }
  const bool coloured = stencil.supercell == supercell_;
  const int width = components(bond_class);
  for (Index s = 0; s < (fine ? atoms_ : sublattices()); ++s) {
    const Index atom = s % atoms_;
    Sublattice sublattice{static_cast<int>(atom),
                          cell_of(s),
                          coloured ? colour_[static_cast<std::size_t>(s)] : -1,
                          s * sites_of_each(),
                          {}};
    const Index row = row_[static_cast<std::size_t>(atom)];
    for (int bond = 0; bond < bonds_per_site_ && !value.empty(); ++bond) {
      const auto begin = value.begin() + (row * bonds_per_site_ + bond) * width;
      if (std::all_of(begin, begin + width, [](double a) { return a == 0; })) continue;
      const Place to =
          fine ? Place{neighbour(atom, bond).atom, neighbour(atom, bond).shift} : place(s, bond);
      SublatticeBond added{static_cast<int>(to.sublattice), {}, {begin, begin + width}};
      for (std::size_t d = 0; d < 3; ++d)
        added.shift[d] = static_cast<int>(
            2 * to.shift[d] > stencil.cells[d] ? to.shift[d] - stencil.cells[d] : to.shift[d]);
      sublattice.bonds.push_back(std::move(added));
    }
    stencil.sublattices.push_back(std::move(sublattice));
  }
  return stencil;
}

}  // namespace larmor::spins
