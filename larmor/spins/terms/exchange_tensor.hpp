#pragma once
// General bilinear exchange between two spins,
//
//     H = - sum_<ij> e_i^T A e_j,      each pair once, i the first site of a bond; A_ji = A_ij^T.
//
// A is the sum of the isotropic exchange J, an antisymmetric part with D.(e_i x e_j), and a
// symmetric traceless part, which is the anisotropic exchange.

#include "larmor/lattice/bond_selection.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct TensorExchange : lattice::BondSelection {
  static constexpr const char* name = "exchange-tensor";
  static constexpr const char* doc =
      "exchange - e_i^T A e_j with a full matrix, each pair once, i the first site of a bond";
  Mat3<double> A{};
  std::string symmetry = "none";

  static FieldTable<TensorExchange> fields();

  /// @throws InputError if A is not symmetric and the bonds have no order, or if the bonds are
  ///         impossible
  LoweredTerm lower(const TermContext& context) const;
};

}  // namespace larmor::spins
