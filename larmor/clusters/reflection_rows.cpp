#include "larmor/clusters/reflection_rows.hpp"

#include "larmor/core/device/device.hpp"
#include "larmor/core/simd/kernels_in_sets.hpp"

namespace larmor::clusters {

LARMOR_KERNELS_IN_SETS(ReflectionRowKernels, reflection_row_kernels_of_set)

const ReflectionRowKernels& reflection_row_kernels() {
  static const ReflectionRowKernels& here = reflection_row_kernels_of_set_in(cpu_instruction_set());
  return here;
}

}  // namespace larmor::clusters
