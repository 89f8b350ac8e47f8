#pragma once
// Zeeman energy in a uniform field,
//
//     H = - sum_i mu_i B.e_i,      mu in mu_B, B in tesla (reduced units: mu B an energy).

#include "larmor/core/input/fields.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct ZeemanField {
  static constexpr const char* name = "field";
  static constexpr const char* doc = "uniform magnetic field, - mu B.e on every site";
  Vec3<double> B{0, 0, 0};
  SourcePosition where;

  static FieldTable<ZeemanField> fields();

  LoweredTerm lower(const TermContext& context) const;
};

}  // namespace larmor::spins
