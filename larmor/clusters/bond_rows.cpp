#include "larmor/clusters/bond_rows.hpp"

#include "larmor/core/device/device.hpp"

namespace larmor::clusters {

#if !defined(LARMOR_ONE_INSTRUCTION_SET)
namespace isa_v2 {
extern const BondRowKernels bond_row_kernels_of_set;
}
namespace isa_v3 {
extern const BondRowKernels bond_row_kernels_of_set;
}
namespace isa_v4 {
extern const BondRowKernels bond_row_kernels_of_set;
}
const BondRowKernels& bond_row_kernels() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::bond_row_kernels_of_set;
  return isa == "v3" ? isa_v3::bond_row_kernels_of_set : isa_v2::bond_row_kernels_of_set;
}
#else
namespace isa_generic {
extern const BondRowKernels bond_row_kernels_of_set;
}
const BondRowKernels& bond_row_kernels() { return isa_generic::bond_row_kernels_of_set; }
#endif

}  // namespace larmor::clusters
