#include "larmor/core/simd/kernels_in_sets.hpp"
#include "larmor/ground_states/sweep_view.hpp"

namespace larmor::ground_states {

LARMOR_KERNELS_IN_SETS(SweepKernelSet, sweep_kernels_of_set)

const SweepKernelSet& sweep_kernels() {
  static const SweepKernelSet& here = sweep_kernels_of_set_in(cpu_instruction_set());
  return here;
}

}  // namespace larmor::ground_states
