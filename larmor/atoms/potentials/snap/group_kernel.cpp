#include "larmor/atoms/potentials/snap/group_kernel.hpp"

#include "larmor/core/device/device.hpp"
#include "larmor/core/simd/kernels_in_sets.hpp"

namespace larmor::atoms::snap {

LARMOR_KERNELS_IN_SETS(GroupKernels, group_kernels_of_set)

const GroupKernels& group_kernels() {
  static const GroupKernels& here = group_kernels_of_set_in(cpu_instruction_set());
  return here;
}

}  // namespace larmor::atoms::snap
