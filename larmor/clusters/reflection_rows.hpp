#pragma once
// Hot loops of clusters of reflections on a CPU, compiled once per instruction set.

#include <cstdint>

#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/core/types.hpp"

namespace larmor::clusters {

struct ReflectionRowKernels {
  /// Sets a bit in `bonds` for active bonds, as is_active of reflection_cluster_view.hpp does.
  /// @param a, b projections of the ends of each bond @param words random word of each bond @param
  /// K of all bonds
  void (*activate)(const float* a, const float* b, const std::uint32_t* words, Index count, float K,
                   std::uint8_t bit, std::uint8_t* bonds);
};

LARMOR_CPU_KERNELS(ReflectionRowKernels, reflection_row_kernels)

}  // namespace larmor::clusters
