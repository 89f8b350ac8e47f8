#pragma once
// Zeeman energy in a frozen random field,
//
//     H = - sum_i mu_i B_i.e_i,
//
// If `axis` is not given, each component of B_i is normally distributed about 0 with the standard
// deviation `width`, so the direction is random too. If `axis` is given, only the component along
// `axis` is random, and all other components are 0. By default B_i depends only on the seed and the
// site, and all replicas have equal fields. If `by_replica` is true, B_i also depends on the
// disorder sample of the replica.

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
  Index replicas_of_sample = 1;  ///< number of replicas of a disorder sample; not a key
  SourcePosition where;

  static FieldTable<RandomField> fields();

  LoweredTerm lower(const TermContext& context) const;
  /// How many numbers that differ by replica are stored for each replica.
  double numbers_of_replica(const lattice::Geometry& geometry) const;
};

}  // namespace larmor::spins
