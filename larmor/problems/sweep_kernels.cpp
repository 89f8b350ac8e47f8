#include "larmor/core/lanes/kernels_in_sets.hpp"
#include "larmor/problems/sweep_view.hpp"

namespace larmor::problems {

LARMOR_KERNELS_IN_SETS(SweepKernelSet, sweep_kernels_of_set)

const SweepKernelSet& sweep_kernels() {
  static const SweepKernelSet& here = sweep_kernels_of_set_in(cpu_instruction_set());
  return here;
}

}  // namespace larmor::problems
