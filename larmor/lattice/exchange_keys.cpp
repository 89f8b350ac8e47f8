#include "larmor/lattice/exchange_keys.hpp"

#include <cmath>

#include "larmor/lattice/quenched_disorder.hpp"

namespace larmor::lattice {

void ExchangeKeys::require_coupling(const std::string& remedy) const {
  if (!J) throw InputError("exchange lacks its coupling J", where, remedy);
  if (disorder_by_replica && disorder == 0)
    throw InputError("exchange has disorder_by_replica but no disorder", where,
                     "give disorder, the standard deviation of the couplings");
  if (disorder_distribution != "normal" && disorder == 0)
    throw InputError("exchange has disorder_distribution but no disorder", where,
                     "give disorder, the standard deviation of the couplings");
}

SelectedBonds ExchangeKeys::select(const Geometry& geometry, const std::string& remedy) const {
  require_coupling(remedy);
  SelectedBonds bonds = select_bonds(*this, "exchange", geometry);
  return disorder > 0 ? pair_by_pair(bonds, geometry) : bonds;
}

double ExchangeKeys::deviation(Index i, Index j, Index replica) const {
  const double deviate = pair_deviate(disorder_seed, i, j, sample_of(replica));
  return disorder * (disorder_distribution == "bimodal" ? std::copysign(1.0, deviate) : deviate);
}

}  // namespace larmor::lattice
