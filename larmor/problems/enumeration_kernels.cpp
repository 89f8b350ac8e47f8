#include "larmor/problems/enumeration_kernels.hpp"

#include "larmor/core/device/device.hpp"

namespace larmor::problems {

#if !defined(LARMOR_ONE_INSTRUCTION_SET)
namespace isa_v2 {
extern const EnumerationKernelSet enumeration_kernels_of_set;
}
namespace isa_v3 {
extern const EnumerationKernelSet enumeration_kernels_of_set;
}
namespace isa_v4 {
extern const EnumerationKernelSet enumeration_kernels_of_set;
}
const EnumerationKernelSet& enumeration_kernels() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::enumeration_kernels_of_set;
  return isa == "v3" ? isa_v3::enumeration_kernels_of_set : isa_v2::enumeration_kernels_of_set;
}
#else
namespace isa_generic {
extern const EnumerationKernelSet enumeration_kernels_of_set;
}
const EnumerationKernelSet& enumeration_kernels() {
  return isa_generic::enumeration_kernels_of_set;
}
#endif

}  // namespace larmor::problems
