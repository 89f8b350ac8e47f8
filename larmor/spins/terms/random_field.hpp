#pragma once
// Zeeman energy in a frozen random field,
//
//     H = - sum_i mu_i B_i.e_i,
//
// B_i normally distributed about 0 with the standard deviation `width`: each of its three
// components, which makes its direction random too, or its one component along `axis`. It depends
// on the seed and the site alone, so that all replicas feel the same field; or also on the sample
// that a replica is of.

#include "larmor/core/input/fields.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct RandomField {
  static constexpr const char* name = "random-field";
  static constexpr const char* doc =
      "frozen random field - mu B.e, normally distributed from site to site";
  double width = 0;
  std::optional<Vec3<double>> axis;
  std::uint64_t seed = 1;
  bool by_replica = false;
  Index replicas_of_sample = 1;  ///< that share a field by replica, side by side; no key
  SourcePosition where;

  static FieldTable<RandomField> fields();

  LoweredTerm lower(const TermContext& context) const;
  /// Numbers that differ by replica, in each of them.
  double numbers_of_replica(const lattice::Geometry& geometry) const;
};

}  // namespace larmor::spins
