#pragma once
// Scattering by spin waves, in the conventions of correlations/spectra/structure_factor.hpp,
//
//     A(q,t) = sum_r exp(-i q.r) e_r(t),
//     S^ab(q,w) = (1/N) int dt exp(i w t) <A_a(q,t) A_b(q,0)*>.
//
// A mode m of q moves the spins by F_m = sum_i (sqrt(s_i) (x_i, y_i)) xi_mi exp(i q.r). Therefore
//
//     S^ab(q,w) = 2 pi sum_m f_ma conj(f_mb) delta(w - W_m),     f_m = F_m sqrt(p_m / n),
//
// with n spins in a magnetic cell and the mean square p_m of the mode's amplitude. Classical spins
// have p_m = k_B T / |W_m| (equipartition). Quantum spins have p_m = hbar (n_B + 1) if W_m > 0 and
// p_m = hbar n_B if W_m < 0, with n_B = 1 / (exp(hbar |W_m| / k_B T) - 1). The integral over the
// line of a mode is int dw / (2 pi) S = |f_m|^2. Intensities S(q,w) of dynamics have this unit too.
// The sum over all modes with both signs of W is the transverse S(q) at equal times. For classical
// spins, this S(q) is exactly k_B T sum_ij sqrt(s_i s_j) (P_i D^-1_ij P_j^T) / n. A quantum spin S
// has the moment mu = g mu_B S. Therefore hbar s = 1 / S, and e stands for the spin operator
// divided by S.

#include <array>
#include <complex>
#include <vector>

#include "larmor/spinwaves/normal_modes.hpp"
#include "larmor/spinwaves/quadratic_hamiltonian.hpp"

namespace larmor::spinwaves {

/// Mean square amplitudes of modes.
struct Occupation {
  bool quantum = false;
  double k_B_T = 1;  ///< an energy
  double hbar = 1;   ///< energy times time

  /// p_m of a mode with frequency W. It is NaN at W = 0, because the amplitude is then unbounded.
  double mean_square(double W) const;
};

/// A line of S(q,w).
struct Line {
  double frequency = 0;  ///< W, rad per time
  double growth = 0;     ///< rad per time; above 0: the state is unstable
  /// f_m. It is NaN at zero frequency, and for all modes if the state is not a minimum.
  std::array<std::complex<double>, 3> amplitude{};
  /// |f|^2
  double intensity() const;
};

/// Lines of one wave vector.
struct WaveVectorSpectrum {
  std::vector<Line> lines;   ///< at w_n(q), ascending [n]
  std::vector<Line> mirror;  ///< at - w_n(-q), by ascending |W| [n]
  bool minimum = true;       ///< does no deviation lower the energy?
};

/// @param q Cartesian, 1 / length
WaveVectorSpectrum spectrum_at(const QuadraticHamiltonian& hamiltonian, const Vec3<double>& q,
                               const Occupation& occupation);

/// Only the frequencies w_n(q), ascending. A frequency is NaN if the mode grows. If the state is
/// not a minimum, at least one frequency is NaN or below 0. [n]
std::vector<double> frequencies_at(const QuadraticHamiltonian& hamiltonian, const Vec3<double>& q);

/// Accuracy of D, rad per time. Rounding and residual torques limit it.
double rounding_of(const QuadraticHamiltonian& hamiltonian);

}  // namespace larmor::spinwaves
