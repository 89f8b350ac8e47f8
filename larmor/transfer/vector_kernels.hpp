#pragma once
// Loops of a CPU over blocks of long vectors.

#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/core/types.hpp"

namespace larmor::transfer {

struct VectorKernels {
  /// The sum of a[i] b[i] in the order of tree_sum. @param count at most sites_of_sum_block
  double (*product)(const double* a, const double* b, Index count);
  /// w[i] -= c v[i].
  void (*subtract)(double* w, double c, const double* v, Index count);
  void (*scale)(double* w, double factor, Index count);
};

LARMOR_CPU_KERNELS(VectorKernels, vector_kernels)

}  // namespace larmor::transfer
