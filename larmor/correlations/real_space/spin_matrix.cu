#include "larmor/core/cuda_backend.hpp"
#include "larmor/core/for_each.hpp"
#include "larmor/core/gpu_profile.hpp"
#include "larmor/correlations/real_space/spin_matrix.hpp"

namespace larmor::correlations::real_space {
namespace {

constexpr int matrix_threads = 256;
constexpr unsigned whole_warp = 0xffffffffu;

/// Eight threads a site, one a lane; of a single replica one thread works.
template <class Numbers>
__global__ void matrix_kernel(SpinLayout layout, VectorView spins, bool centred, double* matrix) {
  const Index thread = static_cast<Index>(blockIdx.x) * matrix_threads + threadIdx.x;
  const Index site = thread / lane_count, lane = thread % lane_count;
  const bool there = site < layout.spins();
  const auto load = [&](Index replica) {
    return converted<double>(spins.load(SingleIn<Numbers>{site, replica}));
  };
  Vec3<double> mean{0, 0, 0};
  if (centred) {
    for (Index replica = lane; there && replica < layout.replicas; replica += lane_count)
      mean = mean + load(replica);
    for (int bit = 1; bit < lane_count; bit *= 2)
      mean = mean + Vec3<double>{__shfl_xor_sync(whole_warp, mean.x, bit),
                                 __shfl_xor_sync(whole_warp, mean.y, bit),
                                 __shfl_xor_sync(whole_warp, mean.z, bit)};
    mean = (1.0 / static_cast<double>(layout.replicas)) * mean;
  }
  double* row = matrix + site * 3 * layout.replicas;
  for (Index replica = lane; there && replica < layout.replicas; replica += lane_count) {
    const Vec3<double> e = load(replica) - mean;
    row[3 * replica] = e.x;
    row[3 * replica + 1] = e.y;
    row[3 * replica + 2] = e.z;
  }
}

}  // namespace

void detail::take_on_gpu(const spins::SpinState& state, bool centred, double* matrix) {
  const Device& device = state.device();
  const SpinLayout& layout = state.layout();
  const Index threads = layout.spins() * lane_count;
  const auto blocks = static_cast<unsigned>((threads + matrix_threads - 1) / matrix_threads);
  const cuda::LaunchRegion region(device.ordinal, "spins as a matrix");
  larmor::detail::with_cuda_numbers(device, [&](auto numbers) {
    matrix_kernel<decltype(numbers)><<<blocks, matrix_threads, 0, cuda::stream(device.ordinal)>>>(
        layout, VectorView(state.reals(), layout), centred, matrix);
  });
  larmor::detail::check_cuda(cudaGetLastError());
}

}  // namespace larmor::correlations::real_space
