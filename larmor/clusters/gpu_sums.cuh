#pragma once
// Sums of doubles on a GPU in the order of ordered_sum.hpp.

#include "larmor/clusters/ordered_sum.hpp"

namespace larmor::clusters {

/// Adds the partial sums of a block of `sum_width` threads as tree_sum does. All threads call it.
/// @param shared [sum_width] @return the sum, in thread 0
__device__ inline double tree_sum_of_block(double partial, double* shared) {
  const unsigned t = threadIdx.x;
  shared[t] = partial;
  __syncthreads();
  for (unsigned half = sum_width / 2; half > 0; half /= 2) {
    if (t < half) shared[t] += shared[t + half];
    __syncthreads();
  }
  const double sum = shared[0];
  __syncthreads();
  return sum;
}

}  // namespace larmor::clusters
