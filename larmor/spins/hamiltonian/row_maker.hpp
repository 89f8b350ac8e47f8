#pragma once
// Makes rows of numbers that belong to sites. There is one row number for each storage position, or
// for each sublattice if cells are alike.

#include <functional>
#include <memory>
#include <vector>

#include "larmor/spins/hamiltonian/cell_bonds.hpp"
#include "larmor/spins/hamiltonian/row_storage.hpp"

namespace larmor::spins {

class RowMaker {
 public:
  /// @param canonical site of each storage position, padded; must outlive this object
  /// @param spins number of spins: later storage positions are vacancies and padding
  /// @param cells null unless cells are alike
  RowMaker(const Device& device, const std::vector<std::int32_t>& canonical, Index spins,
           const CellBonds* cells)
      : device_(device), canonical_(canonical), spins_(spins), cells_(cells) {}

  const Device& device() const { return device_; }
  const std::vector<std::int32_t>& canonical() const { return canonical_; }
  Index spins() const { return spins_; }
  /// Do one-site couplings of terms [first, last) in one cell determine those of all cells?
  bool cells_are_alike(const std::vector<LoweredTerm>& terms, std::size_t first,
                       std::size_t last) const;

  /// Calls visit(site) for each row number, in the order that `rows` expects. If `by_atom` is true
  /// and cells are alike, there is one site for each sublattice, otherwise one for each position.
  /// @param by_atom do values depend only on the basis atom?
  void for_sites(bool by_atom, const std::function<void(Index site)>& visit) const;
  /// @param row row numbers, in the order of for_sites
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
