#include "larmor/spins/hamiltonian/stencil.hpp"

#include <algorithm>
#include <atomic>

#include "larmor/core/device/parallel.hpp"

namespace larmor::spins {
namespace {

using Cell = std::array<Index, 3>;

/// A sublattice and the index of a cell.
struct Place {
  std::int32_t sublattice, cell;
};

/// The other end of a bond, as seen from a site of a sublattice.
struct Neighbour {
  Index sublattice;
  Cell shift;  ///< 0 <= shift < cells
  friend bool operator==(const Neighbour&, const Neighbour&) = default;
};

class StencilSearch {
 public:
  StencilSearch(const StencilTables& tables, StencilCells cells, int threads)
      : t_(tables), threads_(threads) {
    Cell coarse;
    for (std::size_t d = 0; d < 3; ++d) coarse[d] = t_.size[d] / t_.supercell[d];
    stencil_.atoms = t_.atoms;
    stencil_.bond_class = t_.bond_class;
    stencil_.outer = {1, coarse[0], coarse[0] * coarse[1]};
    if (cells == StencilCells::colours) {
      stencil_.cells = coarse;
      stencil_.supercell = t_.supercell;
    } else {
      stencil_.cells = t_.size;
      stencil_.fold = t_.supercell;
      const Index step = coarse[0] * coarse[1] * coarse[2] * t_.atoms;
      stencil_.inner = {step, step * t_.supercell[0], step * t_.supercell[0] * t_.supercell[1]};
    }
  }

  std::optional<Stencil> run() {
    const auto total = static_cast<Index>(t_.colour.size());
    const Index of_each =
        t_.size[0] * t_.size[1] * t_.size[2] * t_.atoms / std::max<Index>(1, total);
    for (Index s = 0; s <= total; ++s)
      if (t_.first[static_cast<std::size_t>(s)] != s * of_each) return std::nullopt;
    make_sublattices(of_each);
    if (!place_sites()) return std::nullopt;
    for (Sublattice& s : stencil_.sublattices) {
      if (!is_regular(s)) return std::nullopt;
      for (int bond = 0; bond < t_.bonds_per_site; ++bond) add_bond(s, bond);
    }
    return std::move(stencil_);
  }

 private:
  Cell coordinates(Index number) const {
    const Cell& n = stencil_.cells;
    return {number % n[0], number / n[0] % n[1], number / (n[0] * n[1])};
  }

  /// Makes the sublattices of a stencil cell. A stencil cell is one crystal cell, or a cell of the
  /// colouring with all its crystal cells.
  void make_sublattices(Index of_each) {
    const Cell& s = stencil_.supercell;
    for (Index n = 0; n < t_.atoms * s[0] * s[1] * s[2]; ++n) {
      const Index cell = n / t_.atoms;
      stencil_.sublattices.push_back(
          {static_cast<int>(n % t_.atoms),
           {cell % s[0], cell / s[0] % s[1], cell / (s[0] * s[1])},
           stencil_.supercell == t_.supercell ? t_.colour[static_cast<std::size_t>(n)] : -1,
           n * of_each,
           {}});
    }
  }

  /// Finds the sublattice and cell of each storage position.
  /// @return false if a site is not at its expected position
  bool place_sites() {
    place_.assign(static_cast<std::size_t>(stencil_.sites()), {-1, -1});
    const Cell step = stencil_.canonical_strides();
    for (std::size_t s = 0; s < stencil_.sublattices.size(); ++s) {
      const Sublattice& sublattice = stencil_.sublattices[s];
      for (Index n = 0; n < stencil_.all_cells(); ++n) {
        const Cell c = coordinates(n);
        const auto position = static_cast<std::size_t>(stencil_.storage(sublattice, c));
        if (position >= place_.size() || place_[position].cell >= 0) return false;
        place_[position] = {static_cast<std::int32_t>(s), static_cast<std::int32_t>(n)};
        if (t_.canonical[position] != stencil_.canonical_origin(sublattice) + step[0] * c[0] +
                                          step[1] * c[1] + step[2] * c[2])
          return false;
      }
    }
    return true;
  }

  Neighbour seen_from(Index position, int bond) const {
    const std::int32_t other = t_.neighbour[static_cast<std::size_t>(
        ((position / lane_count) * t_.bonds_per_site + bond) * lane_count + position % lane_count)];
    const Place& to = place_[static_cast<std::size_t>(other)];
    const Cell here = coordinates(place_[static_cast<std::size_t>(position)].cell);
    const Cell there = coordinates(to.cell);
    Neighbour seen{to.sublattice, {}};
    for (std::size_t d = 0; d < 3; ++d)
      seen.shift[d] = (there[d] - here[d] + stencil_.cells[d]) % stencil_.cells[d];
    return seen;
  }

  /// Do all sites of a sublattice have equal bonds?
  bool is_regular(const Sublattice& s) const {
    std::vector<Neighbour> expected;
    for (int bond = 0; bond < t_.bonds_per_site; ++bond)
      expected.push_back(seen_from(s.first, bond));
    const std::int32_t row = t_.row[static_cast<std::size_t>(s.first)];
    std::atomic<bool> regular = true;
    const Index layer = stencil_.cells[0] * stencil_.cells[1];
    parallel_for(threads_, stencil_.cells[2], [&](Index z) {
      for (Index n = z * layer; n < (z + 1) * layer && regular; ++n) {
        const Index position = stencil_.storage(s, coordinates(n));
        bool same = t_.row[static_cast<std::size_t>(position)] == row;
        for (int bond = 0; bond < t_.bonds_per_site && same; ++bond)
          same = seen_from(position, bond) == expected[static_cast<std::size_t>(bond)];
        if (!same) regular = false;
      }
    });
    return regular;
  }

  /// Adds a bond unless all its couplings are zero.
  void add_bond(Sublattice& s, int bond) const {
    const int width = components(t_.bond_class);
    const Index row = t_.row[static_cast<std::size_t>(s.first)];
    const auto begin = t_.value.begin() + (row * t_.bonds_per_site + bond) * width;
    if (std::all_of(begin, begin + width, [](double a) { return a == 0; })) return;
    const Neighbour seen = seen_from(s.first, bond);
    SublatticeBond added{static_cast<int>(seen.sublattice), {}, {begin, begin + width}};
    for (std::size_t d = 0; d < 3; ++d)
      added.shift[d] =
          static_cast<int>(2 * seen.shift[d] > stencil_.cells[d] ? seen.shift[d] - stencil_.cells[d]
                                                                 : seen.shift[d]);
    s.bonds.push_back(std::move(added));
  }

  const StencilTables& t_;
  int threads_;
  Stencil stencil_;
  std::vector<Place> place_;  ///< for each storage position
};

}  // namespace

Index Stencil::canonical_origin(const Sublattice& s) const {
  return s.basis + atoms * (s.cell[0] + cells[0] * supercell[0] *
                                            (s.cell[1] + cells[1] * supercell[1] * s.cell[2]));
}

std::array<Index, 3> Stencil::canonical_strides() const {
  const Index row = cells[0] * supercell[0];
  return {atoms * supercell[0], atoms * row * supercell[1],
          atoms * row * cells[1] * supercell[1] * supercell[2]};
}

std::optional<Stencil> find_stencil(const StencilTables& tables, StencilCells cells, int threads) {
  return StencilSearch(tables, cells, threads).run();
}

}  // namespace larmor::spins
