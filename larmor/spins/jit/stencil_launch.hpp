#pragma once
// How JIT kernels are launched, over all of the lattice or over this process's part of
// it. Compiled only where CUDA is found.

#include <array>
#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/jit_module.hpp"
#include "larmor/spins/jit/stencil_source.hpp"
#include "larmor/spins/jit/summed_slot.hpp"

namespace larmor::spins {

class Model;

/// For kernels over all sites.
inline StencilLaunch launch_on(const Device& device, const SpinLayout& layout) {
  StencilLaunch launch;
  launch.replicas = layout.study_replicas();
  launch.precision = device.precision;
  launch.multiprocessors = cuda::multiprocessors(device.ordinal);
  return launch;
}

/// One for each colour. @param launch but for the colour
std::vector<StencilShape> shapes_of_colours(const Stencil& stencil, StencilLaunch launch);

/// Crystal cells along the lattice vectors that a block of threads reaches over, for each kernel
/// that steps, updates and observers of this model would make; nothing where they use tables.
std::vector<std::array<Index, 3>> layers_of_jit_kernels(const Model& model,
                                                        const SpinLayout& layout,
                                                        const Device& device);

class JitKernel {
 public:
  /// What others read of what a kernel writes.
  struct Written {
    Reals field;
    SiteRanges sites;
  };

  JitKernel() = default;
  /// @param kernel in `module`, of the text of a StencilKernel with `cut_axis` as cut_axis_of says
  JitKernel(cuda::JitModule& module, const StencilKernel& kernel, const std::string& shown,
            const Stencil& stencil, const SpinLayout& layout);

  bool exists() const { return module_ != nullptr; }
  /// `arguments` but for the last, which is `output`. Where ranks share the lattice, what they read
  /// is on its way while the rest is updated. @param written null: nothing that others read
  /// @param follows as `early` of JitModule::launch
  void launch(void** arguments, StencilOutput output, bool follows, const Written* written) const;

 private:
  struct Layers {
    Index first, last;
    Index count() const { return last - first; }
  };
  void find_layers(const Stencil& stencil, const StencilShape& shape);
  void launch_layers(void** arguments, StencilOutput& output, const Layers& layers,
                     const Layers& behind, CUstream_st* on) const;

  const cuda::JitModule* module_ = nullptr;
  cuda::JitModule::Kernel kernel_;
  SpinLayout layout_;
  Index blocks_ = 0;  ///< of threads; of one layer where the lattice is shared
  int threads_ = 0;
  Layers low_{}, inner_{}, high_{};  ///< what others read is in the first and the last
  Layers counted_{};                 ///< those whose sums and counts are this process's
};

/// Along which lattice vector is the lattice cut? -1: along none.
int cut_axis_of(const SpinLayout& layout);

}  // namespace larmor::spins
