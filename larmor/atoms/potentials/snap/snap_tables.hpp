#pragma once
// Tables that depend only on 2J: places of matrix elements and Clebsch-Gordan coefficients.
//
// A matrix u_j has the elements u_j[mb][ma], 0 <= ma, mb <= j, and the symmetry
//
//   u_j[j-mb][j-ma] = (-1)^(ma+mb) conj u_j[mb][ma],
//
// so that the elements with 2 mb < j and, for even j, those with mb = j/2 and ma <= mb determine
// all: they are the *half*. BITS: the half is stored row by row, mb first and then j = 2 mb..2J, in
// the order of the recursion. A sum over whole matrices is a sum over the half with weight 2, and 1
// at ma = mb = j/2.

#include <array>
#include <vector>

#include "larmor/atoms/potentials/snap/snap_potential.hpp"
#include "larmor/core/maths/isa.hpp"

namespace larmor::atoms::snap {

/// U_j1 and U_j2 coupled to j.
struct Triple {
  int j1, j2, j;
};

/// Coefficients for the products U_j1[m1][..] U_j2[m - m1][..] of one m. m1 begins at low_m1, and j
/// at low_j.
struct CouplingBlock {
  int low_m1, count_m1, low_j;
  int first;  ///< place of the coefficients (j, m1) in the table
};

/// An addend of the coefficient of a product in dE/dU: a factor times dE/dB of a component.
struct ProductShare {
  int component;
  double factor;
};
inline constexpr int shares_of_product = 3;

/// Arrays of the tables, for kernels.
struct SnapTablesView {
  int twojmax, half, full, pairs, triples, components;
  int blocks, coefficients;  ///< number of blocks, number of coefficients
  int row_start[most_twojmax + 1][most_twojmax / 2 + 1];  ///< row mb of layer j in the half
  int layer_start[most_twojmax + 1];                      ///< start of layer j in full matrices
  const int* pair_j1;                                     ///< [pairs], j1 >= j2
  const int* pair_j2;
  const int* pair_block;   ///< block of m = 0 [pairs]
  const int* pair_triple;  ///< triple of the smallest j; the others follow [pairs]
  const CouplingBlock* block;
  const double* coefficient;
  const double* coefficient_of_half;  ///< for sums over m1 <= m/2: doubled for m1 < m/2
  const double* norm;                 ///< sqrt(ma! (j-ma)! / (mb! (j-mb)!)) [half]
  const int* component;               ///< component of a triple, -1 if j < j1 [triples]
};

class SnapTables {
 public:
  /// @throws InputError for 2J below 0 or above 14
  explicit SnapTables(int twojmax);

  const SnapTablesView& view() const { return view_; }
  int twojmax() const { return view_.twojmax; }
  /// The arrays that `view()` points to.
  const std::vector<double>& coefficients() const { return coefficients_; }
  const std::vector<double>& coefficients_of_half() const { return coefficients_of_half_; }
  /// j1 >= j2, j1 - j2 <= j <= min(2J, j1 + j2), in the order of loops over j1, j2, j.
  const std::vector<Triple>& triples() const { return triples_; }
  int triple(int j1, int j2, int j) const;
  /// Triples with j >= j1, in their order: the components of the bispectrum.
  const std::vector<Triple>& components() const { return components_; }
  int component(int j1, int j2, int j) const;
  /// Clebsch-Gordan coefficient of a triple for m1 and m2.
  double coefficient(const Triple& t, int m1, int m2) const {
    const CouplingBlock& block = blocks_[static_cast<std::size_t>(
        pair_block_[static_cast<std::size_t>(t.j1 * (t.j1 + 1) / 2 + t.j2)] + m1 + m2)];
    return coefficients_[static_cast<std::size_t>(
        block.first + (t.j - block.low_j) / 2 * block.count_m1 + m1 - block.low_m1)];
  }

 private:
  void lay_out_rows();
  void list_triples();
  void couple();

  SnapTablesView view_{};
  std::vector<Triple> triples_, components_;
  std::vector<int> component_of_triple_, pair_j1_, pair_j2_, pair_block_, pair_triple_;
  std::vector<CouplingBlock> blocks_;
  std::vector<double> coefficients_, coefficients_of_half_, norm_;
};

}  // namespace larmor::atoms::snap
