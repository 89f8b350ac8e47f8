#pragma once
// Biquadratic exchange,
//
//     H = - sum_<ij> b (e_i.e_j)^2,      each pair once.
//
// b > 0 favours collinear spins, b < 0 spins at right angles.

#include "larmor/lattice/bond_selection.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct Biquadratic : lattice::BondSelection {
  static constexpr const char* name = "biquadratic";
  static constexpr const char* doc =
      "biquadratic exchange - b (e_i.e_j)^2, each pair once; b > 0 favours collinear spins";
  double b = 0;
  std::string symmetry = "none";

  static FieldTable<Biquadratic> fields();

  /// @throws InputError if the bonds are impossible
  LoweredTerm lower(const TermContext& context) const;
};

}  // namespace larmor::spins
