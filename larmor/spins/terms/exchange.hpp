#pragma once
// Heisenberg exchange,
//
//     H = - sum_<ij> J_ij e_i.e_j,      each pair once, J > 0 ferromagnetic, e unit vectors,
//
// where lattice::ExchangeKeys defines J_ij.

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

  static FieldTable<Exchange> fields();

  /// @throws InputError if J is missing or the bonds are impossible
  LoweredTerm lower(const TermContext& context) const;
  /// How many numbers that differ by replica are stored for each replica.
  /// @throws InputError as `lower`
  double numbers_of_replica(const lattice::Geometry& geometry,
                            const symmetry::Surroundings& surroundings) const;

 private:
  lattice::SelectedBonds selected(const lattice::Geometry& geometry,
                                  const symmetry::Surroundings& surroundings) const;
};

}  // namespace larmor::spins
