#include "larmor/spins/terms/exchange.hpp"

namespace larmor::spins {

LoweredTerm Exchange::lower(const TermContext& context) const {
  if (!J)
    throw InputError("exchange lacks its coupling J", where,
                     "add `J = ...` (J > 0 is ferromagnetic), or `file = \"jfile\"`");
  const SelectedBonds bonds = select_bonds(*this, name, context.geometry);
  LoweredTerm term;
  term.name = name;
  term.bond_class = BondClass::scalar;
  for (const auto& bond : bonds.stencil) term.stencil.push_back({bond, isotropic(*J)});
  for (const auto& bond : bonds.pairs) term.pairs.push_back({bond, isotropic(*J)});
  return term;
}

}  // namespace larmor::spins
