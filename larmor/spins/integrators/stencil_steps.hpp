#pragma once
// Steps of the explicit schemes by JIT kernels. Compiled only if CUDA is found.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "larmor/core/gpu/launch_graphs.hpp"
#include "larmor/spins/integrators/steps.hpp"
#include "larmor/spins/jit/stencil_launch.hpp"
#include "larmor/spins/jit/stencil_sums.hpp"

namespace larmor::spins {

class StencilSteps {
 public:
  StencilSteps(Stencil stencil, const SpinLayout& layout, const Device& device);

  /// Are JIT kernels possible for this scheme and model? If not, kernels must read tables.
  static bool supports(Scheme scheme, const LlgView& view);
  /// Largest number of samples of run_observed. It limits the memory of the sums to
  /// StencilSums::most_bytes.
  Index samples_at_once() const;
  /// Integrates `steps` steps of every replica from view.key.step.
  /// @param drive one entry for each step, or empty
  void run(Scheme scheme, LlgView view, Index steps, std::span<const StepDrive> drive);
  /// Like run(), but also measures before steps 0, every, 2 every, ... A measurement uses the sums
  /// over neighbours that the step computes.
  /// @param moment moments of the model
  /// @return the return value of StencilSums::numbers
  Pending run_observed(Scheme scheme, LlgView view, const RowTable& moment, Index steps,
                       Index every, std::span<const StepDrive> drive);

 private:
  /// Number of steps of a run, and number of steps between measurements (0 if nothing is measured).
  using LaunchKey = std::pair<Index, Index>;
  StencilShape shape() const;
  void prepare(Scheme scheme, const LlgView& view);
  void launch_step(const LlgView& view, std::uint64_t step, bool follows, double* sums);
  void launch_steps(LlgView view, const LaunchKey& key, std::span<const StepDrive> drive);
  void launch_recorded(const LlgView& view, const LaunchKey& key);

  Stencil stencil_;
  SpinLayout layout_;
  Device device_;
  cuda::StepCounter step_;
  std::string text_;  ///< text of the module
  Scheme compiled_scheme_ = Scheme::depondt;
  LlgView compiled_view_;  ///< view of the module, without data that change from run to run
  std::unique_ptr<cuda::JitModule> module_;
  std::vector<JitKernel> stages_;
  JitKernel observing_;             ///< the first stage with a measurement
  std::optional<RowTable> moment_;  ///< moments of a measurement; absent until requested
  std::unique_ptr<StencilSums> sums_;
  cuda::LaunchGraphs<LaunchKey, LlgView> recorded_;
};

}  // namespace larmor::spins
