#pragma once
// Which pairs of sites a coupling J joins, and how it differs from pair to pair: normally (Edwards,
// Anderson, J. Phys. F 5 (1975) 965), or bimodal, J_ij = J + D with probability p and J - D with
// 1 - p (Toulouse, Commun. Phys. 2 (1977) 115). The deviation depends on the seed and the two sites
// alone, so that all replicas have the same couplings; or also on the sample that a replica is of.

#include "larmor/lattice/bond_selection.hpp"

namespace larmor::lattice {

struct ExchangeKeys : BondSelection {
  static constexpr double equal_chances = 0.5;
  std::optional<double> J;
  double disorder = 0;
  std::string disorder_distribution = "normal";
  double disorder_probability = equal_chances;
  std::uint64_t disorder_seed = 1;
  bool disorder_by_replica = false;
  Index replicas_of_sample = 1;  ///< that share a disorder by replica, side by side; no key

  /// Is a bimodal coupling as often J + disorder as J - disorder?
  bool has_equal_chances() const { return disorder_probability == equal_chances; }
  /// @param remedy for tables that lack their coupling
  /// @throws InputError when J is missing or keys contradict one another
  void require_coupling(const std::string& remedy) const;
  /// The bonds; pair by pair where they differ.
  /// @param remedy for tables that lack their coupling
  /// @throws InputError when J is missing, keys contradict one another or the bonds make no sense
  SelectedBonds select(const Geometry& geometry, const std::string& remedy) const;
  /// Whose disorder a replica has.
  Index sample_of(Index replica) const {
    return disorder_by_replica ? replica / replicas_of_sample : 0;
  }
  /// What disorder adds to the coupling of a pair in a replica.
  double deviation(Index i, Index j, Index replica) const;
};

/// J^2 of couplings that are all normal about 0 with this variance, drawn anew for every replica or
/// sample; nothing: they are not, or have several variances.
std::optional<double> variance_of_normal(const std::vector<ExchangeKeys>& tables);

/// The keys of ExchangeKeys, for the field table of a term that derives from it.
template <class Term>
FieldTable<Term>& add_exchange_fields(FieldTable<Term>& table) {
  table.optional("J", &ExchangeKeys::J, Dimension::energy, "coupling of each selected bond");
  return add_bond_fields(table)
      .optional("all_pairs", &BondSelection::all_pairs, Dimension::none,
                "bonds between all pairs of sites, as in the model of Sherrington and Kirkpatrick")
      .optional("disorder", &ExchangeKeys::disorder, Dimension::energy,
                "standard deviation of the coupling, drawn anew for each pair about J")
      .at_least(0)
      .optional("disorder_distribution", &ExchangeKeys::disorder_distribution, Dimension::none,
                "of the coupling; bimodal: J + disorder or J - disorder")
      .one_of({"normal", "bimodal"})
      .optional("disorder_probability", &ExchangeKeys::disorder_probability, Dimension::none,
                "of J + disorder, where the distribution is bimodal")
      .at_least(0)
      .at_most(1)
      .optional("disorder_seed", &ExchangeKeys::disorder_seed, Dimension::none,
                "of the disorder; tables with the same seed draw the same numbers")
      .optional("disorder_by_replica", &ExchangeKeys::disorder_by_replica, Dimension::none,
                "couplings are drawn anew for every replica, whose mean is over the disorder");
}

}  // namespace larmor::lattice
