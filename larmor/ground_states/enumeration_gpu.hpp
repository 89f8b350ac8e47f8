#pragma once
// Prefixes of an enumeration on a GPU, one per thread. Compiled only if CUDA is found.

#include "larmor/core/device/device.hpp"
#include "larmor/ground_states/enumeration_kernel.hpp"

namespace larmor::ground_states {

/// Least energy of the states with these prefixes. @param view with arrays on the GPU
template <class Number>
Number least_on_gpu(const Device& device, const EnumerationView<Number>& view, std::uint64_t first,
                    std::uint64_t prefixes);

/// Adds the states of these prefixes to `low`.
template <class Number>
void count_on_gpu(const Device& device, const EnumerationView<Number>& view, std::uint64_t first,
                  std::uint64_t prefixes, LowStates<Number>& low);

}  // namespace larmor::ground_states
