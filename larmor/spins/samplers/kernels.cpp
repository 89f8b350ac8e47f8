#include "larmor/spins/samplers/kernels.hpp"

#include "larmor/core/simd/kernels_in_sets.hpp"

namespace larmor::spins {

#if defined(LARMOR_HAS_CUDA)
namespace isa_cuda {
extern const SpinKernels kernels;
}
#endif

LARMOR_KERNELS_IN_SETS(SpinKernels, kernels)

namespace {

const SpinKernels& cpu_kernels() {
  static const SpinKernels& here = kernels_in(cpu_instruction_set());
  return here;
}

}  // namespace

const SpinKernels& spin_kernels([[maybe_unused]] const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return isa_cuda::kernels;
#endif
  return cpu_kernels();
}

}  // namespace larmor::spins
