#pragma once
// The velocity autocorrelation C_a(t) of each type a, averaged over time origins s. C_a is the mean
// of v(s).v(s + t) over the atoms, or the sum of m v(s).v(s + t). The sum gives the phonon density
// of states,
//
//   g_a(w) = (3 N - 3) 2/pi integral_0^inf dt C_a(t) / C(0) cos(w t),   C = sum_a C_a,
//
// so that the integral of g = sum_a g_a over w >= 0 is 3 N - 3, the number of vibrations of N
// atoms. For atoms in thermal equilibrium with harmonic forces, g is the density of the frequencies
// of these vibrations (J. M. Dickey, A. Paskin, Phys. Rev. 188, 1407 (1969)).

#include "larmor/atoms/observables/frames.hpp"
#include "larmor/atoms/observables/lagged_averages.hpp"

namespace larmor::atoms {

enum class VelocityWeight {
  none,  ///< a mean over atoms, Angstrom^2/ps^2
  mass   ///< a sum over atoms of m v.v, eV
};

class VelocityAutocorrelation {
 public:
  /// @throws InputError for the errors of LaggedAverages
  VelocityAutocorrelation(const AtomLayout& layout, Index types, const LagSettings& settings,
                          VelocityWeight weight, CentreOfMass centre, int threads);

  void add(const AtomState& state);
  /// The averages [type, lag] for each block and replica. A mean is NaN if the replica has no atom
  /// of the type.
  const BlockedMeans& means() const { return averages_.means(); }

  /// FORMAT: that of LaggedAverages.
  std::vector<double> save() const { return averages_.save(); }
  void load(std::span<const double> saved) { averages_.load(saved); }

 private:
  Index types_;
  VelocityWeight weight_;
  CentreOfMass centre_;
  int threads_;
  LaggedAverages averages_;
};

/// The angular frequencies w_k = pi k / (L dt), k = 0, 1, .., L, in rad/ps.
/// @param lags L @param interval dt, ps
std::vector<double> phonon_frequencies(Index lags, double interval);

/// The density g at the frequencies of `phonon_frequencies`, ps. Its integral by the trapezoidal
/// rule is exactly 3 N - 3.
/// @param correlation sums of m v.v [type, lag] @param weight weight of each lag, 1 at lag 0 [lag]
/// @param modes 3 N - 3
/// @return [type, k]
std::vector<double> phonon_density(std::span<const double> correlation,
                                   std::span<const double> weight, double interval, double modes);

/// The density g for each block and replica. @param correlation computed with VelocityWeight::mass
/// @param modes 3 N - 3 of each replica
BlockedMeans phonon_densities(const BlockedMeans& correlation, std::span<const double> weight,
                              double interval, std::span<const double> modes);

}  // namespace larmor::atoms
