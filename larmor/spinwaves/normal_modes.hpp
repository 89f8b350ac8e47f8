#pragma once
// Normal modes of i d xi/dt = sigma_y D xi (quadratic_hamiltonian.hpp): bosons diagonalised by a
// Bogoliubov transformation, in the way of J. H. P. Colpa, Physica A 93 (1978) 327. With D = L L^+
// (Cholesky) and the Hermitian L^+ sigma_y L = sum_m W_m eta_m eta_m^+,
//
//     xi_m = sigma_y L eta_m / sqrt(|W_m|),     xi_m^+ sigma_y xi_m = sign W_m,   xi_m^+ D xi_m =
//     |W_m|,
//
// so that a mode of amplitude c has the energy |W| |c|^2. Half of the W are positive, the
// frequencies w_n(k) of waves exp(i (k.r - w t)); the others are - w_n(-k).
//
// sigma_y is diag(1, -1) in a = (xi_x - i xi_y) / sqrt 2 and its conjugate, which makes this the
// 2n x 2n problem of g H(k) of that paper.

#include <complex>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::spinwaves {

/// Modes of one wave vector: first the n of positive norm xi^+ sigma_y xi, by ascending frequency,
/// then the n of negative norm, by ascending |frequency|.
struct NormalModes {
  std::vector<double> frequency;             ///< W, rad per time [2n]
  std::vector<double> growth;                ///< of exp(growth t), 0 where D is not negative [2n]
  std::vector<std::complex<double>> vector;  ///< xi, (2n modes, 2n); empty unless asked for
  /// Is D positive semi-definite: does no deviation lower the energy? Where it is not, modes come
  /// from the non-Hermitian problem, are not normalised, and may grow.
  bool minimum = true;
};

/// Goldstone modes: a D that fails the Cholesky decomposition by less than `rounding` has this
/// added to its diagonal, and frequencies up to sqrt(2 rounding bound) are then 0.
/// @param D Hermitian, (2n, 2n), rad per time
/// @param bound of the eigenvalues of D; @param rounding what D is known to, both rad per time
/// @throws InternalError when an eigenvalue solver does not converge
NormalModes normal_modes(const std::vector<std::complex<double>>& D, Index n, double bound,
                         double rounding, bool with_vectors);

}  // namespace larmor::spinwaves
