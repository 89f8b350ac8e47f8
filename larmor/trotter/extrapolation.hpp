#pragma once
// Values at several numbers of slices, extrapolated to dtau = 0 by weighted least squares:
//
//   A(dtau) = a_0 + a_2 dtau^2 + a_4 dtau^4
//
// The symmetric Suzuki-Trotter formula has no odd powers. chi^2 tells whether the powers suffice.
//
// Source: M. Suzuki, Commun. Math. Phys. 51, 183 (1976), for the powers.

#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::trotter {

struct SlicedValue {
  double dtau;
  double value, error;  ///< one standard deviation
};

/// The highest power of dtau.
enum class Power { second = 2, fourth = 4 };

struct Extrapolation {
  double value, error;               ///< at dtau = 0
  std::vector<double> coefficients;  ///< a_0, a_2, and a_4
  std::vector<double> residuals;     ///< by value, in units of its error
  double chi2;
  Index freedom;  ///< values minus coefficients

  /// The fit at a time step, for a picture.
  double at(double dtau) const;
};

/// @param values with different dtau, at least as many as coefficients @throws InputError for fewer
/// time steps, and for errors that are not above 0
Extrapolation extrapolate(std::span<const SlicedValue> values, Power highest);

}  // namespace larmor::trotter
