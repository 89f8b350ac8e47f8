#pragma once
// Energy and magnetisation in one pass over the spins by a JIT kernel. Compiled only if CUDA is
// found.

#include <memory>

#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/jit/stencil_launch.hpp"
#include "larmor/spins/jit/stencil_sums.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

class StencilObserver {
 public:
  StencilObserver(const Model& model, const Stencil& stencil, const SpinLayout& layout,
                  const Device& device);

  /// Starts a measurement: one sample of StencilSums::numbers.
  Pending measure(const SpinState& state);
  /// Stores the total energy of each replica.
  /// @param energies on the device [padded replicas]
  void store_energies(const SpinState& state, double* energies);

 private:
  void sum(const SpinState& state);

  const Model* model_;
  Array<std::uint64_t> first_step_;
  std::unique_ptr<cuda::JitModule> module_;
  JitKernel kernel_;
  std::unique_ptr<StencilSums> sums_;
};

}  // namespace larmor::spins
