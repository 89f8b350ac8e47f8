#pragma once
// The couplings of a Hamiltonian term in the canonical forms, before kernels read them. Host code.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/lattice/bonds.hpp"
#include "larmor/spins/hamiltonian/bond_matrix.hpp"
#include "larmor/spins/long_range/coupling.hpp"

namespace larmor::spins {

/// - e_i^T A e_j - b (e_i.e_j)^2 for every translate of one bond; i is the bond's `from`.
struct StencilCoupling {
  lattice::StencilBond bond;
  Mat3<double> bilinear{};
  double biquadratic = 0;
};

/// - e_i^T A e_j - b (e_i.e_j)^2 for one explicit pair.
struct PairCoupling {
  lattice::PairBond bond;
  Mat3<double> bilinear{};
  double biquadratic = 0;
};

/// - (a2 p^2 + a4 p^4 + a6 p^6) with p = axis.e_i
struct OnsiteCoupling {
  Vec3<double> axis;
  double a2 = 0, a4 = 0, a6 = 0;

  OnsitePolynomial<double> polynomial() const { return {a2, a4, a6}; }
};

/// One term in energy units. Functions take the canonical index of a site. If the term lacks a
/// form, the function of this form is empty.
struct LoweredTerm {
  std::string name;
  BondClass bond_class = BondClass::scalar;  ///< smallest class for every `bilinear`
  std::vector<StencilCoupling> stencil;
  std::vector<PairCoupling> pairs;
  std::function<std::vector<OnsiteCoupling>(Index site)> onsite;
  std::function<Vec3<double>(Index site)> field;  ///< h of - h.e_i
  /// Does each replica multiply `field` by its own number, initially 0? At most one term of a model
  /// may do so. ReplicaFields stores the numbers.
  bool has_own_field = false;
  bool by_atom = false;  ///< do `onsite` and `field` depend only on the basis atom?
  std::optional<LongRangeCoupling> long_range;  ///< at most one term of a model
  std::string warning;                          ///< warning of lattice::SelectedBonds

  /// Contributions that differ by replica: an exchange - J e_i.e_j on each of `pairs`, and a field
  /// on every site. Empty if all replicas are equal.
  std::function<double(Index i, Index j, Index replica)> exchange_of_replica;
  std::function<Vec3<double>(Index site, Index replica)> field_of_replica;
};

/// Do the one-site couplings of one cell determine those of all cells?
inline bool known_by_atom(const LoweredTerm& term) {
  return !term.field_of_replica && (term.by_atom || (!term.onsite && !term.field));
}

/// - 1/2 e^T M e, M symmetric, as a polynomial in the projections on the axes of M.
std::vector<OnsiteCoupling> onsite_quadratic(const Mat3<double>& M);

/// Do couplings or fields of the term differ by replica?
bool differs_by_replica(const LoweredTerm& term);

/// Adds the contributions of the only replica, number 0, to the couplings that all replicas share.
/// Nothing differs by replica afterwards.
void merge_single_replica(std::vector<LoweredTerm>& terms);

/// Renumbers replicas, so that replica 0 of the terms is the replica `first` of the study.
void shift_replicas(Index first, std::vector<LoweredTerm>& terms);

}  // namespace larmor::spins
