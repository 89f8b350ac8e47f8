#include "larmor/correlations/pairs/cpu/panel_kernels.hpp"

#include "larmor/core/device/device.hpp"

namespace larmor::correlations::real_space {

#if !defined(LARMOR_ONE_INSTRUCTION_SET)
namespace isa_v2 {
extern const PanelKernels panel_kernels_of_set;
}
namespace isa_v3 {
extern const PanelKernels panel_kernels_of_set;
}
namespace isa_v4 {
extern const PanelKernels panel_kernels_of_set;
}
const PanelKernels& panel_kernels() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::panel_kernels_of_set;
  return isa == "v3" ? isa_v3::panel_kernels_of_set : isa_v2::panel_kernels_of_set;
}
#else
namespace isa_generic {
extern const PanelKernels panel_kernels_of_set;
}
const PanelKernels& panel_kernels() { return isa_generic::panel_kernels_of_set; }
#endif

}  // namespace larmor::correlations::real_space
