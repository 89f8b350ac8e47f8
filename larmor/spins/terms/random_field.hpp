#pragma once
// Zeeman energy in a frozen random field,
//
//     H = - sum_i mu_i B_i.e_i,
//
// B_i is normally distributed about 0 with the standard deviation `width`: in its three components,
// so that its direction is random too, or only in its component along `axis`. By default B_i
// depends only on the seed and the site, and all replicas have equal fields. Optionally B_i also
// depends on the disorder sample of the replica.

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
  Index replicas_of_sample = 1;  ///< consecutive replicas that share a disorder sample; not a key
  SourcePosition where;

  static FieldTable<RandomField> fields();

  LoweredTerm lower(const TermContext& context) const;
  /// Number of stored numbers in each replica that differ by replica.
  double numbers_of_replica(const lattice::Geometry& geometry) const;
};

}  // namespace larmor::spins
