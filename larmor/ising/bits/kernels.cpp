#include "larmor/ising/bits/kernels.hpp"

#include <string>

namespace larmor::ising {

#if !defined(LARMOR_ONE_INSTRUCTION_SET)

namespace isa_v2 {
extern const CpuKernels kernels;
}
namespace isa_v3 {
extern const CpuKernels kernels;
}
namespace isa_v4 {
extern const CpuKernels kernels;
}

const CpuKernels& cpu_kernels() {
  const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::kernels;
  return isa == "v3" ? isa_v3::kernels : isa_v2::kernels;
}

#else

namespace isa_generic {
extern const CpuKernels kernels;
}
const CpuKernels& cpu_kernels() { return isa_generic::kernels; }

#endif

}  // namespace larmor::ising
