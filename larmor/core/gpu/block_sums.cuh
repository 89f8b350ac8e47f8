#pragma once
// Sums of doubles on a GPU in the order of ordered_sum.hpp.

#include <array>

#include "larmor/core/maths/ordered_sum.hpp"

namespace larmor {

/// Adds K partial sums of each thread of a block of `sum_width` threads, in the order of tree_sum.
/// All threads call it.
/// @param shared [K, sum_width] @return in thread 0 the sums; in other threads meaningless numbers
template <std::size_t K>
__device__ std::array<double, K> tree_sums_of_block(const std::array<double, K>& partial,
                                                    double* shared) {
  const unsigned t = threadIdx.x;
#pragma unroll
  for (std::size_t k = 0; k < K; ++k) shared[k * sum_width + t] = partial[k];
  __syncthreads();
  for (unsigned half = sum_width / 2; half > 0; half /= 2) {
    if (t < half) {
#pragma unroll
      for (std::size_t k = 0; k < K; ++k)
        shared[k * sum_width + t] += shared[k * sum_width + t + half];
    }
    __syncthreads();
  }
  std::array<double, K> sums;
#pragma unroll
  for (std::size_t k = 0; k < K; ++k) sums[k] = shared[k * sum_width];
  __syncthreads();
  return sums;
}

/// Adds one partial sum of each thread. @param shared [sum_width]
__device__ inline double tree_sum_of_block(double partial, double* shared) {
  return tree_sums_of_block<1>({partial}, shared)[0];
}

}  // namespace larmor
