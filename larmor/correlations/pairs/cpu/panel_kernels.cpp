#include "larmor/correlations/pairs/cpu/panel_kernels.hpp"

#include "larmor/core/lanes/kernels_in_sets.hpp"

namespace larmor::correlations::real_space {

LARMOR_KERNELS_IN_SETS(PanelKernels, panel_kernels_of_set)

const PanelKernels& panel_kernels() {
  static const PanelKernels& here = panel_kernels_of_set_in(cpu_instruction_set());
  return here;
}

}  // namespace larmor::correlations::real_space
