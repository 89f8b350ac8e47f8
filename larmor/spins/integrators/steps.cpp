#include "larmor/spins/integrators/steps.hpp"

#include <string>

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

#if !defined(LARMOR_ONE_INSTRUCTION_SET)

namespace isa_v2 {
extern const StepKernels steps;
}
namespace isa_v3 {
extern const StepKernels steps;
}
namespace isa_v4 {
extern const StepKernels steps;
}

namespace {

const StepKernels& cpu_steps() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::steps;
  if (isa == "v3") return isa_v3::steps;
  return isa_v2::steps;
}

}  // namespace

#else

namespace isa_generic {
extern const StepKernels steps;
}
namespace {

const StepKernels& cpu_steps() { return isa_generic::steps; }

}  // namespace

#endif

const StepKernels& step_kernels([[maybe_unused]] const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return isa_cuda::steps;
#endif
  return cpu_steps();
}

}  // namespace larmor::spins
