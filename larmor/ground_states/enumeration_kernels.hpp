#pragma once
// Kernels that enumerate the states of some prefixes. The kernels for a CPU are compiled once per
// instruction set. On a GPU, each thread has one prefix.

#include "larmor/core/device/device.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/ground_states/enumeration_kernel.hpp"

namespace larmor::ground_states {

/// Number of prefixes of one call. Each is a lane of packs.
inline constexpr int prefixes_at_once = 8;

template <class Number>
struct EnumerationKernels {
  /// @param first the first prefix, as the bits of its spins; a multiple of 8
  Number (*least)(const EnumerationView<Number>& view, std::uint64_t first);
  void (*count)(const EnumerationView<Number>& view, std::uint64_t first, LowStates<Number>& low);
};

struct EnumerationKernelSet {
  EnumerationKernels<float> of_floats;
  EnumerationKernels<double> of_doubles;
};

LARMOR_CPU_KERNELS(EnumerationKernelSet, enumeration_kernels)

/// Least energy of the states with prefixes [first, first + prefixes). Compiled only if CUDA is
/// found. @param view with arrays on the GPU
template <class Number>
Number least_on_gpu(const Device& device, const EnumerationView<Number>& view, std::uint64_t first,
                    std::uint64_t prefixes);

/// Adds the states with prefixes [first, first + prefixes) to `low`.
template <class Number>
void count_on_gpu(const Device& device, const EnumerationView<Number>& view, std::uint64_t first,
                  std::uint64_t prefixes, LowStates<Number>& low);

}  // namespace larmor::ground_states
