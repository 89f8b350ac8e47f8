#pragma once
// Heisenberg exchange,
//
//     H = - sum_<ij> J_ij e_i.e_j,      each pair once, J > 0 ferromagnetic, e unit vectors,
//
// with J_ij = J, or distributed about it from pair to pair: normally (Edwards, Anderson, J. Phys. F
// 5 (1975) 965), or bimodal, J_ij = J + D or J - D with equal probability (Toulouse, Commun. Phys.
// 2 (1977) 115). The deviation depends on the seed and the two sites alone, so that all replicas
// have the same couplings; or also on the replica, which makes each a sample of its own.

#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/bond_selection.hpp"

namespace larmor::spins {

struct Exchange : BondSelection {
  static constexpr const char* name = "exchange";
  static constexpr const char* doc =
      "Heisenberg exchange - J e_i.e_j, each pair once; J > 0 is ferromagnetic";
  std::optional<double> J;
  double disorder = 0;
  std::string disorder_distribution = "normal";
  std::uint64_t disorder_seed = 1;
  bool disorder_by_replica = false;
  std::optional<std::string> file;
  std::string symmetry = "none";
  Index maptype = 1;

  static FieldTable<Exchange> fields() {
    FieldTable<Exchange> table;
    table.optional("J", &Exchange::J, Dimension::energy, "coupling of each selected bond");
    add_bond_fields(table)
        .optional("disorder", &Exchange::disorder, Dimension::energy,
                  "standard deviation of the coupling, drawn anew for each pair about J")
        .at_least(0)
        .optional("disorder_distribution", &Exchange::disorder_distribution, Dimension::none,
                  "of the coupling; bimodal: J + disorder or J - disorder, equally often")
        .one_of({"normal", "bimodal"})
        .optional("disorder_seed", &Exchange::disorder_seed, Dimension::none,
                  "of the disorder; tables with the same seed draw the same numbers")
        .optional("disorder_by_replica", &Exchange::disorder_by_replica, Dimension::none,
                  "couplings are drawn anew for every replica, whose mean is over the disorder")
        .optional("file", &Exchange::file, Dimension::none,
                  "an UppASD jfile with all couplings (mRy, both directions counted there)")
        .not_empty()
        .optional("symmetry", &Exchange::symmetry, Dimension::none,
                  "operations that complete the vectors of `file`")
        .one_of({"none", "cubic", "square", "hexagonal"})
        .optional("maptype", &Exchange::maptype, Dimension::none,
                  "of `file`: 1 for vectors in lattice constants, 2 for cell offsets")
        .at_least(1)
        .at_most(2);
    return table;
  }

  /// @throws InputError when J is missing or the bonds make no sense
  LoweredTerm lower(const TermContext& context) const;
  /// Numbers that differ by replica, in each of them. @throws InputError as `lower`
  double numbers_of_replica(const lattice::Geometry& geometry) const;

 private:
  /// What disorder adds to the coupling of a pair.
  double deviation(Index i, Index j, Index replica) const;
};

}  // namespace larmor::spins
