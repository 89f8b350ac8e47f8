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

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/bond_sums.hpp"
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

/// @throws InputError when no two nearest neighbours lie along the velocity
void require_neighbours_along(const lattice::Geometry& geometry, const Vec3<double>& velocity);

/// Bytes of the table of derivatives, about.
struct DerivativeBytes {
  double host;    ///< while it is made
  double device;  ///< where the spins are
};
DerivativeBytes derivative_bytes(const lattice::Geometry& geometry);

/// Directional derivatives (u.grad) e as sums over neighbours: the least-squares gradient over the
/// nearest shell (lattice::NearestNeighbours, whatever the velocity), which is the central
/// difference inside a cubic lattice.
/// @param scale on all weights @throws InputError as require_neighbours_along
BondSums directional_derivative(const Device& device, const lattice::Geometry& geometry,
                                const Model& model, const Vec3<double>& velocity, double scale);

}  // namespace larmor::spins
