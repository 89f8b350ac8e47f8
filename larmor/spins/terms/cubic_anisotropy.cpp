#include "larmor/spins/terms/cubic_anisotropy.hpp"

#include <cmath>

#include "larmor/core/maths/unit_vector.hpp"
#include "larmor/spins/terms/site_selection.hpp"

namespace larmor::spins {

FieldTable<CubicAnisotropy> CubicAnisotropy::fields() {
  return FieldTable<CubicAnisotropy>()
      .required("K4", &CubicAnisotropy::K4, Dimension::energy,
                "strength; K4 > 0: easy axes along `axes`")
      .optional("axes", &CubicAnisotropy::axes, Dimension::none,
                "three orthogonal directions that stand for x, y and z; normalised")
      .not_zero()
      .optional("species", &CubicAnisotropy::species, Dimension::none,
                "only on sites of this species");
}

LoweredTerm CubicAnisotropy::lower(const TermContext& context) const {
  std::vector<OnsiteCoupling> couplings;
  for (const Vec3<double>& axis : axes) {
    const Vec3<double> n = unit_vector(axis);
    for (const OnsiteCoupling& other : couplings)
      if (std::abs(dot(n, other.axis)) > 1e-6)
        throw InputError("cubic-anisotropy: the axes are not orthogonal", where,
                         "give three directions at right angles to each other");
    couplings.push_back({n, 0, K4, 0});
  }
  LoweredTerm term;
  term.name = name;
  term.by_atom = context.cells_are_alike();
  term.onsite = [couplings, chosen = sites_of(species, name, context.geometry, where)](Index site) {
    return chosen(site) ? couplings : std::vector<OnsiteCoupling>{};
  };
  return term;
}

}  // namespace larmor::spins
