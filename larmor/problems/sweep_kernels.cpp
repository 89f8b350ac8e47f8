#include "larmor/core/device/device.hpp"
#include "larmor/problems/sweep_view.hpp"

namespace larmor::problems {

#if !defined(LARMOR_ONE_INSTRUCTION_SET)
namespace isa_v2 {
extern const SweepKernelSet sweep_kernels_of_set;
}
namespace isa_v3 {
extern const SweepKernelSet sweep_kernels_of_set;
}
namespace isa_v4 {
extern const SweepKernelSet sweep_kernels_of_set;
}
const SweepKernelSet& sweep_kernels() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::sweep_kernels_of_set;
  return isa == "v3" ? isa_v3::sweep_kernels_of_set : isa_v2::sweep_kernels_of_set;
}
#else
namespace isa_generic {
extern const SweepKernelSet sweep_kernels_of_set;
}
const SweepKernelSet& sweep_kernels() { return isa_generic::sweep_kernels_of_set; }
#endif

}  // namespace larmor::problems
