#pragma once
// Uniaxial anisotropy,
//
//     H = - sum_i [ K (e_i.n)^2 + K4 (e_i.n)^4 + K6 (e_i.n)^6 ],
//
// Without K4 and K6, K > 0 is an easy axis and K < 0 an easy plane.

#include "larmor/core/input/fields.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct UniaxialAnisotropy {
  static constexpr const char* name = "anisotropy";
  static constexpr const char* doc =
      "uniaxial anisotropy - K (e.n)^2 - K4 (e.n)^4 - K6 (e.n)^6; K > 0 is an easy axis";
  std::optional<double> K, K4, K6;
  Vec3<double> axis{0, 0, 1};
  std::optional<std::string> species;
  SourcePosition where;

  static FieldTable<UniaxialAnisotropy> fields();

  /// @throws InputError if no strength is given, or no site has the species
  LoweredTerm lower(const TermContext& context) const;
};

}  // namespace larmor::spins
