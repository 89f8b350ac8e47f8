#pragma once
// Kitaev's bond-dependent exchange and related terms (Rau, Lee, Kee, Phys. Rev. Lett. 112 (2014)
// 077204). On a bond of type g, where g, a and b are x, y and z in some order,
//
//     H = - sum_<ij> [ K e_i^g e_j^g + Gamma (e_i^a e_j^b + e_i^b e_j^a)
//                      + Gamma' (e_i^g e_j^a + e_i^a e_j^g + e_i^g e_j^b + e_i^b e_j^g) ],
//
// with each pair counted once. x, y, z are the components of the spins. They need not be directions
// of the lattice. If `bond` is "auto", the types follow from the three directions of the bonds.
// Types x, y, z have increasing angles to the first Cartesian axis, from 0 up to (not including)
// 180 degrees in the xy plane. A direction along the third axis comes last. In shell 1 of the named
// honeycomb lattice, x is at 30 degrees, y at 90 and z at 150.

#include "larmor/lattice/bond_selection.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct Kitaev : lattice::BondSelection {
  static constexpr const char* name = "kitaev";
  static constexpr const char* doc =
      "Kitaev exchange - K e_i^g e_j^g on bonds of type g = x, y, z, with Gamma and Gamma' terms; "
      "each pair once";
  std::optional<double> K, Gamma, Gamma_prime;
  std::string bond = "auto";

  static FieldTable<Kitaev> fields();

  /// @throws InputError if no coupling is given, the bonds are impossible, or `auto` does not find
  ///         three directions
  LoweredTerm lower(const TermContext& context) const;

 private:
  Mat3<double> matrix(int type) const;
};

}  // namespace larmor::spins
