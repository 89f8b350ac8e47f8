#include <algorithm>
#include <cmath>

#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/early_launch.cuh"
#include "larmor/correlations/fourier/integer_totals.cuh"

namespace larmor::correlations {
namespace {

/// BITS: with this scale, a sum over `sites` unit vectors fits in a 64-bit integer, for up to 2^60
/// sites.
double scale_of(Index sites) {
  constexpr int bits = 61;
  return std::ldexp(1.0, bits - std::ilogb(static_cast<double>(std::max<Index>(sites, 1))) - 1);
}

__device__ Index number_of_thread() { return Index(blockIdx.x) * blockDim.x + threadIdx.x; }

/// Writes amplitudes and resets the totals to zero. out: (q, replica, 3, re im)
__global__ void store_kernel(Totals totals, Index numbers, double* out) {
  cuda::wait_for_predecessor();
  const Index n = number_of_thread();
  if (n >= numbers) return;
  const Index amplitude = n / parts_of_amplitude, replicas = totals.layout.replicas;
  const Index place = totals.place(amplitude / replicas, amplitude % replicas,
                                   static_cast<int>(n % parts_of_amplitude));
  out[n] = totals.unscaled(totals.values[place]);
  totals.values[place] = 0;
}

// BITS: ranks add doubles. Each double holds half of an integer's digits, so sums are not rounded.

__global__ void split_kernel(Totals totals, double* halves) {
  const Index n = number_of_thread(), count = totals.count();
  if (n >= count) return;
  const auto total = static_cast<long long>(totals.values[n]);
  halves[n] = static_cast<double>(total >> 32);
  halves[count + n] = static_cast<double>(total & 0xffffffffll);
}

__global__ void join_kernel(Totals totals, const double* halves) {
  const Index n = number_of_thread(), count = totals.count();
  if (n >= count) return;
  const long long total =
      static_cast<long long>(halves[n]) * (1ll << 32) + static_cast<long long>(halves[count + n]);
  totals.values[n] = static_cast<Integer>(total);
}

}  // namespace

IntegerTotals::IntegerTotals(const spins::SpinState& state, Index wave_vectors)
    : device_(state.device()),
      view_{state.layout(), wave_vectors, scale_of(state.layout().spins()), nullptr} {
  totals_ = Array<Integer>(device_, view_.count());  // initially zero
  view_.values = totals_.data();
  if (view_.layout.domain != nullptr) halves_ = Array<double>(device_, 2 * view_.count());
}

Pending IntegerTotals::read_and_reset() {
  constexpr int threads = larmor::detail::block_threads;
  if (const Domain* domain = view_.layout.domain) {
    const cuda::LaunchShape shape = cuda::shape_of(view_.count(), 1, threads);
    cuda::launch(device_.ordinal, shape, split_kernel, view_, halves_.data());
    domain->add_up_on_device(domain->context, halves_.data(), halves_.size());
    cuda::launch(device_.ordinal, shape, join_kernel, view_, halves_.data());
  }
  const auto store = [&](double* out) {
    cuda::launch_early(device_.ordinal, store_kernel, larmor::detail::blocks_for(numbers()),
                       threads, 0, view_, numbers(), out);
  };
  if (numbers() <= Pending::few) return {device_, numbers(), store};
  if (amplitudes_.size() == 0) amplitudes_ = Array<double>(device_, numbers());
  store(amplitudes_.data());
  return {device_, amplitudes_.data(), amplitudes_.size()};
}

double IntegerTotals::bytes(const SpinLayout& layout, Index wave_vectors) {
  const Totals totals{layout, wave_vectors, 1, nullptr};
  return 8 * static_cast<double>(3 * totals.count() +
                                 wave_vectors * layout.replicas * parts_of_amplitude);
}

}  // namespace larmor::correlations
