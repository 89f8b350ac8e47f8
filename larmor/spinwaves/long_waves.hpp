#pragma once
// How the softest branch leaves k = 0: w = w_0 + D k^2 (stiffness D, ferromagnets, and wherever the
// gap w_0 is large) or w^2 = w_0^2 + c^2 k^2 (velocity c, antiferromagnets).

#include <array>

#include "larmor/spinwaves/quadratic_hamiltonian.hpp"

namespace larmor::spinwaves {

/// How the branch leaves k = 0 along a direction.
enum class Rising {
  quadratically,  ///< w = w_0 + D k^2
  with_velocity,  ///< w^2 = w_0^2 + c^2 k^2
  one_sided,      ///< w(k) and w(-k) differ by more than the twentieth part of how they rise
  flat,           ///< not at all
  otherwise,      ///< by another power of k
  nowhere         ///< the lattice does not repeat along it
};

/// Along x, y and z; NaN where the branch rises in another way.
struct LongWaves {
  double gap;  ///< w_0, rad per time; 0 where it is less than 1e-7 of the largest frequencies
  std::array<Rising, 3> rising;
  std::array<double, 3> stiffness;  ///< rad length^2 per time
  std::array<double, 3> velocity;   ///< rad length per time
};

/// From the lowest frequency at 0, k, 2 k and 4 k, the mean of k and -k where these agree,
/// extrapolated to k = 0 (Richardson), so that what is left is of third order in k times the length
/// of the cell, 0.02.
/// @param cell_length longest vector of the magnetic cell
/// @throws InternalError for interactions of any range, whose frequencies are not smooth at k = 0
LongWaves long_waves(const QuadraticHamiltonian& quadratic, const lattice::Geometry& geometry,
                     double cell_length);

}  // namespace larmor::spinwaves
