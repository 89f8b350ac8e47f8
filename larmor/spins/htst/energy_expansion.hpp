#pragma once
// The energy around given spins to second order in their rotations, on the product of unit spheres:
//
//   E(v) = E + g.v + 1/2 v^T H v,   v: tangent vector [spins, 2] in the frames of TangentSpace,
//
// with the gradient g = P dE/de and the Riemannian Hessian
//
//   H = P (d^2E/de de) P + (e.h) 1,   h = -dE/de,   P: projection on the tangent space
//
// (Absil, Mahony, Trumpf, GSI 2013, LNCS 8085, 361; equivalent to the Lagrange multipliers of
// Bessarab, Uzdin, Jonsson, Phys. Rev. B 85, 184409 (2012)). Second derivatives of the canonical
// forms:
//
//   - e_i^T A_ij e_j      d_i d_j: - A_ij
//   - b (e_i.e_j)^2       d_i d_i: - 2 b e_j e_j^T,  d_i d_j: - 2 b [(e_i.e_j) 1 + e_j e_i^T]
//   - P(n.e_i)            d_i d_i: - P''(n.e_i) n n^T
//
// Interactions of any range are not supported, because they couple every spin with every other.

#include "larmor/core/maths/scalar_lanes.hpp"
#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/htst/sparse_matrix.hpp"
#include "larmor/spins/htst/tangent_space.hpp"

namespace larmor::spins {

struct EnergyExpansion {
  TangentSpace space;
  double energy;                 ///< sum over all spins
  std::vector<double> gradient;  ///< [spins, 2]
  SparseMatrix hessian;

  /// Largest torque |e x dE/de| of a spin.
  double largest_torque() const;
};

/// @param model in double precision on a CPU, equal for all replicas
/// @param spins [3, sites] in storage order
/// @throws InputError if the model has an interaction of any range
EnergyExpansion expand_energy(const Model& model, const SiteVectors& spins);

}  // namespace larmor::spins
