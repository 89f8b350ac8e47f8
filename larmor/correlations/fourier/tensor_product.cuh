#pragma once
// A warp's step of a matrix product in double precision. Tensor cores need one instruction (compute
// capability 9.0) or four (8.0). Older GPUs use shuffles.

#include "larmor/core/gpu/warp.hpp"

namespace larmor::correlations {

/// c, (rows, columns), += a, (rows, depth), times b, (depth, columns).
inline constexpr int product_rows = 16, product_columns = 8, product_depth = 8;
/// Numbers of c that a thread has.
inline constexpr int numbers_of_thread = product_rows * product_columns / warp_size;

/// Does the step. All threads of a warp must call it. With row = lane / 4 and depth = lane % 4, a
/// thread has
/// @param c (row, 2 depth), (row, 2 depth + 1), and both of row + 8
/// @param a (row, depth), (row + 8, depth), and both at depth + 4
/// @param b (depth, row), (depth + 4, row)
__device__ inline void multiply_add(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif __CUDA_ARCH__ >= 800
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const int half = n % 2, k = n / 2;
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
        : "d"(a[half + 2 * k]), "d"(b[k]));
  }
#else
  const int row = static_cast<int>(threadIdx.x) % warp_size / 4;
  const int column = 2 * (static_cast<int>(threadIdx.x) % 4);
#pragma unroll
  for (int k = 0; k < product_depth; ++k) {
    const int depth = k % 4, later = k / 4;
    const double upper = __shfl_sync(0xffffffffu, a[2 * later], 4 * row + depth);
    const double lower = __shfl_sync(0xffffffffu, a[2 * later + 1], 4 * row + depth);
    const double first = __shfl_sync(0xffffffffu, b[later], 4 * column + depth);
    const double second = __shfl_sync(0xffffffffu, b[later], 4 * (column + 1) + depth);
    c[0] += upper * first;
    c[1] += upper * second;
    c[2] += lower * first;
    c[3] += lower * second;
  }
#endif
}

}  // namespace larmor::correlations
