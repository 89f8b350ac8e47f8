#pragma once
// Heisenberg exchange,
//
//     H = - sum_<ij> J_ij e_i.e_j,      each pair once, J > 0 ferromagnetic, e unit vectors,
//
// with J_ij as ExchangeKeys says it.

#include "larmor/lattice/exchange_keys.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct Exchange : lattice::ExchangeKeys {
  static constexpr const char* name = "exchange";
  static constexpr const char* doc =
      "Heisenberg exchange - J e_i.e_j, each pair once; J > 0 is ferromagnetic";
  std::optional<std::string> file;
  std::string symmetry = "none";
  Index maptype = 1;

  static FieldTable<Exchange> fields() {
    FieldTable<Exchange> table;
    lattice::add_exchange_fields(table)
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
};

}  // namespace larmor::spins
