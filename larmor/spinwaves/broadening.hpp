#pragma once
// From lines to curves: maps of S(q,w) and densities of states.

#include <array>
#include <span>
#include <vector>

#include "larmor/spinwaves/spectrum.hpp"

namespace larmor::spinwaves {

enum class LineShape { gaussian, lorentzian };

/// A line of unit area, int dw L(w) = 1.
struct Resolution {
  LineShape shape = LineShape::gaussian;
  double width = 1;  ///< full width at half maximum, rad per time

  double at(double distance) const;
};

/// S^aa(q,w) = 2 pi sum_m |f_ma|^2 L(w - W_m), a = x, y, z; lines whose amplitude is not known are
/// left out. [frequencies, 3]
std::vector<double> broadened(const WaveVectorSpectrum& spectrum, std::span<const double> frequency,
                              const Resolution& resolution);

/// Frequencies that are counted, in bins of equal width from 0 on.
struct DensityOfStates {
  std::vector<double> frequency;  ///< of the middles, rad per time [bins]
  std::vector<double> density;  ///< a spin, time per rad: int dw g(w) = 1 where all are >= 0 [bins]
};

/// @param frequencies of all wave vectors and modes; those below 0 and NaN are of no minimum and
/// left out
/// @param resolution the bins are smeared by it; null: not at all
DensityOfStates density_of_states(std::span<const double> frequencies, Index bins,
                                  const Resolution* resolution);

/// Wave vectors of a grid over the zone of the crystal, zero included, in reciprocal-lattice units.
std::vector<Vec3<double>> zone_grid(const std::array<Index, 3>& points);

}  // namespace larmor::spinwaves
