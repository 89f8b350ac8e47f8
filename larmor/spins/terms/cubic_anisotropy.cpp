#include "larmor/spins/terms/cubic_anisotropy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/maths/vectors.hpp"
#include "larmor/lattice/input.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

FieldTable<CubicAnisotropy> CubicAnisotropy::fields() {
  return FieldTable<CubicAnisotropy>()
      .required("K4", &CubicAnisotropy::K4, Dimension::energy,
                "strength; if K4 > 0, the easy axes lie along `axes`")
      .optional("axes", &CubicAnisotropy::axes, Dimension::none,
                "three orthogonal vectors in place of x, y and z, of any lengths except 0")
      .not_zero()
      .optional("species", &CubicAnisotropy::species, Dimension::none,
                "species of the sites on which the term acts; default: all");
}

std::array<Vec3<double>, 3> CubicAnisotropy::orthogonal_axes() const {
  std::array<Vec3<double>, 3> n;
  for (std::size_t a = 0; a < 3; ++a) n[a] = unit_vector(axes[a]);
  double off = 0;
  for (std::size_t a = 0; a < 3; ++a) off = std::max(off, std::abs(dot(n[a], n[(a + 1) % 3])));
  if (off > lattice::input_tolerance)
    throw InputError(fmt::format("cubic-anisotropy: the axes deviate from right angles by {:.2g} "
                                 "degrees",
                                 std::asin(std::min(off, 1.0)) * 180 / std::numbers::pi),
                     where, "give three orthogonal directions");
  if (off < 1e-12) return n;
  // Each pass replaces each axis by a mean of this axis and the cross product of the other two
  // axes. A pass squares the error.
  const double handedness = dot(n[0], cross(n[1], n[2])) > 0 ? 1 : -1;
  for (int pass = 0; pass < 4; ++pass) {
    const std::array<Vec3<double>, 3> before = n;
    for (std::size_t a = 0; a < 3; ++a)
      n[a] = unit_vector(before[a] + handedness * cross(before[(a + 1) % 3], before[(a + 2) % 3]));
  }
  return n;
}

LoweredTerm CubicAnisotropy::lower(const TermContext& context) const {
  std::vector<OnsiteCoupling> couplings;
  for (const Vec3<double>& n : orthogonal_axes()) couplings.push_back({n, 0, K4, 0});
  LoweredTerm term;
  term.name = name;
  term.by_atom = context.cells_are_alike();
  term.onsite = [couplings, chosen = sites_of(species, name, context.geometry, where)](Index site) {
    return chosen(site) ? couplings : std::vector<OnsiteCoupling>{};
  };
  return term;
}

}  // namespace larmor::spins
