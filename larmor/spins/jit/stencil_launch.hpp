#pragma once
// Launches of JIT kernels over the whole lattice or the domain of this process. Compiled only if
// CUDA is found.

#include <array>
#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/jit_module.hpp"
#include "larmor/spins/jit/stencil_source.hpp"
#include "larmor/spins/jit/summed_slot.hpp"

namespace larmor::spins {

class Model;

/// Launch parameters of kernels over all sites.
inline StencilLaunch launch_on(const Device& device, const SpinLayout& layout) {
  StencilLaunch launch;
  launch.replicas = layout.study_replicas();
  launch.precision = device.precision;
  launch.multiprocessors = cuda::multiprocessors(device.ordinal);
  return launch;
}

/// One shape for each colour.
/// @param launch the colour is ignored
std::vector<StencilShape> shapes_of_colours(const Stencil& stencil, StencilLaunch launch);

/// Crystal cells along the lattice vectors in a thread block, for each JIT kernel of steps,
/// updates and observers of this model. Empty if all kernels read tables.
std::vector<std::array<Index, 3>> layers_of_jit_kernels(const Model& model,
                                                        const SpinLayout& layout,
                                                        const Device& device);

class JitKernel {
 public:
  /// Output of a kernel that other ranks read.
  struct Written {
    Reals field;
    SiteRanges sites;
  };

  JitKernel() = default;
  /// @param kernel kernel in the text of `module`; its `cut_axis` is cut_axis_of(layout)
  JitKernel(cuda::JitModule& module, const StencilKernel& kernel, const std::string& shown,
            const Stencil& stencil, const SpinLayout& layout);

  bool exists() const { return module_ != nullptr; }
  /// Launches the kernel with `arguments`, where `output` replaces the last one. If ranks share the
  /// lattice, data for other ranks are sent while the interior is updated.
  /// @param follows has the meaning of `early` in JitModule::launch
  /// @param written output that other ranks read, or null
  void launch(void** arguments, StencilOutput output, bool follows, const Written* written) const;

 private:
  struct Layers {
    Index first, last;
    Index count() const { return last - first; }
  };
  void find_layers(const Stencil& stencil, const StencilShape& shape);
  void launch_layers(void** arguments, StencilOutput& output, const Layers& layers,
                     const Layers& after_gap, CUstream_st* stream) const;

  const cuda::JitModule* module_ = nullptr;
  cuda::JitModule::Kernel kernel_;
  SpinLayout layout_;
  Index blocks_ = 0;  ///< thread blocks, in one layer if the lattice is shared
  int threads_ = 0;
  Layers low_{}, inner_{}, high_{};  ///< other ranks read sites of low_ and high_
  Layers counted_{};                 ///< layers whose sums and counts belong to this process
};

/// The lattice vector along which the lattice is cut; -1 if it is not cut.
int cut_axis_of(const SpinLayout& layout);

}  // namespace larmor::spins
