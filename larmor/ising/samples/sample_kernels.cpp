#include "larmor/ising/samples/sample_kernels.hpp"

#include <string>

namespace larmor::ising {

#if !defined(LARMOR_ONE_INSTRUCTION_SET)

namespace isa_v2 {
extern const SampleKernels kernels_of_samples;
}
namespace isa_v3 {
extern const SampleKernels kernels_of_samples;
}
namespace isa_v4 {
extern const SampleKernels kernels_of_samples;
}

const SampleKernels& sample_kernels() {
  const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::kernels_of_samples;
  return isa == "v3" ? isa_v3::kernels_of_samples : isa_v2::kernels_of_samples;
}

#else

namespace isa_generic {
extern const SampleKernels kernels_of_samples;
}
const SampleKernels& sample_kernels() { return isa_generic::kernels_of_samples; }

#endif

}  // namespace larmor::ising
