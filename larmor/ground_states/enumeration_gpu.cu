// Each thread keeps an energy and the fields of the low spins in registers. All threads read equal
// couplings between low spins, so these couplings are arguments of the kernel.

#include <cuda_runtime.h>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/ground_states/enumeration_kernels.hpp"

namespace larmor::ground_states {
namespace {

constexpr int block_threads = 128;

template <class Number>
struct PrefixSpin {
  std::uint64_t prefix;

  __device__ Number operator()(int k) const {
    return ((prefix >> k) & 1u) != 0 ? Number(1) : Number(-1);
  }
};

/// Thread i < prefixes finds the least energy of the states with prefix first + i.
template <class Number>
__global__ void __launch_bounds__(block_threads)
    least_kernel(const __grid_constant__ EnumerationView<Number> view, std::uint64_t first,
                 std::uint64_t prefixes, Number* least) {
  const std::uint64_t i = std::uint64_t(blockIdx.x) * block_threads + threadIdx.x;
  if (i >= prefixes) return;
  EnumerationWalk<Number> walk(view, PrefixSpin<Number>{first + i});
  Number found = walk.least();
  walk.run([&](const EnumerationWalk<Number>& visited) { found = lesser(found, visited.least()); });
  least[i] = found;
}

template <class Number>
__global__ void __launch_bounds__(block_threads)
    count_kernel(const __grid_constant__ EnumerationView<Number> view, std::uint64_t first,
                 std::uint64_t prefixes, LowStates<Number> none, LowStates<Number>* found) {
  const std::uint64_t i = std::uint64_t(blockIdx.x) * block_threads + threadIdx.x;
  if (i >= prefixes) return;
  LowStates<Number> low = none;
  EnumerationWalk<Number> walk(view, PrefixSpin<Number>{first + i});
  walk.run([&](const EnumerationWalk<Number>& visited) {
    if (!low.is_worth(visited.least())) return;
    Number field[low_spins];
    for (int n = 0; n < low_spins; ++n) field[n] = visited.low(n);
    add_all(view.among_low, visited.energy(), field,
            visited.bits() | (first + i) << (low_spins + view.middle), low);
  });
  found[i] = low;
}

/// One thread for each prefix.
cuda::LaunchShape shape_for(std::uint64_t prefixes) {
  return cuda::shape_of(static_cast<Index>(prefixes), 1, block_threads);
}

}  // namespace

template <class Number>
Number least_on_gpu(const Device& device, const EnumerationView<Number>& view, std::uint64_t first,
                    std::uint64_t prefixes) {
  const cuda::LaunchRegion region(device.ordinal, "least energies");
  Array<Number> found(device, static_cast<Index>(prefixes));
  cuda::launch(device.ordinal, shape_for(prefixes), least_kernel<Number>, view, first, prefixes,
               found.data());
  const std::vector<Number> numbers = found.to_host();
  Number least = numbers.front();
  for (const Number number : numbers) least = number < least ? number : least;
  return least;
}

template <class Number>
void count_on_gpu(const Device& device, const EnumerationView<Number>& view, std::uint64_t first,
                  std::uint64_t prefixes, LowStates<Number>& low) {
  const cuda::LaunchRegion region(device.ordinal, "ground states");
  LowStates<Number> none = low;
  none.count = 0;
  Array<LowStates<Number>> found(device, static_cast<Index>(prefixes));
  cuda::launch(device.ordinal, shape_for(prefixes), count_kernel<Number>, view, first, prefixes,
               none, found.data());
  for (const LowStates<Number>& of_prefix : found.to_host()) low.add(of_prefix);
}

template float least_on_gpu(const Device&, const EnumerationView<float>&, std::uint64_t,
                            std::uint64_t);
template double least_on_gpu(const Device&, const EnumerationView<double>&, std::uint64_t,
                             std::uint64_t);
template void count_on_gpu(const Device&, const EnumerationView<float>&, std::uint64_t,
                           std::uint64_t, LowStates<float>&);
template void count_on_gpu(const Device&, const EnumerationView<double>&, std::uint64_t,
                           std::uint64_t, LowStates<double>&);

}  // namespace larmor::ground_states
