#include "larmor/ising/multispin/samples/sample_kernels.hpp"

#include "larmor/core/simd/kernels_in_sets.hpp"

namespace larmor::ising {

LARMOR_KERNELS_IN_SETS(SampleKernels, kernels_of_samples)

const SampleKernels& sample_kernels() { return kernels_of_samples_in(cpu_instruction_set()); }

}  // namespace larmor::ising
