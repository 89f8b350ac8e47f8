#include "larmor/ising/bits/kernels.hpp"

#include "larmor/core/lanes/kernels_in_sets.hpp"

namespace larmor::ising {

LARMOR_KERNELS_IN_SETS(CpuKernels, kernels)

const CpuKernels& cpu_kernels() { return kernels_in(cpu_instruction_set()); }

}  // namespace larmor::ising
