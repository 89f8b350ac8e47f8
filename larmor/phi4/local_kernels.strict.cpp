#include "larmor/phi4/local_kernels.hpp"

#include "larmor/core/simd/kernels_in_sets.hpp"

namespace larmor::phi4 {

LARMOR_KERNELS_IN_SETS(LocalKernels, local_kernels_of_set)

const LocalKernels& local_kernels() {
  static const LocalKernels& here = local_kernels_of_set_in(cpu_instruction_set());
  return here;
}

}  // namespace larmor::phi4
