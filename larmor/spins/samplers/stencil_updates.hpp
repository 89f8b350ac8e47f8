#pragma once
// Updates of a colour by specialised kernels. Compiled only where CUDA is found.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "larmor/core/gpu/recordings.hpp"
#include "larmor/core/gpu/step_counter.hpp"
#include "larmor/spins/samplers/kernels.hpp"
#include "larmor/spins/specialised/stencil_launch.hpp"

namespace larmor::spins {

class StencilUpdates {
 public:
  StencilUpdates(Stencil stencil, const SpinLayout& layout, const Device& device);

  /// One pass over all colours.
  struct Pass {
    Update update;
    Stream stream;
    std::uint64_t* accepted;  ///< as for SpinKernels::update
  };
  /// `sweeps` times all passes, each a step of its own, from step sweep.key.step on. The passes are
  /// the same whenever this is called.
  void run(const std::vector<Pass>& passes, const SweepView& sweep, Index sweeps);

 private:
  struct Colour {
    SpecialisedKernel kernel;
    std::vector<SiteRange> sites;
  };
  struct ColourKernels {
    std::unique_ptr<cuda::RuntimeModule> module;
    std::vector<Colour> colours;
  };
  ColourKernels compile(Update update, const SweepView& sweep) const;
  const ColourKernels& compiled(Update update, const SweepView& sweep);
  void launch(const std::vector<Pass>& passes, const SweepView& sweep, Index sweeps);
  void launch_recorded(const std::vector<Pass>& passes, const SweepView& sweep, Index sweeps);

  Stencil stencil_;
  SpinLayout layout_;
  Device device_;
  cuda::StepCounter step_;
  std::map<Update, ColourKernels> compiled_;
  cuda::Recordings<Index, SweepView> recorded_;  ///< by sweeps
};

}  // namespace larmor::spins
