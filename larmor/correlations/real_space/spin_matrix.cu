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
__global__ void matrix_kernel(SpinLayout layout, VectorView spins, MatrixOf kind, LeftOut left_out,
                              double* matrix) {
  const Index thread = static_cast<Index>(blockIdx.x) * matrix_threads + threadIdx.x;
  const Index site = thread / lane_count, lane = thread % lane_count;
  const bool there = site < layout.spins();
  const auto load = [&](Index replica) {
    return converted<double>(spins.load(SingleIn<Numbers>{site, replica}));
  };
  Vec3<double> mean{0, 0, 0};
  if (kind == MatrixOf::centred) {
    for (Index replica = lane; there && replica < layout.replicas; replica += lane_count)
      if (!left_out.holds(replica)) mean = mean + load(replica);
    for (int bit = 1; bit < lane_count; bit *= 2)
      mean = mean + Vec3<double>{__shfl_xor_sync(whole_warp, mean.x, bit),
                                 __shfl_xor_sync(whole_warp, mean.y, bit),
                                 __shfl_xor_sync(whole_warp, mean.z, bit)};
    mean = (1.0 / static_cast<double>(layout.replicas - left_out.count)) * mean;
  }
  const int numbers = detail::numbers_of_spin(kind);
  double* row = matrix + site * numbers * layout.replicas;
  for (Index replica = lane; there && replica < layout.replicas; replica += lane_count)
    detail::store_spin(kind, left_out.holds(replica) ? Vec3<double>{0, 0, 0} : load(replica) - mean,
                       row + numbers * replica);
}

}  // namespace

void detail::take_on_gpu(const spins::SpinState& state, MatrixOf kind, const LeftOut& left_out,
                         double* matrix) {
  const Device& device = state.device();
  const SpinLayout& layout = state.layout();
  const Index threads = layout.spins() * lane_count;
  const auto blocks = static_cast<unsigned>((threads + matrix_threads - 1) / matrix_threads);
  const cuda::LaunchRegion region(device.ordinal, "spins as a matrix");
  larmor::detail::with_cuda_numbers(device, [&](auto numbers) {
    matrix_kernel<decltype(numbers)><<<blocks, matrix_threads, 0, cuda::stream(device.ordinal)>>>(
        layout, VectorView(state.reals(), layout), kind, left_out, matrix);
  });
  larmor::detail::check_cuda(cudaGetLastError());
}

}  // namespace larmor::correlations::real_space
