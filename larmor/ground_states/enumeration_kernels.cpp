#include "larmor/ground_states/enumeration_kernels.hpp"

#include "larmor/core/simd/kernels_in_sets.hpp"

namespace larmor::ground_states {

LARMOR_KERNELS_IN_SETS(EnumerationKernelSet, enumeration_kernels_of_set)

const EnumerationKernelSet& enumeration_kernels() {
  static const EnumerationKernelSet& here = enumeration_kernels_of_set_in(cpu_instruction_set());
  return here;
}

}  // namespace larmor::ground_states
