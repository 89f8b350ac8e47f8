#pragma once
// Torques of currents: `stt`, jvec and adibeta.
//
// UppASD adds a field to the equation of Landau, Lifshitz and Gilbert:
//
//   A  (a - b) (j.grad) m - (1 + a b) m x (j.grad) m    a damping, b adibeta
//   F  m x j
//
// A is the torque - (u.grad) m + b m x (u.grad) m of the drift velocity u = gamma j. F is a
// damping-like torque of strength |j| / (1 + a^2) and a field-like torque of a |j| / (1 + a^2).
//
// UppASD's derivative of a site is a mean over n neighbours at the vectors d, in lattice constants:
//
//   (j.grad) m = 1/n sum_neighbours (m_neighbour - m) sum_(axes with d_axis != 0) j_axis / d_axis
//
// A field that is linear in space has the derivative along 1/n sum_neighbours d sum j_axis /
// d_axis. On a square lattice this vector is j / 2.

#include <vector>

#include "larmor/imports/uppasd/couplings.hpp"
#include "larmor/imports/uppasd/quantities.hpp"

namespace larmor::imports::uppasd {

/// The vector along which UppASD takes derivatives for the current j at an atom of the cell, in
/// lattice constants. @param exchange pairs of the exchange file
Vec3<double> derivative_along(const Vec3<double>& j, int atom,
                              const std::vector<Coupling>& exchange);

/// Sets `torque` of a stage of dynamics, if the input has a current.
void set_torque(Value& stage, const InputFile& input, const UppasdCrystal& crystal,
                const std::vector<Coupling>& exchange, double damping, const Quantities& quantities,
                std::vector<std::string>& notes);

}  // namespace larmor::imports::uppasd
