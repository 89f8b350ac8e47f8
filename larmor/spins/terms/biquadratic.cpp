#include "larmor/spins/terms/biquadratic.hpp"

#include "larmor/symmetry/spread.hpp"

namespace larmor::spins {

FieldTable<Biquadratic> Biquadratic::fields() {
  FieldTable<Biquadratic> table;
  table.required("b", &Biquadratic::b, Dimension::energy, "coupling of each selected bond");
  symmetry::add_symmetry_field(lattice::add_bond_fields(table));
  return table;
}

LoweredTerm Biquadratic::lower(const TermContext& context) const {
  const bool spreads = symmetry == symmetry::by_crystal;
  const lattice::SelectedBonds bonds =
      spreads ? symmetry::spread(*this, name, context.geometry, context.surroundings)
              : select_bonds(*this, name, context.geometry);
  LoweredTerm term;
  term.name = name;
  term.warning = bonds.warning;
  for (const auto& bond : bonds.stencil) term.stencil.push_back({bond, {}, b});
  for (const auto& bond : bonds.pairs) term.pairs.push_back({bond, {}, b});
  return term;
}

}  // namespace larmor::spins
