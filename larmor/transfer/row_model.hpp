#pragma once
// A row of Ising spins of a strip or bar, and its bonds to the next row:
//
//   beta H = - sum_b K_b s_i s_j - sum_i h_i s_i - sum_i K'_i s_i s'_i
//
// Bit i of the index of a state is set if spin i is +1.

#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::transfer {

struct RowBond {
  int i, j;
  double K;
};

struct RowModel {
  int sites = 0;
  std::vector<RowBond> bonds;  ///< several may join two sites; a bond of a site with itself is K
  std::vector<double> h;       ///< [sites]
  std::vector<double> K_next;  ///< K', to the next row [sites]

  bool has_field() const;
};

/// The states on which a transfer matrix acts.
enum class Sector {
  all,   ///< all 2^L states
  even,  ///< v(x) = v(-x): 2^(L - 1) numbers, for rows without fields
  odd,   ///< v(x) = -v(-x)
};

}  // namespace larmor::transfer
