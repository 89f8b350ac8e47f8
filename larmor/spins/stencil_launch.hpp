#pragma once
// What the shape of a made kernel depends on, of a device. Compiled only where CUDA is found.

#include "larmor/core/device.hpp"
#include "larmor/core/runtime_module.hpp"
#include "larmor/spins/stencil_shape.hpp"

namespace larmor::spins {

/// For kernels over all sites.
inline StencilLaunch launch_on(const Device& device, const SpinLayout& layout) {
  StencilLaunch launch;
  launch.replicas = layout.study_replicas();
  launch.precision = device.precision;
  launch.multiprocessors = cuda::multiprocessors(device.ordinal);
  return launch;
}

}  // namespace larmor::spins
