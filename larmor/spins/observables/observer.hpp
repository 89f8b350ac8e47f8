#pragma once
// Energy and magnetisation of all replicas, measured together.

#include <memory>
#include <vector>

#include "larmor/core/device/pending.hpp"
#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

class StencilObserver;

/// Per site, of one or more samples.
struct EnergyAndMagnetisation {
  std::vector<double> energy;         ///< [sample][replica]
  std::vector<double> magnetisation;  ///< [sample][replica][3]
};

class Observer {
 public:
  Observer() = default;
  /// Kernels are compiled for the model where that is worth while. The model must outlive it.
  Observer(const Model& model, const SpinLayout& layout, const Device& device);

  /// Begins to measure, without waiting for a GPU.
  std::vector<Pending> begin(const SpinState& state) const;
  /// Energy of each replica as a whole, left on the device behind what was launched before.
  /// @param energies on the device [padded replicas]
  void store_energies(const SpinState& state, double* energies) const;
  /// What the numbers mean that `begin`, or Integrator::run_observed, promised.
  static EnergyAndMagnetisation finish(const std::vector<std::vector<double>>& numbers);

 private:
  const Model* model_ = nullptr;
  std::shared_ptr<StencilObserver> made_;  ///< null: tables are used
};

}  // namespace larmor::spins
