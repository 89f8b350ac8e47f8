#include "larmor/spins/terms/field.hpp"

namespace larmor::spins {

FieldTable<ZeemanField> ZeemanField::fields() {
  return FieldTable<ZeemanField>().required("B", &ZeemanField::B, Dimension::magnetic_field,
                                            "the field, three components");
}

LoweredTerm ZeemanField::lower(const TermContext& context) const {
  LoweredTerm term;
  term.name = name;
  term.by_atom = context.cells_are_alike();
  term.field = [&moments = context.moments, B = B, mu_B = context.constants.mu_B](Index site) {
    return (moments[static_cast<std::size_t>(site)] * mu_B) * B;
  };
  return term;
}

}  // namespace larmor::spins
