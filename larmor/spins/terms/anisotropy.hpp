#pragma once
// Uniaxial anisotropy,
//
//     H = - sum_i [ K (e_i.n)^2 + K4 (e_i.n)^4 + K6 (e_i.n)^6 ],
//
// or the general quadratic anisotropy, - sum_i e_i^T A e_i with a symmetric matrix A. Without K4
// and K6, K > 0 is an easy axis and K < 0 an easy plane.

#include "larmor/core/input/fields.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

struct UniaxialAnisotropy {
  static constexpr const char* name = "anisotropy";
  static constexpr const char* doc =
      "uniaxial anisotropy - K (e.n)^2 - K4 (e.n)^4 - K6 (e.n)^6; K > 0 is an easy axis";
  std::optional<double> K, K4, K6;
  std::optional<Mat3<double>> A;
  Vec3<double> axis{0, 0, 1};
  std::optional<std::string> species;
  std::vector<Index> atoms;
  std::string symmetry = "none";
  TablePosition where;

  static FieldTable<UniaxialAnisotropy> fields();

  /// @throws InputError if no strength is given, or no site has the species, or the symmetry of a
  /// site forbids the anisotropy
  LoweredTerm lower(const TermContext& context) const;

 private:
  void check(const lattice::Geometry& geometry) const;
  /// The strengths with a unit vector as axis.
  std::vector<OnsiteCoupling> about(const Vec3<double>& direction) const;
};

}  // namespace larmor::spins
