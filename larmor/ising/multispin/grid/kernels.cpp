#include "larmor/ising/multispin/grid/kernels.hpp"

#include "larmor/core/simd/kernels_in_sets.hpp"

namespace larmor::ising {

LARMOR_KERNELS_IN_SETS(CpuKernels, kernels)

const CpuKernels& cpu_kernels() { return kernels_in(cpu_instruction_set()); }

}  // namespace larmor::ising
