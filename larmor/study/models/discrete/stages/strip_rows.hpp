#pragma once
// The rows of a strip of Ising spins, from the tables of a study. The last axis of the grid leads
// along the strip; a row has the sites of all other axes.

#include <vector>

#include "larmor/study/models/discrete/system/discrete_sites.hpp"
#include "larmor/transfer/row_model.hpp"

namespace larmor::study {

struct StripRows {
  Index sites = 0;  ///< of a row
  Index rows = 0;
  bool is_closed = false;   ///< does a bond lead from the last row to the first?
  bool is_uniform = false;  ///< are all rows, and the bonds between them, equal?
  /// Is the first axis periodic, so that a wall along the strip is possible?
  bool has_wall = false;
  /// Couplings and fields as energies, which `at` divides by k_B T. In the last row,
  /// RowModel::K_next has the couplings to the first row, or zeros.
  std::vector<transfer::RowModel> row;

  bool has_field() const;
  /// The row at a temperature. @param wall reverse the bonds across the border of the first axis?
  transfer::RowModel at(Index row, double temperature, bool wall = false) const;
  /// The couplings of a row to the next one at a temperature.
  std::vector<double> next_couplings(Index row, double temperature) const;
  /// The row with all bonds that some row has.
  transfer::RowModel all_bonds() const;

 private:
  friend StripRows strip_rows(const DiscreteTables&, const DiscreteSites&, Index);
  bool crosses_border(Index i, Index j) const;

  Index first_length_ = 1;     ///< sites along the first axis
  std::vector<Index> border_;  ///< bonds that a row has across the border of the first axis
};

/// @throws InputError for sites that are not a grid, a strip of one row, or a bond between rows
/// that does not join equal places of neighbouring rows
StripRows strip_rows(const DiscreteTables& tables, const DiscreteSites& sites, Index replica);

}  // namespace larmor::study
