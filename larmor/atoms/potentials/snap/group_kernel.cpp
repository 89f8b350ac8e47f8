#include "larmor/atoms/potentials/snap/group_kernel.hpp"

#include "larmor/core/device/device.hpp"

namespace larmor::atoms::snap {

#if !defined(LARMOR_ONE_INSTRUCTION_SET)
namespace isa_v2 {
extern const GroupKernels group_kernels_of_set;
}
namespace isa_v3 {
extern const GroupKernels group_kernels_of_set;
}
namespace isa_v4 {
extern const GroupKernels group_kernels_of_set;
}
const GroupKernels& group_kernels() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::group_kernels_of_set;
  return isa == "v3" ? isa_v3::group_kernels_of_set : isa_v2::group_kernels_of_set;
}
#else
namespace isa_generic {
extern const GroupKernels group_kernels_of_set;
}
const GroupKernels& group_kernels() { return isa_generic::group_kernels_of_set; }
#endif

}  // namespace larmor::atoms::snap
