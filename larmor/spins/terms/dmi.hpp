#pragma once
// Dzyaloshinskii-Moriya interaction,
//
//     H = - sum_<ij> D_ij.(e_i x e_j),      each pair once; D_ji = - D_ij.
//
// Consider a chain along x with exchange J and D_ij = D z, where site j follows site i. Its spins
// turn counterclockwise about z, seen from +z, by atan(D / J) per bond.

#include "larmor/lattice/bond_selection.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct Dmi : lattice::BondSelection {
  static constexpr const char* name = "dmi";
  static constexpr const char* doc =
      "Dzyaloshinskii-Moriya interaction - D.(e_i x e_j), each pair once, i the first site of a "
      "bond";
  std::optional<Vec3<double>> D;
  std::optional<double> strength;
  std::string direction = "bond";
  std::string symmetry = "none";

  static FieldTable<Dmi> fields();

  /// @throws InputError unless exactly one of D and strength is given, or if D has no direction
  LoweredTerm lower(const TermContext& context) const;

 private:
  Vec3<double> vector_of(const Vec3<double>& r) const;
};

}  // namespace larmor::spins
