#pragma once
// Magnetic dipole-dipole interaction,
//
//     H = (mu_0 / 4 pi) sum_<ij> mu_i mu_j [ e_i.e_j - 3 (e_i.r)(e_j.r) / r^2 ] / r^3,
//
// summed over all pairs of sites, each pair once. All images along periodic directions count, also
// the images of a site itself. In reduced units the key `strength` takes the place of mu_0 / 4 pi.

#include "larmor/core/input/fields.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct Dipolar {
  static constexpr const char* name = "dipolar";
  static constexpr const char* doc =
      "dipole-dipole interaction of all moments, periodic images included";
  std::optional<double> strength;
  std::string method = "auto";
  std::optional<double> cutoff;
  Vec3<double> demagnetisation{0, 0, 0};
  SourcePosition where;

  static FieldTable<Dipolar> fields();

  /// The method for this geometry, where a method is chosen for `auto`.
  std::string chosen_method(const lattice::Geometry& geometry) const;
  /// @throws InputError if material units have a strength, or reduced units have none; if a cutoff
  ///         is missing or not used; if demagnetising factors are impossible; if there are too many
  ///         pairs for bonds
  LoweredTerm lower(const TermContext& context) const;

 private:
  void check(const TermContext& context) const;
};

}  // namespace larmor::spins
