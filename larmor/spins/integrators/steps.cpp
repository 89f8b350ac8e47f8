#include "larmor/spins/integrators/steps.hpp"

#include "larmor/core/simd/kernels_in_sets.hpp"

namespace larmor::spins {

int work_fields(Scheme scheme, bool noisy) {
  if (scheme == Scheme::rk4) return 3;
  return scheme == Scheme::midpoint && noisy ? 3 : 2;
}

#if defined(LARMOR_HAS_CUDA)
namespace isa_cuda {
extern const StepKernels steps;
}
#endif

LARMOR_KERNELS_IN_SETS(StepKernels, steps)

namespace {

const StepKernels& cpu_steps() {
  static const StepKernels& here = steps_in(cpu_instruction_set());
  return here;
}

}  // namespace

const StepKernels& step_kernels([[maybe_unused]] const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return isa_cuda::steps;
#endif
  return cpu_steps();
}

}  // namespace larmor::spins
