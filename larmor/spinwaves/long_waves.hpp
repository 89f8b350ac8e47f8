#pragma once
// Dispersion of the softest branch near k = 0: w = w_0 + D k^2 (stiffness D; ferromagnets, and all
// branches with a large gap w_0) or w^2 = w_0^2 + c^2 k^2 (velocity c; antiferromagnets).

#include <array>

#include "larmor/spinwaves/quadratic_hamiltonian.hpp"

namespace larmor::spinwaves {

/// Dispersion of the branch near k = 0 along a direction.
enum class DispersionForm {
  quadratically,  ///< w = w_0 + D k^2
  with_velocity,  ///< w^2 = w_0^2 + c^2 k^2
  one_sided,      ///< w(k) and w(-k) differ by more than 1/20 of w - w_0
  flat,           ///< w does not depend on k
  otherwise,      ///< another power of k
  nowhere         ///< the lattice does not repeat along the direction
};

/// Results along x, y and z. A coefficient is NaN if the dispersion has another form.
struct LongWaves {
  double gap;  ///< w_0, rad per time; 0 if less than 1e-7 of the largest frequencies
  std::array<DispersionForm, 3> form;
  std::array<double, 3> stiffness;  ///< rad length^2 per time
  std::array<double, 3> velocity;   ///< rad length per time
};

/// Computes the coefficients from the lowest frequency at 0, k, 2 k and 4 k, as the mean of k and
/// -k if these agree. Values are extrapolated to k = 0 (Richardson). The remaining error is of
/// third order in k times the length of the cell, 0.02.
/// @param cell_length longest vector of the magnetic cell
/// @throws InternalError for interactions of any range, whose frequencies are not smooth at k = 0
LongWaves long_waves(const QuadraticHamiltonian& quadratic, const lattice::Geometry& geometry,
                     double cell_length);

}  // namespace larmor::spinwaves
