#pragma once
// Spin currents. In a unit of time, a bilinear bond transfers the amount e_i x A_ij e_j of the
// quantity mu e / gamma from site i to site j. With the vector r_ij from i to j this gives
//
//     j_a = (1 / N) sum_<ij> r_ij,a  e_i x A_ij e_j,       a = x, y, z,
//
// the flux of sum_i mu_i e_i / gamma along a, per spin. It is an energy times a length, and a
// vector in spin space. If A is not isotropic, spin is also lost to the lattice. In this case the
// flux is the mean of the loss at i and the gain at j.

#include <vector>

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/bond_sums.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

class SpinCurrent {
 public:
  /// @param axis direction of the flow: 0, 1, 2 for x, y, z
  SpinCurrent(const Device& device, const lattice::Geometry& geometry,
              const std::vector<LoweredTerm>& terms, const Model& model, int axis);
  /// Spin current of every replica, per spin.
  std::vector<Vec3<double>> measure(const SpinState& state) const;

 private:
  BondSums bonds_;
};

}  // namespace larmor::spins
