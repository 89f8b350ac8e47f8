#include "larmor/spins/hamiltonian/bond_table.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "larmor/core/error.hpp"

namespace larmor::spins {
namespace {

lattice::StencilBond reversed(const lattice::StencilBond& b) {
  return {b.to, b.from, {-b.offset[0], -b.offset[1], -b.offset[2]}, -b.r};
}

void append_bytes(std::string& key, const void* data, std::size_t bytes) {
  key.append(static_cast<const char*>(data), bytes);
}

}  // namespace

BondTable::BondTable(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms,
                     Index sites)
    : stencil_(geometry.crystal.basis.size()) {
  for (const LoweredTerm& term : terms) by_replica_.push_back(bool(term.exchange_of_replica));
  expand_stencils(terms);
  expand_pairs(sites, terms);
  find_neighbours(geometry, sites);
  share_rows();
}

void BondTable::merge_bond(std::vector<TemplateBond>& bonds, const lattice::StencilBond& bond,
                           const TermValue& value) {
  for (TemplateBond& known : bonds) {
    if (known.bond.to == bond.to && known.bond.offset == bond.offset) {
      known.values.push_back(value);
      return;
    }
  }
  bonds.push_back({bond, {value}});
}

void BondTable::expand_stencils(const std::vector<LoweredTerm>& terms) {
  for (std::size_t t = 0; t < terms.size(); ++t) {
    for (const StencilCoupling& c : terms[t].stencil) {
      const lattice::StencilBond& b = c.bond;
      merge_bond(stencil_[static_cast<std::size_t>(b.from)], b, {t, c.bilinear, c.biquadratic});
      merge_bond(stencil_[static_cast<std::size_t>(b.to)], reversed(b),
                 {t, c.bilinear.transposed(), c.biquadratic});
    }
  }
}

void BondTable::expand_pairs(Index sites, const std::vector<LoweredTerm>& terms) {
  first_pair_end_.resize(static_cast<std::size_t>(sites + 1));
  const auto ends_of = [&](Index site) -> Index& {
    return first_pair_end_[static_cast<std::size_t>(site)];
  };
  for (const LoweredTerm& term : terms) {
    for (const PairCoupling& c : term.pairs) {
      ++ends_of(c.bond.i + 1);
      ++ends_of(c.bond.j + 1);
    }
  }
  std::partial_sum(first_pair_end_.begin(), first_pair_end_.end(), first_pair_end_.begin());
  pair_ends_.resize(static_cast<std::size_t>(first_pair_end_.back()));
  std::vector<Index> next(first_pair_end_.begin(), first_pair_end_.end() - 1);
  const auto put = [&](Index site, const PairEnd& end) {
    pair_ends_[static_cast<std::size_t>(next[static_cast<std::size_t>(site)]++)] = end;
  };
  for (std::size_t t = 0; t < terms.size(); ++t) {
    for (const PairCoupling& c : terms[t].pairs) {
      put(c.bond.i, {&c, static_cast<std::uint32_t>(t), false});
      put(c.bond.j, {&c, static_cast<std::uint32_t>(t), true});
    }
  }
}

void BondTable::find_neighbours(const lattice::Geometry& geometry, Index sites) {
  std::size_t widest = 0;
  for (const auto& bonds : stencil_) widest = std::max(widest, bonds.size());
  std::ptrdiff_t widest_pairs = 0;
  for (Index site = 0; site < sites; ++site)
    widest_pairs = std::max(widest_pairs, pairs_begin(site + 1) - pairs_begin(site));
  bonds_per_site_ = static_cast<int>(widest) + static_cast<int>(widest_pairs);
  neighbour_.resize(static_cast<std::size_t>(sites * bonds_per_site_));
  for (Index site = 0; site < sites; ++site) {
    std::fill_n(neighbour_.begin() + site * bonds_per_site_, bonds_per_site_,
                static_cast<std::int32_t>(site));
    int bond = 0;
    for (const TemplateBond& t : stencil_of(site))
      set_neighbour(site, bond++, lattice::neighbour(geometry, site, t.bond));
    for (const PairEnd* end = pairs_begin(site); end != pairs_begin(site + 1); ++end)
      set_neighbour(site, bond++, end->to());
  }
}

/// @param to canonical site, or -1 beyond an open boundary
void BondTable::set_neighbour(Index site, int bond, Index to) {
  if (to < 0) return;
  if (to == site)
    throw InputError("a bond connects site " + std::to_string(site) + " with itself",
                     "enlarge the lattice along its periodic directions");
  neighbour_[static_cast<std::size_t>(site * bonds_per_site_ + bond)] =
      static_cast<std::int32_t>(to);
}

/// A text that is equal only for sites that share a row.
std::string BondTable::key_of(Index site) const {
  const std::vector<TemplateBond>& stencil = stencil_of(site);
  const auto atoms = static_cast<Index>(stencil_.size());
  const Index basis = stencil.empty() ? -1 : site % atoms;
  std::string key;
  append_bytes(key, &basis, sizeof(basis));
  for (std::size_t bond = 0; bond < stencil.size(); ++bond)
    key.push_back(neighbour(site, static_cast<int>(bond)) == site ? '-' : '+');
  for (const PairEnd* end = pairs_begin(site); end != pairs_begin(site + 1); ++end) {
    const TermValue v = end->value();
    append_bytes(key, &v.term, sizeof(v.term));
    append_bytes(key, &v.bilinear, sizeof(v.bilinear));
    append_bytes(key, &v.biquadratic, sizeof(v.biquadratic));
    if (by_replica_[v.term]) append_bytes(key, &site, sizeof(site));
  }
  return key;
}

void BondTable::share_rows() {
  const auto sites = static_cast<Index>(first_pair_end_.size()) - 1;
  row_.resize(static_cast<std::size_t>(sites));
  // Keys are not stored: if all sites differ, keys would dominate the memory.
  std::unordered_multimap<std::size_t, std::int32_t> row_of_hash;
  for (Index site = 0; site < sites; ++site) {
    const std::string key = key_of(site);
    const std::size_t hash = std::hash<std::string>()(key);
    const auto [first, last] = row_of_hash.equal_range(hash);
    const auto known = std::find_if(first, last, [&](const auto& entry) {
      return key_of(site_of_row_[static_cast<std::size_t>(entry.second)]) == key;
    });
    auto& row = row_[static_cast<std::size_t>(site)];
    if (known != last) {
      row = known->second;
    } else {
      row = static_cast<std::int32_t>(site_of_row_.size());
      site_of_row_.push_back(static_cast<std::int32_t>(site));
      row_of_hash.emplace(hash, row);
    }
  }
}

lattice::Graph BondTable::graph(const lattice::Geometry& geometry) const {
  lattice::Graph graph;
  graph.offset.push_back(0);
  for (Index site = 0; site < sites(); ++site) {
    for (int bond = 0; bond < bonds_per_site_ && geometry.occupied(site); ++bond) {
      const std::int32_t other = neighbour(site, bond);
      if (other != site && geometry.occupied(other)) graph.neighbour.push_back(other);
    }
    graph.offset.push_back(static_cast<Index>(graph.neighbour.size()));
  }
  return graph;
}

}  // namespace larmor::spins
