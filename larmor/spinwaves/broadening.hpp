#pragma once
// Continuous curves from discrete lines: maps of S(q,w) and densities of states.

#include <array>
#include <span>
#include <vector>

#include "larmor/spinwaves/spectrum.hpp"

namespace larmor::spinwaves {

enum class LineShape { gaussian, lorentzian };

/// The shape L of a line. It has unit area, int dw L(w) = 1.
struct Resolution {
  LineShape shape = LineShape::gaussian;
  double width = 1;  ///< full width at half maximum, rad per time

  double at(double distance) const;
};

/// S^aa(q,w) = 2 pi sum_m |f_ma|^2 L(w - W_m), a = x, y, z, with f and W of spectrum.hpp. Lines
/// with an unknown (NaN) amplitude are left out. [frequencies, 3]
std::vector<double> broadened(const WaveVectorSpectrum& spectrum, std::span<const double> frequency,
                              const Resolution& resolution);

/// Histogram of frequencies, in bins of equal width from 0.
struct DensityOfStates {
  std::vector<double> frequency;  ///< bin centres, rad per time [bins]
  std::vector<double> density;  ///< per spin, time per rad: int dw g(w) = 1 if all are >= 0 [bins]
};

/// @param frequencies those of all wave vectors and modes. Frequencies below 0 and NaN belong to a
///        state that is not a minimum. They are left out
/// @param resolution line shape that smears the bins; null: no smearing
DensityOfStates density_of_states(std::span<const double> frequencies, Index bins,
                                  const Resolution* resolution);

/// Wave vectors of a grid over the zone of the crystal, in reciprocal-lattice units. Zero is one of
/// them.
std::vector<Vec3<double>> zone_grid(const std::array<Index, 3>& points);

}  // namespace larmor::spinwaves
