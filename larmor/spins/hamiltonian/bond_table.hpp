#pragma once
// Expands the couplings of all terms to the directed bonds of each site. Sites with equal couplings
// share a row.

#include <cstdint>
#include <string>
#include <vector>

#include "larmor/lattice/colouring.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"

namespace larmor::spins {

/// Coupling of one term on one directed bond i -> j, as seen from site i: - e_i^T A e_j.
struct TermValue {
  std::size_t term;
  Mat3<double> bilinear;
  double biquadratic;
  const PairCoupling* pair = nullptr;  ///< null for a stencil
};

/// The bonds of every site. BITS: the order of bonds and of sums over them is fixed: stencil bonds,
/// then explicit pairs. Bonds of a site are numbered from 0 to bonds_per_site() - 1. Unused numbers
/// lead to the site itself. Two sites share a row if they have equal basis atoms, equal missing
/// stencil bonds, and pairs with equal values in all replicas. Values stay in the terms: if
/// couplings differ from pair to pair, a copy would need most of the memory.
class BondTable {
 public:
  /// @param terms must outlive the table
  /// @throws InputError if a bond connects a site with itself
  BondTable(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms)
      : BondTable(geometry, terms, geometry.sites()) {}
  /// Table of only the first `sites` canonical sites, for terms without pairs.
  BondTable(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms, Index sites);

  Index sites() const { return static_cast<Index>(row_.size()); }
  /// Largest number of bonds of a site.
  int bonds_per_site() const { return bonds_per_site_; }
  /// The other end of a bond of a canonical site; the site itself for an unused number.
  std::int32_t neighbour(Index site, int bond) const {
    return neighbour_[static_cast<std::size_t>(site * bonds_per_site_ + bond)];
  }
  std::int32_t row(Index site) const { return row_[static_cast<std::size_t>(site)]; }
  Index rows() const { return static_cast<Index>(site_of_row_.size()); }
  /// Calls visit(bond, TermValue) for all values of a row, in order of the bond number.
  template <class Visit>
  void for_each_value(Index row, const Visit& visit) const {
    const Index site = site_of_row_[static_cast<std::size_t>(row)];
    int bond = 0;
    for (const TemplateBond& of_stencil : stencil_of(site)) {
      if (neighbour(site, bond) != site)
        for (const TermValue& value : of_stencil.values) visit(bond, value);
      ++bond;
    }
    for (const PairEnd* end = pairs_begin(site); end != pairs_begin(site + 1); ++end)
      visit(bond++, end->value());
  }
  /// Graph of interacting sites; vacancies have no neighbours.
  lattice::Graph graph(const lattice::Geometry& geometry) const;

 private:
  /// One bond of a basis atom. The two directions of a stencil bond are separate entries.
  struct TemplateBond {
    lattice::StencilBond bond;
    std::vector<TermValue> values;
  };
  /// An explicit pair, as seen from one of its sites.
  struct PairEnd {
    const PairCoupling* coupling;
    std::uint32_t term;
    bool reversed;
    Index to() const { return reversed ? coupling->bond.i : coupling->bond.j; }
    TermValue value() const {
      return {term, reversed ? coupling->bilinear.transposed() : coupling->bilinear,
              coupling->biquadratic, coupling};
    }
  };

  static void merge_bond(std::vector<TemplateBond>& bonds, const lattice::StencilBond& bond,
                         const TermValue& value);
  void expand_stencils(const std::vector<LoweredTerm>& terms);
  void expand_pairs(Index sites, const std::vector<LoweredTerm>& terms);
  void find_neighbours(const lattice::Geometry& geometry, Index sites);
  void set_neighbour(Index site, int bond, Index to);
  void share_rows();
  std::string key_of(Index site) const;

  const std::vector<TemplateBond>& stencil_of(Index site) const {
    return stencil_[static_cast<std::size_t>(site) % stencil_.size()];
  }
  const PairEnd* pairs_begin(Index site) const {
    return pair_ends_.data() + first_pair_end_[static_cast<std::size_t>(site)];
  }

  int bonds_per_site_ = 0;
  std::vector<std::vector<TemplateBond>> stencil_;  ///< for each basis atom
  std::vector<bool> by_replica_;                    ///< for each term: do pairs differ by replica?
  std::vector<PairEnd> pair_ends_;                  ///< site by site
  std::vector<Index> first_pair_end_;               ///< for each site, and the end
  std::vector<std::int32_t> neighbour_;
  std::vector<std::int32_t> row_;
  std::vector<std::int32_t> site_of_row_;  ///< a representative site of each row
};

}  // namespace larmor::spins
