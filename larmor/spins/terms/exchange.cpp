#include "larmor/spins/terms/exchange.hpp"

#include "larmor/spins/terms/quenched_disorder.hpp"

namespace larmor::spins {

LoweredTerm Exchange::lower(const TermContext& context) const {
  if (!J)
    throw InputError("exchange lacks its coupling J", where,
                     "add `J = ...` (J > 0 is ferromagnetic), or `file = \"jfile\"`");
  SelectedBonds bonds = select_bonds(*this, name, context.geometry);
  LoweredTerm term;
  term.name = name;
  term.bond_class = BondClass::scalar;
  if (disorder > 0) bonds = pair_by_pair(bonds, context.geometry);
  for (const auto& bond : bonds.stencil) term.stencil.push_back({bond, isotropic(*J)});
  term.pairs.reserve(bonds.pairs.size());
  for (const auto& bond : bonds.pairs) {
    const double deviate = disorder > 0 ? pair_deviate(disorder_seed, bond.i, bond.j) : 0;
    term.pairs.push_back({bond, isotropic(*J + disorder * deviate)});
  }
  return term;
}

}  // namespace larmor::spins
