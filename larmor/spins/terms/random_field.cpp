#include "larmor/spins/terms/random_field.hpp"

#include "larmor/core/maths/vectors.hpp"
#include "larmor/lattice/quenched_disorder.hpp"

namespace larmor::spins {

FieldTable<RandomField> RandomField::fields() {
  return FieldTable<RandomField>()
      .required("width", &RandomField::width, Dimension::magnetic_field,
                "standard deviation of each component")
      .at_least(0)
      .optional("axis", &RandomField::axis, Dimension::none,
                "direction of all fields, a vector of any length except 0; if left out, directions "
                "are random")
      .not_zero()
      .optional("seed", &RandomField::seed, Dimension::none,
                "seed of this field; tables with equal seeds have equal random numbers")
      .optional(
          "by_replica", &RandomField::by_replica, Dimension::none,
          "whether each disorder sample has its own field; if so, means over replicas are means "
          "over disorder");
}

LoweredTerm RandomField::lower(const TermContext& context) const {
  std::optional<Vec3<double>> n;
  if (axis) n = unit_vector(*axis);
  LoweredTerm term;
  term.name = name;
  const auto field = [&moments = context.moments, n, strength = width * context.constants.mu_B,
                      seed = seed, of_sample = replicas_of_sample](Index site, Index replica) {
    const Vec3<double> g = lattice::site_deviates(seed, site, replica / of_sample);
    return (strength * moments[static_cast<std::size_t>(site)]) * (n ? g.x * *n : g);
  };
  if (by_replica) {
    term.field_of_replica = field;
  } else {
    term.field = [field](Index site) { return field(site, 0); };
  }
  return term;
}

double RandomField::numbers_of_replica(const lattice::Geometry& geometry) const {
  return by_replica ? 3 * static_cast<double>(geometry.sites()) : 0;
}

}  // namespace larmor::spins
