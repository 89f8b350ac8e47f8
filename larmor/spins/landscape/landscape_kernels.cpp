#include "larmor/spins/landscape/landscape_kernels.hpp"

#include "larmor/core/simd/kernels_in_sets.hpp"

namespace larmor::spins {

#if defined(LARMOR_HAS_CUDA)
namespace isa_cuda {
extern const LandscapeKernels landscape_kernels_of_set;
}
#endif

LARMOR_KERNELS_IN_SETS(LandscapeKernels, landscape_kernels_of_set)

namespace {

const LandscapeKernels& cpu_kernels() {
  static const LandscapeKernels& here = landscape_kernels_of_set_in(cpu_instruction_set());
  return here;
}

}  // namespace

const LandscapeKernels& landscape_kernels([[maybe_unused]] const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return isa_cuda::landscape_kernels_of_set;
#endif
  return cpu_kernels();
}

}  // namespace larmor::spins
