#pragma once
// Loops of a CPU over tiles and blocks. `out` is another vector than `in`.

#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/quantum/product_views.hpp"

namespace larmor::quantum {

struct ProductKernels {
  void (*low)(const LowPass& pass, const double* in, double* out, Index first_tile,
              Index last_tile);
  void (*high)(const HighPass& pass, const double* in, double* out, Index first_tile,
               Index last_tile);
  void (*exchange)(const ExchangePass& pass, const double* in, double* out, Index first_high,
                   Index last_high);
};

LARMOR_CPU_KERNELS(ProductKernels, product_kernels)

}  // namespace larmor::quantum
