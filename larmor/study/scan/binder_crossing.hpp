#pragma once
// Where the Binder cumulants U(T) of two lattices cross. U grows with the size of the lattice below
// the critical temperature T_c and falls with it above; at T_c it depends on the size only by
// corrections to scaling, so that crossings tend to T_c. K. Binder, Z. Phys. B 43, 119 (1981).

#include <optional>
#include <vector>

namespace larmor::study {

/// U of one lattice at some temperatures, in any order, with standard errors.
struct BinderCurve {
  std::vector<double> temperature, value, error;
};

struct BinderCrossing {
  double temperature;
  double error;  ///< half-width of the 68.3 % interval
};

/// The root of U_larger - U_smaller, by interpolation of the temperatures nearest to it, up to
/// three on either side, with a polynomial of least squares; its error is a parametric bootstrap of
/// the errors of U. Temperatures that only one curve has, and values without an error, are left
/// out. Nothing where the difference is not clearly positive below and negative above some
/// temperature.
std::optional<BinderCrossing> binder_crossing(const BinderCurve& smaller,
                                              const BinderCurve& larger);

}  // namespace larmor::study
