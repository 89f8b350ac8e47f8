#pragma once
// Finds where the Binder cumulants U(T) of two lattices cross. U grows with the size of the lattice
// below the critical temperature T_c and falls with it above. At T_c it depends on the size only by
// corrections to scaling, so that crossings tend to T_c. K. Binder, Z. Phys. B 43, 119 (1981).

#include <optional>
#include <vector>

namespace larmor::study {

/// The Binder cumulant U of one lattice at some temperatures, in any order, with standard errors.
struct BinderCurve {
  std::vector<double> temperature, value, error;
};

struct BinderCrossing {
  double temperature;
  double error;  ///< half-width of the 68.3 % interval
};

/// The root of U_larger - U_smaller, from a polynomial of least squares through the nearest
/// temperatures, up to three on either side. The error of the root follows by a parametric
/// bootstrap from the errors of U. Temperatures of only one curve, and values without an error, are
/// left out. If the difference is not clearly positive below and negative above some temperature,
/// there is no crossing.
std::optional<BinderCrossing> binder_crossing(const BinderCurve& smaller,
                                              const BinderCurve& larger);

}  // namespace larmor::study
