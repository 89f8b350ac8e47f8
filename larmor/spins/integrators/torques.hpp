#pragma once
// Torques of electric currents, written as fields b that join B in the Landau-Lifshitz-Gilbert
// equation:
//
//   spin transfer (Zhang and Li, Phys. Rev. Lett. 93 (2004) 127204), u the drift velocity of the
//   magnetisation, beta the non-adiabaticity:
//       de/dt = ... - (u.grad) e + beta e x (u.grad) e,
//       b = -(1/gamma) [ beta (u.grad) e + e x (u.grad) e ]
//   damping-like and field-like, of a polarisation p (Slonczewski, J. Magn. Magn. Mater. 159 (1996)
//   L1; spin-orbit torques are of the same form):
//       de/dt = ... - gamma [ a e x (e x p) + c e x p ],     a = damping_like / (1 + asymmetry e.p)
//       b = a e x p + c p
//
// Positive u carries a texture along u; a > 0 turns e towards p.
//
// The derivative of site i is a sum over neighbours j at r_j (lattice::NearestNeighbours),
//
//     (u.grad) e = sum_j w_j (e_j - e_i),     sum_j w_j r_j = u,
//
// exact of textures that are linear in space. The nearest shell gives the least-squares gradient
// along what it spans: w_j = r_j.d with sum_j r_j (r_j.d) = u, which is the central difference
// inside a cubic lattice and a one-sided one at its end. A farther shell gives the rest, with q_j,
// the part of r_j outside the span of the nearer ones, in place of r_j; what its differences hold
// of nearer directions the nearer shells take off again: theirs is the derivative along u - sum_j
// w_j r_j, j over the farther ones.

#include <cmath>

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/bond_sums.hpp"
#include "larmor/spins/integrators/llg_view.hpp"

namespace larmor::spins {

struct SpinTransferTorque {
  Vec3<double> velocity{0, 0, 0};  ///< u, in lengths of the geometry a unit of time
  double nonadiabaticity = 0;      ///< beta
};

struct PolarisationTorque {
  Vec3<double> polarisation{0, 0, 1};  ///< p, a unit vector
  double damping_like = 0;             ///< mu_B a, an energy
  double field_like = 0;               ///< mu_B c, an energy
  double asymmetry = 0;
};

/// @throws InputError naming a site and a direction of the velocity along which it has no
/// neighbours
void require_neighbours_along(const lattice::Geometry& geometry, const Vec3<double>& velocity);

/// The most that (u.grad) e can be of any unit spins, an inverse time.
/// @throws InputError as require_neighbours_along
double largest_derivative(const lattice::Geometry& geometry, const Vec3<double>& velocity);

/// The fastest that the torques of a current turn a spin.
inline double largest_turn(const SpinTransferTorque& torque, const lattice::Geometry& geometry) {
  return std::hypot(1.0, torque.nonadiabaticity) * largest_derivative(geometry, torque.velocity);
}
/// The largest |b| of a polarisation, times mu_B: an energy.
inline double largest_field(const PolarisationTorque& torque) {
  return std::abs(torque.damping_like) / (1 - std::abs(torque.asymmetry)) +
         std::abs(torque.field_like);
}

/// Bytes of the table of derivatives, about.
struct DerivativeBytes {
  double host;    ///< while it is made
  double device;  ///< where the spins are
};
DerivativeBytes derivative_bytes(const lattice::Geometry& geometry);

/// Directional derivatives (u.grad) e as sums over neighbours.
/// @param scale on all weights @throws InputError as require_neighbours_along
BondSums directional_derivative(const Device& device, const lattice::Geometry& geometry,
                                const Model& model, const Vec3<double>& velocity, double scale);

}  // namespace larmor::spins
