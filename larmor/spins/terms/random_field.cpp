#include "larmor/spins/terms/random_field.hpp"

#include "larmor/core/unit_vector.hpp"
#include "larmor/spins/terms/quenched_disorder.hpp"

namespace larmor::spins {

LoweredTerm RandomField::lower(const TermContext& context) const {
  std::optional<Vec3<double>> n;
  if (axis) n = unit_vector(*axis);
  LoweredTerm term;
  term.name = name;
  term.field = [&moments = context.moments, n, strength = width * context.constants.mu_B,
                seed = seed](Index site) {
    const Vec3<double> g = site_deviates(seed, site);
    return (strength * moments[static_cast<std::size_t>(site)]) * (n ? g.x * *n : g);
  };
  return term;
}

}  // namespace larmor::spins
