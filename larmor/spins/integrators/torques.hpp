#pragma once
// Torques of electric currents, written as fields b that are added to B in the
// Landau-Lifshitz-Gilbert equation:
//
//   spin transfer (Zhang and Li, Phys. Rev. Lett. 93 (2004) 127204), where u is the drift velocity
//   of the magnetisation and beta the non-adiabaticity:
//       de/dt = ... - (u.grad) e + beta e x (u.grad) e,
//       b = -(1/gamma) [ beta (u.grad) e + e x (u.grad) e ]
//   damping-like and field-like, for a polarisation p (Slonczewski, J. Magn. Magn. Mater. 159
//   (1996) L1; the formula also holds for spin-orbit torques):
//       de/dt = ... - gamma [ a e x (e x p) + c e x p ],     a = damping_like / (1 + asymmetry e.p)
//       b = a e x p + c p
//
// A texture moves along u. If a > 0, e turns towards p.
//
// The derivative at site i is a sum over neighbours j at r_j (lattice::NearestNeighbours),
//
//     (u.grad) e = sum_j w_j (e_j - e_i),     sum_j w_j r_j = u,
//
// which is exact for textures that are linear in space. The nearest shell gives the least-squares
// gradient within its span: w_j = r_j.d with sum_j r_j (r_j.d) = u. This is the central difference
// inside a cubic lattice and a one-sided difference at its end. A farther shell gives the remaining
// directions. For such a shell, the formula has q_j in place of r_j, where q_j is the component of
// r_j outside the span of the nearer shells. The differences of farther shells also contain
// derivatives along nearer directions. To subtract them, the nearer shells take the derivative
// along u - sum_j w_j r_j, with the sum over the farther shells.

#include <cmath>

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/bond_sums.hpp"
#include "larmor/spins/integrators/llg_view.hpp"

namespace larmor::spins {

struct SpinTransferTorque {
  Vec3<double> velocity{0, 0, 0};  ///< u, in lengths of the geometry per unit of time
  double nonadiabaticity = 0;      ///< beta
};

struct PolarisationTorque {
  Vec3<double> polarisation{0, 0, 1};  ///< p, a unit vector
  double damping_like = 0;             ///< mu_B a, an energy
  double field_like = 0;               ///< mu_B c, an energy
  double asymmetry = 0;
};

/// Checks that every site has neighbours in the direction of the velocity.
/// @throws InputError that names a site, and a direction in which this site has no neighbours
void require_neighbours_along(const lattice::Geometry& geometry, const Vec3<double>& velocity);

/// Upper bound of |(u.grad) e| for any unit spins, an inverse time.
/// @throws InputError as require_neighbours_along
double largest_derivative(const lattice::Geometry& geometry, const Vec3<double>& velocity);

/// Upper bound of the angular velocity of a spin by the spin-transfer torque.
inline double largest_turn(const SpinTransferTorque& torque, const lattice::Geometry& geometry) {
  return std::hypot(1.0, torque.nonadiabaticity) * largest_derivative(geometry, torque.velocity);
}
/// Upper bound of mu_B |b| for the torque of a polarisation, an energy.
inline double largest_field(const PolarisationTorque& torque) {
  return std::abs(torque.damping_like) / (1 - std::abs(torque.asymmetry)) +
         std::abs(torque.field_like);
}

/// Approximate bytes of the table of derivatives.
struct DerivativeBytes {
  double host;    ///< during construction
  double device;  ///< on the device of the spins
};
DerivativeBytes derivative_bytes(const lattice::Geometry& geometry);

/// Directional derivatives (u.grad) e as sums over neighbours.
/// @param scale factor on all weights
/// @throws InputError as require_neighbours_along
BondSums directional_derivative(const Device& device, const lattice::Geometry& geometry,
                                const Model& model, const Vec3<double>& velocity, double scale);

}  // namespace larmor::spins
