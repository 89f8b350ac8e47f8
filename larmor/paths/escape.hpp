#pragma once
// Thermal escape from a minimum m over a saddle s in the harmonic approximation:
//
//   k(T) = n kappa / (2 pi) (V_s / V_m) (2 pi k_B T)^((P_m - P_s) / 2)
//          sqrt(det' H_m / |det' H_s|) exp(-(E_s - E_m) / k_B T)
//
// Here n is the number of equivalent saddles. V is the volume of the zero modes and P their number.
// E is the energy, and det' H is the determinant of the Hessian without zero modes. The dynamical
// factor kappa depends on the motion across the saddle.

namespace larmor::paths {

/// The escape, without the dynamical factor.
struct Escape {
  double barrier;               ///< E_s - E_m
  double log_entropy;           ///< log of (V_s / V_m) sqrt(det' H_m / |det' H_s|)
  double half_extra_modes = 0;  ///< (P_m - P_s) / 2
  double saddles = 1;           ///< n

  /// The prefactor of the exponential.
  /// @param kappa dynamical factor
  double prefactor(double kappa, double thermal_energy) const;
  /// The natural logarithm of the rate; finite even if the rate itself underflows.
  double log_rate(double kappa, double thermal_energy) const;
  double rate(double kappa, double thermal_energy) const;
};

}  // namespace larmor::paths
