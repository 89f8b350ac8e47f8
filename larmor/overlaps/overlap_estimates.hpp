#pragma once
// Estimates for spin glasses from averages [<..>] over time and then over samples. With q_mn as in
// copy_sums.hpp, for N spins of D components and systems of L cells:
//
//     chi_SG(k) = N [<|q(k)|^2>],   chi_SG = chi_SG(0)
//     xi = sqrt(chi_SG(0) / chi_SG(k) - 1) / (2 sin(|k| / 2)),   |k| = 2 pi / L
//     g  = ((D^2 + 2) - D^2 [<q^4>] / [<q^2>]^2) / 2,   0 for normal q_mn, 1 for a fixed q^2
//
// If axes differ in length, L is the longest, and chi_SG(k) is the mean over the axes of length L.
//
// Errors are those of the jackknife that leaves out one unit (copy_pairs.hpp) at a time. The
// jackknife accounts for the correlation of numerator and denominator of a ratio, which come from
// one set of samples.
//
// For normal couplings with mean 0 and variance J^2, integrating by parts over the couplings gives
//
//     [e] = - (z/2) (J^2 / T) ([<(S_i.S_j)^2>] - [q_link])
//
// for the energy per spin e at temperature T, with z/2 bonds per spin and the link overlap q_link.
// For Ising spins the difference in brackets is 1 - [q_link]. Both sides agree in equilibrium. The
// left side approaches its final value from above, and the right from below. So a comparison shows
// whether equilibrium was reached.
//
// Sources: H. G. Katzgraber, M. Palassini and A. P. Young, Phys. Rev. B 63, 184422 (2001), for the
// energy; H. G. Katzgraber, M. Koerner and A. P. Young, Phys. Rev. B 73, 224432 (2006), for xi and
// g; L. W. Lee and A. P. Young, arXiv:cond-mat/0302371 (2003), for vectors.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "larmor/overlaps/copy_sums.hpp"

namespace larmor::overlaps {

/// A mean over units, or a function of such means.
struct UnitEstimate {
  std::string name;
  double value = 0, error = 0;  ///< NaN if not known
};

/// value(means over units) with the error of the jackknife. @param of_units (unit, number)
UnitEstimate jackknife_over_units(const std::string& name, const std::vector<double>& of_units,
                                  Index numbers,
                                  const std::function<double(const std::vector<double>&)>& value);

/// The parameters of the system of the copies.
struct GlassParameters {
  double spins = 0;                ///< N
  Index components = 1;            ///< D
  double bonds_of_spin = 0;        ///< z/2
  std::vector<double> lengths;     ///< lengths of the axes of the wave vectors
  bool has_energy = false;         ///< whether the energy was summed
  std::optional<double> variance;  ///< J^2 of normal couplings with mean 0; empty for other
                                   ///< couplings
};

/// All estimates for one rung. @param of_units averages over time of the sums of copies
/// @param kT temperature of the rung
std::vector<UnitEstimate> overlap_estimates(const GlassParameters& scale,
                                            const std::vector<double>& of_units, double kT);

}  // namespace larmor::overlaps
