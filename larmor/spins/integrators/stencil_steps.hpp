#pragma once
// Steps of the explicit schemes by kernels made for the model at run time. Compiled only where CUDA
// is found.

#include <memory>
#include <span>
#include <string>

#include "larmor/core/array.hpp"
#include "larmor/core/runtime_module.hpp"
#include "larmor/spins/integrators/steps.hpp"
#include "larmor/spins/stencil_source.hpp"

namespace larmor::spins {

class StencilSteps {
 public:
  StencilSteps(Stencil stencil, const SpinLayout& layout, const Device& device);

  /// Can this be done here? Otherwise tables are to be used.
  static bool knows(Scheme scheme, const LlgView& view);
  /// `steps` steps of every replica from view.key.step. @param drive one entry a step, or empty
  void run(Scheme scheme, LlgView view, Index steps, std::span<const StepDrive> drive);

 private:
  struct Stage {
    cuda::RuntimeModule::Kernel kernel;
    Index blocks;
    int threads;
  };
  void prepare(Scheme scheme, const LlgView& view);
  void set_first_step(std::uint64_t step);
  void launch_step(const LlgView& view, std::uint64_t step, bool follows);
  void launch_recorded(const LlgView& view);

  Stencil stencil_;
  SpinLayout layout_;
  Device device_;
  Array<std::uint64_t> first_step_;  ///< what kernels add their step to
  std::string text_;                 ///< of the module
  Scheme made_for_ = Scheme::depondt;
  LlgView made_view_;  ///< what the module was made for, but for what changes from run to run
  std::unique_ptr<cuda::RuntimeModule> module_;
  std::vector<Stage> stages_;
  std::unique_ptr<cuda::LaunchGraph> recorded_;
  LlgView recorded_view_;
};

}  // namespace larmor::spins
