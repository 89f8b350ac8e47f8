#include "larmor/spins/integrators/steps.hpp"

#include <string>

namespace larmor::spins {

int work_fields(Scheme scheme, bool noisy) {
  if (scheme == Scheme::rk4) return 3;
  return scheme == Scheme::midpoint && noisy ? 3 : 2;
}

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

const StepKernels& step_kernels() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::steps;
  if (isa == "v3") return isa_v3::steps;
  return isa_v2::steps;
}

#else

namespace isa_generic {
extern const StepKernels steps;
}
const StepKernels& step_kernels() { return isa_generic::steps; }

#endif

}  // namespace larmor::spins
