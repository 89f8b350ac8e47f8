#include "larmor/spins/samplers/cluster_bonds.hpp"

#include <algorithm>

#include "larmor/spins/hamiltonian/lowered_term.hpp"

namespace larmor::spins {
namespace {

struct StencilExchange {
  lattice::StencilBond bond;
  double J;
};

bool is_isotropic(const Mat3<double>& A) { return A == isotropic(A.row[0].x); }

/// Merges the bonds of all terms. Bonds of several terms between equal atoms become one entry.
std::vector<StencilExchange> merged(const std::vector<LoweredTerm>& terms) {
  std::vector<StencilExchange> all;
  for (const LoweredTerm& term : terms)
    for (const StencilCoupling& c : term.stencil) {
      const auto known = std::find_if(all.begin(), all.end(), [&](const StencilExchange& other) {
        return lattice::same_bond(other.bond, c.bond);
      });
      if (known == all.end())
        all.push_back({c.bond, c.bilinear.row[0].x});
      else
        known->J += c.bilinear.row[0].x;
    }
  return all;
}

}  // namespace

bool allows_clusters(const LoweredTerm& term) {
  const auto is_exchange = [](const auto& coupling) {
    return is_isotropic(coupling.bilinear) && coupling.biquadratic == 0;
  };
  return !term.onsite && !term.field && !term.field_of_replica && !term.long_range &&
         std::all_of(term.stencil.begin(), term.stencil.end(), is_exchange) &&
         std::all_of(term.pairs.begin(), term.pairs.end(), is_exchange);
}

clusters::ReflectionGraph cluster_bonds(const lattice::Geometry& geometry, const Model& model,
                                        std::vector<LoweredTerm> terms,
                                        const ReplicaShare& replicas) {
  if (replicas.all == 1) merge_single_replica(terms);
  shift_replicas(replicas.first, terms);
  for (const LoweredTerm& term : terms)
    if (!allows_clusters(term))
      throw InputError("cluster updates do not support " + term.name,
                       "keep only isotropic exchange, or use other updates");
  const std::vector<std::int32_t> storage = model.storage();
  const auto stored = [&](Index site) { return Index{storage[static_cast<std::size_t>(site)]}; };
  std::vector<clusters::ReflectionBond> bonds;
  const std::vector<StencilExchange> stencil = merged(terms);
  const auto atoms = static_cast<Index>(geometry.crystal.basis.size());
  for (Index cell = 0; cell < geometry.cells(); ++cell)
    for (const StencilExchange& exchange : stencil) {
      const Index i = cell * atoms + exchange.bond.from;
      const Index j = lattice::neighbour(geometry, i, exchange.bond);
      if (exchange.J != 0 && j >= 0 && geometry.occupied(i) && geometry.occupied(j))
        bonds.push_back({stored(i), stored(j), static_cast<float>(exchange.J)});
    }
  const std::size_t of_stencil = bonds.size();
  struct PairOfTerm {
    const LoweredTerm* term;
    const PairCoupling* coupling;
  };
  std::vector<PairOfTerm> pairs;
  bool differs = false;
  for (const LoweredTerm& term : terms)
    for (const PairCoupling& c : term.pairs) {
      if (!geometry.occupied(c.bond.i) || !geometry.occupied(c.bond.j)) continue;
      pairs.push_back({&term, &c});
      bonds.push_back(
          {stored(c.bond.i), stored(c.bond.j), static_cast<float>(c.bilinear.row[0].x)});
      differs = differs || term.exchange_of_replica;
    }
  const Index spins = model.spins();
  if (!differs) return clusters::ReflectionGraph::of_bonds(spins, bonds);
  std::vector<float> couplings;
  couplings.reserve(bonds.size() * static_cast<std::size_t>(replicas.count));
  for (Index replica = 0; replica < replicas.count; ++replica) {
    for (std::size_t b = 0; b < of_stencil; ++b) couplings.push_back(bonds[b].coupling);
    for (const PairOfTerm& pair : pairs) {
      const auto& more = pair.term->exchange_of_replica;
      const double own = pair.coupling->bilinear.row[0].x;
      couplings.push_back(static_cast<float>(
          more ? own + more(pair.coupling->bond.i, pair.coupling->bond.j, replica) : own));
    }
  }
  return clusters::ReflectionGraph::of_bonds(spins, bonds, std::move(couplings));
}

}  // namespace larmor::spins
