#include "larmor/spins/terms/anisotropy.hpp"

#include "larmor/core/maths/vectors.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

FieldTable<UniaxialAnisotropy> UniaxialAnisotropy::fields() {
  return FieldTable<UniaxialAnisotropy>()
      .optional("K", &UniaxialAnisotropy::K, Dimension::energy,
                "strength of second order, where K > 0 gives an easy axis; give at least one of K, "
                "K4 and K6; default: 0")
      .optional("K4", &UniaxialAnisotropy::K4, Dimension::energy,
                "strength of fourth order; default: 0")
      .optional("K6", &UniaxialAnisotropy::K6, Dimension::energy,
                "strength of sixth order; default: 0")
      .optional("axis", &UniaxialAnisotropy::axis, Dimension::none,
                "direction n, a vector of any length except 0")
      .not_zero()
      .optional("species", &UniaxialAnisotropy::species, Dimension::none,
                "species of the sites on which the term acts; default: all");
}

LoweredTerm UniaxialAnisotropy::lower(const TermContext& context) const {
  if (!K && !K4 && !K6)
    throw InputError("anisotropy has none of K, K4 and K6", where,
                     "give at least one of K, K4 and K6; K > 0 gives an easy axis");
  LoweredTerm term;
  term.name = name;
  const OnsiteCoupling coupling{unit_vector(axis), K.value_or(0), K4.value_or(0), K6.value_or(0)};
  term.by_atom = context.cells_are_alike();
  term.onsite = [coupling, chosen = sites_of(species, name, context.geometry, where)](Index site) {
    std::vector<OnsiteCoupling> couplings;
    if (chosen(site)) couplings.push_back(coupling);
    return couplings;
  };
  return term;
}

}  // namespace larmor::spins
