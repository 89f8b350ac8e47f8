#pragma once
// Cubic anisotropy,
//
//     H = - sum_i K4 [ (e_i.a)^4 + (e_i.b)^4 + (e_i.c)^4 ],      a, b, c orthogonal.
//
// If K4 > 0, the easy axes are a, b and c. If K4 < 0, they are the space diagonals. The other usual
// form, K1 (e_a^2 e_b^2 + e_b^2 e_c^2 + e_c^2 e_a^2), equals this form with K4 = K1 / 2, up to a
// constant.

#include "larmor/core/input/fields.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct CubicAnisotropy {
  static constexpr const char* name = "cubic-anisotropy";
  static constexpr const char* doc =
      "cubic anisotropy - K4 (e_x^4 + e_y^4 + e_z^4); if K4 > 0, the easy axes are x, y and z";
  double K4 = 0;
  std::array<Vec3<double>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  std::optional<std::string> species;
  SourcePosition where;

  static FieldTable<CubicAnisotropy> fields();

  /// @throws InputError if the axes are not orthogonal, or no site has the species
  LoweredTerm lower(const TermContext& context) const;

 private:
  /// Three unit vectors, orthogonal to rounding.
  /// @throws InputError if `axes` are not orthogonal within the tolerance
  std::array<Vec3<double>, 3> orthogonal_axes() const;
};

}  // namespace larmor::spins
