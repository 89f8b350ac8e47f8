#pragma once
// Expands the couplings of all terms to each site's directed bonds, rows of equal couplings shared.

#include <cstdint>
#include <string>
#include <vector>

#include "larmor/lattice/colouring.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"

namespace larmor::spins {

/// What one directed bond i -> j carries of one term, as site i sees it: - e_i^T A e_j.
struct TermValue {
  std::size_t term;
  Mat3<double> bilinear;
  double biquadratic;
  const PairCoupling* pair = nullptr;  ///< null: of a stencil
};

/// The bonds of every site. BITS: they are numbered, and their fields added up, in a fixed order:
/// those of the stencil, then the explicit pairs. Bonds of a site are numbered from 0 to
/// bonds_per_site() - 1; numbers that a site does not need lead to the site itself. Sites of one
/// basis atom that miss the same stencil bonds, and whose pairs carry the same values in all
/// replicas, share a row. Values stay in the terms: where couplings differ from pair to pair, most
/// of the memory would go to a copy of them.
class BondTable {
 public:
  /// @param terms must outlive the table
  /// @throws InputError when a bond connects a site with itself
  BondTable(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms)
      : BondTable(geometry, terms, geometry.sites()) {}
  /// Of the first `sites` canonical sites alone, for terms without pairs.
  BondTable(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms, Index sites);

  Index sites() const { return static_cast<Index>(row_.size()); }
  /// Of the site that has most.
  int bonds_per_site() const { return bonds_per_site_; }
  /// At the other end of a bond of a canonical site; the site itself where the number is unused.
  std::int32_t neighbour(Index site, int bond) const {
    return neighbour_[static_cast<std::size_t>(site * bonds_per_site_ + bond)];
  }
  std::int32_t row(Index site) const { return row_[static_cast<std::size_t>(site)]; }
  Index rows() const { return static_cast<Index>(site_of_row_.size()); }
  /// Calls visit(bond, TermValue), `bond` a number, for all values of a row, bond by bond.
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
  /// Who interacts with whom; vacancies do not.
  lattice::Graph graph(const lattice::Geometry& geometry) const;

 private:
  /// One bond of a basis atom, both directions of a stencil bond being entries of their own.
  struct TemplateBond {
    lattice::StencilBond bond;
    std::vector<TermValue> values;
  };
  /// An explicit pair as one of its sites sees it.
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
  std::vector<std::vector<TemplateBond>> stencil_;  ///< of each basis atom
  std::vector<bool> by_replica_;                    ///< do the pairs of a term differ by replica?
  std::vector<PairEnd> pair_ends_;                  ///< site by site
  std::vector<Index> first_pair_end_;               ///< of each site, and one more
  std::vector<std::int32_t> neighbour_;
  std::vector<std::int32_t> row_;
  std::vector<std::int32_t> site_of_row_;  ///< one of the sites that share it
};

}  // namespace larmor::spins
