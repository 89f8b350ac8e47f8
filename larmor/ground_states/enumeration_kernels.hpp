#pragma once
// Prefixes of an enumeration on a CPU, compiled once per instruction set.

#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/ground_states/enumeration_kernel.hpp"

namespace larmor::ground_states {

/// Prefixes of one call, in the lanes of packs.
inline constexpr int prefixes_at_once = 8;

template <class Number>
struct EnumerationKernels {
  /// @param first prefix, as the bits of its spins; a multiple of 8
  Number (*least)(const EnumerationView<Number>& view, std::uint64_t first);
  void (*count)(const EnumerationView<Number>& view, std::uint64_t first, LowStates<Number>& low);
};

struct EnumerationKernelSet {
  EnumerationKernels<float> of_floats;
  EnumerationKernels<double> of_doubles;
};

LARMOR_CPU_KERNELS(EnumerationKernelSet, enumeration_kernels)

}  // namespace larmor::ground_states
