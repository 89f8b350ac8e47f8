#include "larmor/spins/terms/dmi.hpp"

#include "larmor/symmetry/spread.hpp"

namespace larmor::spins {

FieldTable<Dmi> Dmi::fields() {
  FieldTable<Dmi> table;
  table
      .optional(
          "D", &Dmi::D, Dimension::energy,
          "the vector of each selected bond; D needs `offset` or `pairs`, because the order of the "
          "two sites fixes the sign of D; bonds of a `shell` need `strength` and `direction`")
      .optional("strength", &Dmi::strength, Dimension::energy,
                "length of D, if the bond defines the direction of D")
      .optional(
          "direction", &Dmi::direction, Dimension::none,
          "direction of D with `strength`: along the bond (bulk, Bloch-like) or along z x bond "
          "(interface, Neel-like)")
      .one_of({"bond", "interface"});
  symmetry::add_symmetry_field(lattice::add_bond_fields(table));
  return table;
}

Vec3<double> Dmi::vector_of(const Vec3<double>& r) const {
  if (D) return *D;
  const Vec3<double> along = direction == "bond" ? r : cross(Vec3<double>{0, 0, 1}, r);
  if (length(along) < 1e-12)
    throw InputError(
        "dmi: direction = \"interface\" gives no D for a bond along z, because z x bond is zero",
        where, "give D as a vector for such bonds");
  return (*strength / length(along)) * along;
}

LoweredTerm Dmi::lower(const TermContext& context) const {
  if (D.has_value() == strength.has_value())
    throw InputError(D ? "dmi has both D and strength" : "dmi has neither D nor strength", where,
                     "give a vector `D = [..]` or a length `strength = ..`");
  if (D && shell)
    throw InputError("dmi: one vector D for all bonds of a shell has no defined sign", where,
                     "use `strength` with `direction`, or name the bonds by `offset`");
  LoweredTerm term;
  term.name = name;
  if (symmetry == symmetry::by_crystal) {
    for (const auto& [bond, matrix] : symmetry::spread(
             *this, name, context.geometry, context.surroundings, D ? "D" : "strength",
             [&](const lattice::StencilBond& it) { return antisymmetric(vector_of(it.r)); }))
      term.stencil.push_back({bond, matrix});
    term.bond_class = BondClass::vector;
    return term;
  }
  const lattice::SelectedBonds bonds = select_bonds(*this, name, context.geometry);
  term.warning = bonds.warning;
  term.bond_class = BondClass::vector;
  for (const auto& bond : bonds.stencil)
    term.stencil.push_back({bond, antisymmetric(vector_of(bond.r))});
  for (const auto& bond : bonds.pairs)
    term.pairs.push_back({bond, antisymmetric(vector_of(bond.r))});
  return term;
}

}  // namespace larmor::spins
