#pragma once
// Zeeman energy in a field on selected sites, or with alternating sign,
//
//     H = - sum_i mu_i s_i B.e_i.
//
// s_i is 1 on the selected sites and 0 elsewhere. If the field is staggered, s_i is 1 on even atoms
// of the basis and -1 on odd atoms.

#include "larmor/core/input/fields.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct LocalField {
  static constexpr const char* name = "local-field";
  static constexpr const char* doc =
      "magnetic field - mu B.e on a species, on listed sites, or staggered over the basis";
  Vec3<double> B{0, 0, 0};
  std::optional<std::string> species;
  std::vector<Index> sites;
  bool staggered = false;
  SourcePosition where;

  static FieldTable<LocalField> fields();

  /// @throws InputError unless exactly one of species, sites and staggered is given, or if the
  ///         lattice has no such sites
  LoweredTerm lower(const TermContext& context) const;

 private:
  std::function<double(Index site)> sign_of(const lattice::Geometry& geometry) const;
};

}  // namespace larmor::spins
