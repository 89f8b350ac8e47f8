#pragma once
// Makes rows of numbers of sites: one for each storage position, or, where cells are alike, one for
// each sublattice.

#include <functional>
#include <memory>
#include <vector>

#include "larmor/spins/hamiltonian/cell_bonds.hpp"
#include "larmor/spins/hamiltonian/row_storage.hpp"

namespace larmor::spins {

class RowMaker {
 public:
  /// @param canonical site of each storage position, padded; must outlive this
  /// @param spins storage positions from here on are vacancies and padding
  /// @param cells where cells are alike; else null
  RowMaker(const Device& device, const std::vector<std::int32_t>& canonical, Index spins,
           const CellBonds* cells)
      : device_(device), canonical_(canonical), spins_(spins), cells_(cells) {}

  const Device& device() const { return device_; }
  const std::vector<std::int32_t>& canonical() const { return canonical_; }
  Index spins() const { return spins_; }
  /// Are one-site couplings of terms [first, last) known from one cell?
  bool cells_are_alike(const std::vector<LoweredTerm>& terms, std::size_t first,
                       std::size_t last) const;

  /// Calls visit(site) for the canonical site that each row number of `rows` belongs to, in their
  /// order: one of each sublattice, or that of each position. @param by_atom is the atom of the
  /// basis all that matters?
  void for_sites(bool by_atom, const std::function<void(Index site)>& visit) const;
  /// @param row numbers of the rows, in the order of for_sites
  std::shared_ptr<const SiteRows> rows(bool by_atom, std::vector<std::int32_t> row) const;

  /// @param of_site `width` numbers of a canonical site
  RowStorage make(int width, bool by_atom,
                  const std::function<std::vector<double>(Index site)>& of_site) const;

 private:
  const Device& device_;
  const std::vector<std::int32_t>& canonical_;
  Index spins_;
  const CellBonds* cells_;
};

}  // namespace larmor::spins
