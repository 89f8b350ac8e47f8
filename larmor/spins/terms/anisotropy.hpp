#pragma once
// Uniaxial anisotropy,
//
//     H = - sum_i K (e_i.n)^2,      K > 0: easy axis, K < 0: easy plane.

#include "larmor/core/fields.hpp"
#include "larmor/spins/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct UniaxialAnisotropy {
  static constexpr const char* name = "anisotropy";
  static constexpr const char* doc = "uniaxial anisotropy - K (e.n)^2; K > 0 is an easy axis";
  double K = 0;
  Vec3<double> axis{0, 0, 1};
  std::optional<std::string> species;
  SourcePosition where;

  static FieldTable<UniaxialAnisotropy> fields() {
    return FieldTable<UniaxialAnisotropy>()
        .required("K", &UniaxialAnisotropy::K, Dimension::energy, "strength; K > 0: easy axis")
        .optional("axis", &UniaxialAnisotropy::axis, Dimension::none, "direction n; normalised")
        .not_zero()
        .optional("species", &UniaxialAnisotropy::species, Dimension::none,
                  "only on sites of this species");
  }

  /// @throws InputError when no site has the species
  LoweredTerm lower(const TermContext& context) const;
};

}  // namespace larmor::spins
