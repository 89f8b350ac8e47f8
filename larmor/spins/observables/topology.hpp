#pragma once
// Topological charge of the layers of a lattice, after B. Berg and M. Luescher, Nucl. Phys. B 190
// (1981) 412:
//
//     Q = (1 / 4 pi) sum over triangles of Omega,
//     tan(Omega / 2) = e1.(e2 x e3) / (1 + e1.e2 + e2.e3 + e3.e1),     -2 pi < Omega < 2 pi,
//
// where Omega is the area on the unit sphere that the spins of a triangle span, with
// counterclockwise corners e1, e2, e3 seen from +z. Q is the lattice form of (1 / 4 pi) int e.(d_x
// e x d_y e). If the core points down and the background up, a skyrmion has Q = -1 and an
// antiskyrmion Q = +1. A reversal of all spins changes the sign of Q, and so does a reflection of
// the plane. On a layer that is periodic in both directions Q is an integer. The only exceptions
// have measure zero: if the spins of a triangle lie around a great circle, the sign of its area is
// undefined, and the area counts as 0.

#include <memory>
#include <span>
#include <vector>

#include "larmor/core/device/pending.hpp"
#include "larmor/lattice/triangulation.hpp"
#include "larmor/spins/observables/triangles.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

class TriangleSums;

/// Q of each replica, summed over all triangles on the device of the spins.
class LayerCharge {
 public:
  /// @param triangles from `lattice::triangulate_layers`
  /// @param state a state that has the sites of the corners
  LayerCharge(std::vector<lattice::Triangle> triangles, const SpinState& state);

  /// Starts a measurement without waiting for a GPU. [replicas]
  Pending measure(const SpinState& state) const;

 private:
  std::vector<lattice::Triangle> triangles_;
  std::shared_ptr<const TriangleSums> on_gpu_;  ///< null on a CPU
};

/// Q of each replica, summed over all triangles. BITS: the order of the sum depends only on the
/// triangles, for any number of threads and any layout. [replicas]
/// @param triangles from `lattice::triangulate_layers`
std::vector<double> topological_charge(std::span<const lattice::Triangle> triangles,
                                       const SpinState& state);

/// Omega / (4 pi) of every triangle of one replica. The sum over triangles is Q. [triangles]
std::vector<double> topological_charge_density(std::span<const lattice::Triangle> triangles,
                                               const SpinState& state, Index replica);

}  // namespace larmor::spins
