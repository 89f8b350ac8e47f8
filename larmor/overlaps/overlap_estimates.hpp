#pragma once
// What spin glasses are judged by, of averages [<..>] over time and then over samples. With
// q_mn as in copy_sums.hpp, of N spins of D components and systems of L cells:
//
//     chi_SG(k) = N [<|q(k)|^2>],   chi_SG = chi_SG(0)
//     xi = sqrt(chi_SG(0) / chi_SG(k) - 1) / (2 sin(|k| / 2)),   |k| = 2 pi / L
//     g  = ((D^2 + 2) - D^2 [<q^4>] / [<q^2>]^2) / 2,   0 for normal q_mn, 1 for a fixed q^2
//
// Errors are those of the jackknife that leaves out sample after sample: it knows that both sides
// of a ratio are of the same samples.
//
// Where couplings are normal about 0 with the variance J^2, parts in the mean over them give
//
//     [e] = - (z/2) (J^2 / T) ([<(S_i.S_j)^2>] - [q_link]),   of Ising spins 1 - [q_link],
//
// the energy per spin, z/2 bonds a spin. Both sides meet in equilibrium, the left from above and
// the right from below, so that they show whether it was reached.
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

/// A mean over units, or what is made of such means.
struct UnitEstimate {
  std::string name;
  double value = 0, error = 0;  ///< NaN: not known
};

/// value(means over units) with the error of the jackknife. @param of_units (unit, number)
UnitEstimate jackknife_over_units(const std::string& name, const std::vector<double>& of_units,
                                  Index numbers,
                                  const std::function<double(const std::vector<double>&)>& value);

/// The system that copies are of.
struct GlassScale {
  double spins = 0;                ///< N
  Index components = 1;            ///< D
  double bonds_of_spin = 0;        ///< z/2
  std::vector<double> lengths;     ///< of the axes of the wave vectors
  bool has_energy = false;         ///< was it summed?
  std::optional<double> variance;  ///< J^2 of normal couplings about 0; none: they are not
};

/// All that is known of one rung. @param of_units averages over time of the sums of copies
/// @param kT of the rung
std::vector<UnitEstimate> overlap_estimates(const GlassScale& scale,
                                            const std::vector<double>& of_units, double kT);

}  // namespace larmor::overlaps
