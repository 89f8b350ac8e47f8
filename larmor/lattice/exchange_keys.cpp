#include "larmor/lattice/exchange_keys.hpp"

#include <cmath>
#include <numbers>

#include "larmor/core/input/lacking_key.hpp"
#include "larmor/lattice/quenched_disorder.hpp"

namespace larmor::lattice {

void ExchangeKeys::require_coupling(const std::string& remedy) const {
  if (!J) throw LackingKey("J", InputError("exchange lacks its coupling J", where, remedy));
  if (disorder_by_replica && disorder == 0)
    throw InputError("exchange has disorder_by_replica, but no disorder", where,
                     "give disorder, the standard deviation of the couplings");
  if (!has_equal_chances() && disorder_distribution != "bimodal")
    throw InputError("disorder_probability belongs to a bimodal distribution",
                     where.of("disorder_probability"), "add disorder_distribution = \"bimodal\"");
  if (disorder_distribution != "normal" && disorder == 0)
    throw InputError("exchange has disorder_distribution, but no disorder", where,
                     "give disorder, the largest deviation of the couplings");
}

SelectedBonds ExchangeKeys::select(const Geometry& geometry, const std::string& remedy) const {
  require_coupling(remedy);
  SelectedBonds bonds = select_bonds(*this, "exchange", geometry);
  return disorder > 0 ? pair_by_pair(bonds, geometry) : bonds;
}

double ExchangeKeys::deviation(Index i, Index j, Index replica) const {
  if (disorder_distribution == "uniform")
    return disorder * pair_uniform(disorder_seed, i, j, sample_of(replica));
  const double deviate = pair_deviate(disorder_seed, i, j, sample_of(replica));
  if (disorder_distribution != "bimodal") return disorder * deviate;
  if (has_equal_chances()) return std::copysign(disorder, deviate);
  const double chance_of_more = std::erfc(deviate / std::numbers::sqrt2) / 2;
  return chance_of_more < disorder_probability ? disorder : -disorder;
}

std::optional<double> variance_of_normal(const std::vector<ExchangeKeys>& tables) {
  const double disorder = tables.empty() ? 0 : tables.front().disorder;
  for (const ExchangeKeys& table : tables)
    if (table.J != 0.0 || table.disorder != disorder || !table.disorder_by_replica ||
        table.disorder_distribution != "normal")
      return std::nullopt;
  return tables.empty() ? std::nullopt : std::optional(disorder * disorder);
}

}  // namespace larmor::lattice
