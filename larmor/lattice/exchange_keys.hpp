#pragma once
// Pairs of sites that a coupling J joins, and random deviations from J: normal (Edwards, Anderson,
// J. Phys. F 5 (1975) 965), or bimodal, J_ij = J + D with probability p and J - D with 1 - p
// (Toulouse, Commun. Phys. 2 (1977) 115), or uniform from J - D to J + D. By default the deviation
// depends only on the seed and the two sites, and all replicas have equal couplings. Optionally it
// also depends on the disorder sample of the replica.

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
  Index replicas_of_sample = 1;  ///< consecutive replicas that share a disorder sample; not a key

  /// Are J + disorder and J - disorder equally probable?
  bool has_equal_chances() const { return disorder_probability == equal_chances; }
  /// Do couplings have more than two values?
  bool is_continuous() const { return disorder > 0 && disorder_distribution != "bimodal"; }
  /// @param remedy advice for tables without a coupling
  /// @throws InputError if J is missing or keys contradict one another
  void require_coupling(const std::string& remedy) const;
  /// The bonds, as explicit pairs if their couplings differ.
  /// @param remedy advice for tables without a coupling
  /// @throws InputError if J is missing, keys contradict one another or bonds are impossible
  SelectedBonds select(const Geometry& geometry, const std::string& remedy) const;
  /// The disorder sample of a replica.
  Index sample_of(Index replica) const {
    return disorder_by_replica ? replica / replicas_of_sample : 0;
  }
  /// The random deviation of the coupling of a pair in a replica.
  double deviation(Index i, Index j, Index replica) const;
};

/// If all couplings are normal with mean 0, and each replica or disorder sample has its own: their
/// variance J^2. Otherwise no value.
std::optional<double> variance_of_normal(const std::vector<ExchangeKeys>& tables);

/// Adds the keys of ExchangeKeys to the field table of a term that derives from it.
template <class Term>
FieldTable<Term>& add_exchange_fields(FieldTable<Term>& table) {
  table.optional("J", &ExchangeKeys::J, Dimension::energy, "coupling of each selected bond");
  return add_bond_fields(table)
      .optional("all_pairs", &BondSelection::all_pairs, Dimension::none,
                "bonds between all pairs of sites, as in the model of Sherrington and Kirkpatrick")
      .optional("disorder", &ExchangeKeys::disorder, Dimension::energy,
                "standard deviation of normal couplings about J, or the largest deviation of "
                "bimodal and uniform ones; each pair has its own coupling")
      .at_least(0)
      .optional("disorder_distribution", &ExchangeKeys::disorder_distribution, Dimension::none,
                "distribution of the coupling; bimodal gives J + disorder or J - disorder, uniform "
                "all values between them")
      .one_of({"normal", "bimodal", "uniform"})
      .optional("disorder_probability", &ExchangeKeys::disorder_probability, Dimension::none,
                "probability of J + disorder in a bimodal distribution")
      .at_least(0)
      .at_most(1)
      .optional("disorder_seed", &ExchangeKeys::disorder_seed, Dimension::none,
                "seed of the disorder; tables with equal seeds have equal random numbers")
      .optional("disorder_by_replica", &ExchangeKeys::disorder_by_replica, Dimension::none,
                "whether each disorder sample has its own couplings; if so, means over replicas "
                "are means over disorder");
}

}  // namespace larmor::lattice
