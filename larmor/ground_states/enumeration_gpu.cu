// Threads keep energies and fields of low spins in registers. The couplings between low spins are
// the same for all threads, so they are arguments of the kernel.

#include <cuda_runtime.h>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
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

/// Least energy with prefix first + i, for thread i < prefixes.
template <class Number>
__global__ void __launch_bounds__(block_threads)
    least_kernel(const __grid_constant__ EnumerationView<Number> view, std::uint64_t first,
                 std::uint64_t prefixes, Number* least) {
  const std::uint64_t i = std::uint64_t(blockIdx.x) * block_threads + threadIdx.x;
  if (i >= prefixes) return;
  EnumerationWalk<Number> walk(view, PrefixSpin<Number>{first + i});
  Number found = walk.least();
  walk.run([&](const EnumerationWalk<Number>& at) { found = lesser(found, at.least()); });
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
  walk.run([&](const EnumerationWalk<Number>& at) {
    if (!low.is_worth(at.least())) return;
    Number field[low_spins];
    for (int n = 0; n < low_spins; ++n) field[n] = at.low(n);
    meet_all(view.among_low, at.energy(), field,
             at.bits() | (first + i) << (low_spins + view.middle), low);
  });
  found[i] = low;
}

unsigned blocks_for(std::uint64_t threads) {
  return static_cast<unsigned>((threads + block_threads - 1) / block_threads);
}

}  // namespace

template <class Number>
Number least_on_gpu(const Device& device, const EnumerationView<Number>& view, std::uint64_t first,
                    std::uint64_t prefixes) {
  const cuda::LaunchRegion region(device.ordinal, "least energies");
  Array<Number> found(device, static_cast<Index>(prefixes));
  least_kernel<<<blocks_for(prefixes), block_threads, 0, cuda::stream(device.ordinal)>>>(
      view, first, prefixes, found.data());
  cuda::check(cudaGetLastError(), "starting a kernel");
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
  count_kernel<<<blocks_for(prefixes), block_threads, 0, cuda::stream(device.ordinal)>>>(
      view, first, prefixes, none, found.data());
  cuda::check(cudaGetLastError(), "starting a kernel");
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
