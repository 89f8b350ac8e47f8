#include "larmor/spins/terms/exchange.hpp"

#include <cmath>

#include "larmor/spins/terms/quenched_disorder.hpp"

namespace larmor::spins {

double Exchange::deviation(Index i, Index j, Index replica) const {
  const double deviate = pair_deviate(disorder_seed, i, j, replica);
  return disorder * (disorder_distribution == "bimodal" ? std::copysign(1.0, deviate) : deviate);
}

LoweredTerm Exchange::lower(const TermContext& context) const {
  if (!J)
    throw InputError("exchange lacks its coupling J", where,
                     "add `J = ...` (J > 0 is ferromagnetic), or `file = \"jfile\"`");
  if (disorder_by_replica && disorder == 0)
    throw InputError("exchange has disorder_by_replica but no disorder", where,
                     "give disorder, the standard deviation of the couplings");
  if (disorder_distribution != "normal" && disorder == 0)
    throw InputError("exchange has disorder_distribution but no disorder", where,
                     "give disorder, the standard deviation of the couplings");
  SelectedBonds bonds = select_bonds(*this, name, context.geometry);
  LoweredTerm term;
  term.name = name;
  term.bond_class = BondClass::scalar;
  if (disorder > 0) bonds = pair_by_pair(bonds, context.geometry);
  for (const auto& bond : bonds.stencil) term.stencil.push_back({bond, isotropic(*J)});
  term.pairs.reserve(bonds.pairs.size());
  for (const auto& bond : bonds.pairs) {
    const bool shared = disorder > 0 && !disorder_by_replica;
    term.pairs.push_back({bond, isotropic(*J + (shared ? deviation(bond.i, bond.j, 0) : 0))});
  }
  if (disorder_by_replica)
    term.exchange_of_replica = [*this](Index i, Index j, Index replica) {
      return deviation(i, j, replica);
    };
  return term;
}

double Exchange::numbers_of_replica(const lattice::Geometry& geometry) const {
  if (!disorder_by_replica) return 0;
  const SelectedBonds bonds = select_bonds(*this, name, geometry);
  // Each bond is kept with both of its sites.
  return 2 * (static_cast<double>(bonds.stencil.size()) * static_cast<double>(geometry.cells()) +
              static_cast<double>(bonds.pairs.size()));
}

}  // namespace larmor::spins
