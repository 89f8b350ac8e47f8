#pragma once
// Dispersion of the softest branch near k = 0. Ferromagnets, and all branches with a large gap w_0,
// have w = w_0 + D k^2 with the stiffness D. Antiferromagnets have w^2 = w_0^2 + c^2 k^2 with the
// velocity c.

#include <array>

#include "larmor/spinwaves/quadratic_hamiltonian.hpp"

namespace larmor::spinwaves {

/// Dispersion of the branch near k = 0 along a direction.
enum class DispersionForm {
  quadratically,  ///< w = w_0 + D k^2
  with_velocity,  ///< w^2 = w_0^2 + c^2 k^2
  one_sided,      ///< half the difference of w(k) and w(-k) is more than 1/20 of w - w_0
  flat,           ///< w does not depend on k
  otherwise,      ///< another power of k
  nowhere         ///< the lattice does not repeat along the direction
};

/// Results along x, y and z. A coefficient is NaN if the dispersion has another form.
struct LongWaves {
  double gap;  ///< w_0, rad per time; 0 if below 1e-7 of the bound of all frequencies
  std::array<DispersionForm, 3> form;
  std::array<double, 3> stiffness;  ///< rad length^2 per time
  std::array<double, 3> velocity;   ///< rad length per time
};

/// Computes the coefficients from the lowest frequency at 0, k, 2 k and 4 k. Each frequency is the
/// mean of those at k and -k, if these two agree. Values are extrapolated to k = 0 (Richardson).
/// The product of k and the length of the cell is 0.02. The remaining error is of third order in
/// this product.
/// @param cell_length longest vector of the magnetic cell
/// @throws InternalError for interactions of any range, whose frequencies are not smooth at k = 0
LongWaves long_waves(const QuadraticHamiltonian& quadratic, const lattice::Geometry& geometry,
                     double cell_length);

}  // namespace larmor::spinwaves
