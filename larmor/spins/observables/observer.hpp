#pragma once
// Energy and magnetisation of all replicas, measured together.

#include <memory>
#include <vector>

#include "larmor/core/device/pending.hpp"
#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

class StencilObserver;

/// Values per site, for one or more samples.
struct EnergyAndMagnetisation {
  std::vector<double> energy;         ///< [sample][replica]
  std::vector<double> magnetisation;  ///< [sample][replica][3]
};

class Observer {
 public:
  Observer() = default;
  /// JIT kernels are used if they are worth their compilation.
  /// @param model must outlive this object
  Observer(const Model& model, const SpinLayout& layout, const Device& device);

  /// Starts a measurement without waiting for a GPU.
  std::vector<Pending> begin(const SpinState& state) const;
  /// Stores the total energy of each replica on the device, after all earlier launches.
  /// @param energies on the device [padded replicas]
  void store_energies(const SpinState& state, double* energies) const;
  /// Converts the numbers of `begin` or Integrator::run_observed.
  static EnergyAndMagnetisation finish(const std::vector<std::vector<double>>& numbers);

 private:
  const Model* model_ = nullptr;
  std::shared_ptr<StencilObserver> jit_;  ///< null if kernels read tables
};

}  // namespace larmor::spins
