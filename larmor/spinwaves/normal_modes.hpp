#pragma once
// Normal modes of i d xi/dt = sigma_y D xi (quadratic_hamiltonian.hpp). They are a Bogoliubov
// transformation of bosons, computed by the method of J. H. P. Colpa, Physica A 93 (1978) 327. With
// D = L L^+ (Cholesky) and the Hermitian L^+ sigma_y L = sum_m W_m eta_m eta_m^+,
//
//     xi_m = sigma_y L eta_m / sqrt(|W_m|),     xi_m^+ sigma_y xi_m = sign W_m,
//     xi_m^+ D xi_m = |W_m|,
//
// and a mode of amplitude c has the energy |W| |c|^2. Half of the W are positive. They are the
// frequencies w_n(k) of waves exp(i (k.r - w t)). The negative W are - w_n(-k).
//
// In the basis a = (xi_x - i xi_y) / sqrt 2 and its conjugate, sigma_y is diag(1, -1). The
// eigenvalue problem is then the 2n x 2n problem of g H(k) in that paper.

#include <complex>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::spinwaves {

/// Modes of one wave vector. The first n modes have positive norm xi^+ sigma_y xi and are in order
/// of ascending frequency. The last n modes have negative norm and are in order of ascending
/// |frequency|.
struct NormalModes {
  std::vector<double> frequency;  ///< W, rad per time [2n]
  std::vector<double> growth;     ///< rate of exp(growth t); 0 if D is positive semi-definite [2n]
  std::vector<std::complex<double>> vector;  ///< xi, (2n modes, 2n); empty unless requested
  /// Is D positive semi-definite, so that no deviation lowers the energy? If not, the modes are
  /// those of the non-Hermitian problem. Such modes are not normalised, and some may grow.
  bool minimum = true;
};

/// Computes the modes of D. With Goldstone modes, the Cholesky decomposition may fail by less than
/// `rounding`. In this case `rounding` is added to the diagonal, and frequencies up to sqrt(2
/// rounding bound) are set to 0.
/// @param D Hermitian, (2n, 2n), rad per time
/// @param bound upper bound of the eigenvalues of D, rad per time
/// @param rounding accuracy of D, rad per time
/// @throws InternalError if an eigenvalue solver does not converge
NormalModes normal_modes(const std::vector<std::complex<double>>& D, Index n, double bound,
                         double rounding, bool with_vectors);

}  // namespace larmor::spinwaves
