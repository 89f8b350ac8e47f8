#pragma once
// Updates of a colour by kernels made for the model at run time. Compiled only where CUDA is found.

#include <map>
#include <memory>
#include <string>

#include "larmor/core/array.hpp"
#include "larmor/core/runtime_module.hpp"
#include "larmor/spins/kernels.hpp"
#include "larmor/spins/stencil_source.hpp"

namespace larmor::spins {

class StencilUpdates {
 public:
  StencilUpdates(Stencil stencil, const SpinLayout& layout, const Device& device);

  /// Can this be done here? Otherwise tables are to be used.
  static bool knows(const SweepView& sweep);
  /// Updates all colours once, one after the other. @param accepted as for SpinKernels::update
  void run(Update update, const SweepView& sweep, std::uint64_t* accepted);

 private:
  struct Colour {
    cuda::RuntimeModule::Kernel kernel;
    Index blocks;
    int threads;
  };
  struct Made {
    std::unique_ptr<cuda::RuntimeModule> module;
    std::vector<Colour> colours;
  };
  Made make(Update update, const SweepView& sweep) const;

  Stencil stencil_;
  SpinLayout layout_;
  Device device_;
  Array<std::uint64_t> first_step_;  ///< zero: views know the step
  std::map<Update, Made> made_;
};

}  // namespace larmor::spins
