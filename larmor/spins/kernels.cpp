#include "larmor/spins/kernels.hpp"

#include <string>

namespace larmor::spins {

#if !defined(LARMOR_ONE_INSTRUCTION_SET)

namespace isa_v2 {
extern const SpinKernels kernels;
}
namespace isa_v3 {
extern const SpinKernels kernels;
}
namespace isa_v4 {
extern const SpinKernels kernels;
}

const SpinKernels& spin_kernels() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::kernels;
  if (isa == "v3") return isa_v3::kernels;
  return isa_v2::kernels;
}

#else

namespace isa_generic {
extern const SpinKernels kernels;
}
const SpinKernels& spin_kernels() { return isa_generic::kernels; }

#endif

}  // namespace larmor::spins
