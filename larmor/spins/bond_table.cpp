#include "larmor/spins/bond_table.hpp"

#include <algorithm>
#include <array>

#include "larmor/core/error.hpp"

namespace larmor::spins {
namespace {

/// One bond of a basis atom, both directions of a stencil bond being entries of their own.
struct TemplateBond {
  lattice::StencilBond bond;
  std::vector<TermValue> values;
};

lattice::StencilBond reversed(const lattice::StencilBond& b) {
  return {b.to, b.from, {-b.offset[0], -b.offset[1], -b.offset[2]}, -b.r};
}

void merge_bond(std::vector<TemplateBond>& bonds, const lattice::StencilBond& bond,
                const TermValue& value) {
  for (TemplateBond& known : bonds) {
    if (known.bond.to == bond.to && known.bond.offset == bond.offset) {
      known.values.push_back(value);
      return;
    }
  }
  bonds.push_back({bond, {value}});
}

/// Directed stencil bonds of each basis atom, over all terms.
std::vector<std::vector<TemplateBond>> template_bonds(std::size_t basis_atoms,
                                                      const std::vector<LoweredTerm>& terms) {
  std::vector<std::vector<TemplateBond>> bonds(basis_atoms);
  for (std::size_t t = 0; t < terms.size(); ++t) {
    for (const StencilCoupling& c : terms[t].stencil) {
      const lattice::StencilBond& b = c.bond;
      merge_bond(bonds[static_cast<std::size_t>(b.from)], b, {t, c.bilinear, c.biquadratic});
      merge_bond(bonds[static_cast<std::size_t>(b.to)], reversed(b),
                 {t, c.bilinear.transposed(), c.biquadratic});
    }
  }
  return bonds;
}

/// Directed explicit bonds of each site that has any.
std::map<Index, std::vector<DirectedBond>> pair_bonds(const std::vector<LoweredTerm>& terms) {
  std::map<Index, std::vector<DirectedBond>> bonds;
  const auto add = [&](Index from, Index to, const TermValue& value) {
    bonds[from].push_back({to, {value}});
  };
  for (std::size_t t = 0; t < terms.size(); ++t) {
    for (const PairCoupling& c : terms[t].pairs) {
      add(c.bond.i, c.bond.j, {t, c.bilinear, c.biquadratic});
      add(c.bond.j, c.bond.i, {t, c.bilinear.transposed(), c.biquadratic});
    }
  }
  return bonds;
}

void append_bytes(std::string& key, const void* data, std::size_t bytes) {
  key.append(static_cast<const char*>(data), bytes);
}

/// Rows with equal keys hold equal values.
/// @param basis atom whose stencil bonds these are; -1 where there are none
std::string key_of(int basis, const std::vector<DirectedBond>& stencil,
                   const std::vector<DirectedBond>& pairs) {
  std::string key;
  append_bytes(key, &basis, sizeof(basis));
  for (const DirectedBond& bond : stencil) key.push_back(bond.to < 0 ? '-' : '+');
  for (const DirectedBond& bond : pairs) {
    for (const TermValue& v : bond.values) {
      append_bytes(key, &v.term, sizeof(v.term));
      append_bytes(key, &v.bilinear, sizeof(v.bilinear));
      append_bytes(key, &v.biquadratic, sizeof(v.biquadratic));
    }
    key.push_back('|');
  }
  return key;
}

}  // namespace

BondTable::BondTable(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms) {
  const Index sites = geometry.sites();
  const auto templates = template_bonds(geometry.crystal.basis.size(), terms);
  const auto pairs = pair_bonds(terms);
  const std::vector<DirectedBond> none;
  std::size_t widest = 0;
  for (const auto& bonds : templates) widest = std::max(widest, bonds.size());
  std::size_t widest_pairs = 0;
  for (const auto& [site, bonds] : pairs) widest_pairs = std::max(widest_pairs, bonds.size());
  slots_ = static_cast<int>(widest + widest_pairs);
  neighbour_.resize(static_cast<std::size_t>(sites * slots_));
  row_.resize(static_cast<std::size_t>(sites));

  std::vector<DirectedBond> bonds;
  for (Index site = 0; site < sites; ++site) {
    bonds.clear();
    const int basis = geometry.basis_index(site);
    for (const TemplateBond& t : templates[static_cast<std::size_t>(basis)])
      bonds.push_back({lattice::neighbour(geometry, site, t.bond), t.values});
    const auto own = pairs.find(site);
    const std::vector<DirectedBond>& extra = own == pairs.end() ? none : own->second;
    const std::string key = key_of(bonds.empty() ? -1 : basis, bonds, extra);
    bonds.insert(bonds.end(), extra.begin(), extra.end());
    store_site(site, bonds, key);
  }
}

void BondTable::store_site(Index site, const std::vector<DirectedBond>& bonds,
                           const std::string& row_key) {
  const auto [known, is_new] =
      row_of_key_.try_emplace(row_key, static_cast<std::int32_t>(row_bonds_.size()));
  row_[static_cast<std::size_t>(site)] = known->second;
  std::int32_t* neighbours = neighbour_.data() + site * slots_;
  std::fill(neighbours, neighbours + slots_, static_cast<std::int32_t>(site));
  if (is_new) row_bonds_.emplace_back(static_cast<std::size_t>(slots_));
  for (std::size_t slot = 0; slot < bonds.size(); ++slot) {
    if (bonds[slot].to < 0) continue;
    if (bonds[slot].to == site)
      throw InputError("a bond connects site " + std::to_string(site) + " with itself",
                       "enlarge the lattice along its periodic directions");
    neighbours[slot] = static_cast<std::int32_t>(bonds[slot].to);
    if (is_new) row_bonds_.back()[slot] = bonds[slot].values;
  }
}

lattice::Graph BondTable::graph() const {
  lattice::Graph graph;
  graph.offset.push_back(0);
  for (Index site = 0; site < sites(); ++site) {
    for (int slot = 0; slot < slots_; ++slot)
      if (neighbour(site, slot) != site) graph.neighbour.push_back(neighbour(site, slot));
    graph.offset.push_back(static_cast<Index>(graph.neighbour.size()));
  }
  return graph;
}

}  // namespace larmor::spins
