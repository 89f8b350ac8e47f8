#include "larmor/phi4/local_kernels.hpp"

#include "larmor/core/device/device.hpp"

namespace larmor::phi4 {

#if !defined(LARMOR_ONE_INSTRUCTION_SET)
namespace isa_v2 {
extern const LocalKernels local_kernels_of_set;
}
namespace isa_v3 {
extern const LocalKernels local_kernels_of_set;
}
namespace isa_v4 {
extern const LocalKernels local_kernels_of_set;
}
const LocalKernels& local_kernels() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::local_kernels_of_set;
  return isa == "v3" ? isa_v3::local_kernels_of_set : isa_v2::local_kernels_of_set;
}
#else
namespace isa_generic {
extern const LocalKernels local_kernels_of_set;
}
const LocalKernels& local_kernels() { return isa_generic::local_kernels_of_set; }
#endif

}  // namespace larmor::phi4
