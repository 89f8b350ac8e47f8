#pragma once
// The hot loops of clusters of reflections on a CPU, compiled once per instruction set.

#include <cstdint>

#include "larmor/core/types.hpp"

namespace larmor::clusters {

struct ReflectionRowKernels {
  /// Sets a bit of those bonds that are active, as is_active of reflection_cluster_view.hpp has it.
  /// @param a, b projections of their ends @param words of each @param K of all of them
  void (*activate)(const float* a, const float* b, const std::uint32_t* words, Index count, float K,
                   std::uint8_t bit, std::uint8_t* bonds);
};

const ReflectionRowKernels& reflection_row_kernels();

}  // namespace larmor::clusters
