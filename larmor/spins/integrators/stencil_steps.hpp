#pragma once
// Steps of the explicit schemes by JIT kernels. Compiled only where CUDA
// is found.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "larmor/core/gpu/launch_graphs.hpp"
#include "larmor/core/gpu/step_counter.hpp"
#include "larmor/spins/integrators/steps.hpp"
#include "larmor/spins/jit/stencil_launch.hpp"
#include "larmor/spins/jit/stencil_sums.hpp"

namespace larmor::spins {

class StencilSteps {
 public:
  StencilSteps(Stencil stencil, const SpinLayout& layout, const Device& device);

  /// Can this be done here? Otherwise tables are to be used.
  static bool knows(Scheme scheme, const LlgView& view);
  /// Samples that run_observed may take at most: their sums must not outgrow the spins.
  Index samples_at_once() const;
  /// `steps` steps of every replica from view.key.step. @param drive one entry a step, or empty
  void run(Scheme scheme, LlgView view, Index steps, std::span<const StepDrive> drive);
  /// The same, measuring before steps 0, every, 2 every, ...; the sums over neighbours are those of
  /// the step. @param moment of the model; @return as StencilSums::numbers
  Pending run_observed(Scheme scheme, LlgView view, const RowTable& moment, Index steps,
                       Index every, std::span<const StepDrive> drive);

 private:
  /// How a run goes: its steps, and how often it measures (0: never).
  using LaunchKey = std::pair<Index, Index>;
  StencilShape shape() const;
  void prepare(Scheme scheme, const LlgView& view);
  void launch_step(const LlgView& view, std::uint64_t step, bool follows, double* sums);
  void launch_steps(LlgView view, const LaunchKey& rhythm, std::span<const StepDrive> drive);
  void launch_recorded(const LlgView& view, const LaunchKey& rhythm);

  Stencil stencil_;
  SpinLayout layout_;
  Device device_;
  cuda::StepCounter step_;
  std::string text_;  ///< of the module
  Scheme compiled_scheme_ = Scheme::depondt;
  LlgView compiled_view_;  ///< what the module was made for, but for what changes from run to run
  std::unique_ptr<cuda::JitModule> module_;
  std::vector<JitKernel> stages_;
  JitKernel observing_;             ///< the first stage, which measures too
  std::optional<RowTable> moment_;  ///< what is measured; nothing until that is asked for
  std::unique_ptr<StencilSums> sums_;
  cuda::LaunchGraphs<LaunchKey, LlgView> recorded_;
};

}  // namespace larmor::spins
