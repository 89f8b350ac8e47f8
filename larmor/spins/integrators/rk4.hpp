#pragma once
// Landau-Lifshitz dynamics, de/dt = -gamma e x B, by the classical Runge-Kutta method.

#include "larmor/spins/kernels.hpp"
#include "larmor/spins/model.hpp"
#include "larmor/spins/spin_state.hpp"

namespace larmor::spins {

class Rk4 {
 public:
  /// @param gyromagnetic_ratio gamma over the energy of a moment in a unit field: the spin
  /// precesses
  ///   at ratio / mu * |dH/de|; 1 in reduced units, g / hbar in material ones
  Rk4(const Model& model, const SpinLayout& layout, double timestep, double gyromagnetic_ratio,
      const Device& device);

  /// `steps` steps of every replica.
  void run(SpinState& state, Index steps);

 private:
  const Model* model_;
  SpinLayout layout_;
  double timestep_;
  RowStorage precession_;
  Array<double> sum_, stage_a_, stage_b_;
};

}  // namespace larmor::spins
