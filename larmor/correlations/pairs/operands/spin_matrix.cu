#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/correlations/pairs/operands/spin_matrix.hpp"

namespace larmor::correlations::real_space {
namespace {

constexpr int matrix_threads = 256;
constexpr unsigned whole_warp = 0xffffffffu;

template <class Numbers>
struct SpinsOfState {
  VectorView spins;
  Index replicas;
  __device__ Vec3<double> load(Index replica, Index site) const {
    return converted<double>(spins.load(ScalarSlot<Numbers>{site, replica}));
  }
};

/// Each site has eight threads, one for each lane. If there is a single replica, each site has one
/// thread.
/// @tparam Spins has replicas and load(replica, site)
template <class Spins>
__global__ void matrix_kernel(Spins spins, Index sites, MatrixOf kind, LeftOut left_out,
                              double* matrix) {
  const Index thread = static_cast<Index>(blockIdx.x) * matrix_threads + threadIdx.x;
  const Index site = thread / lane_count, lane = thread % lane_count;
  const bool is_there = site < sites;
  Vec3<double> mean{0, 0, 0};
  if (detail::is_centred(kind)) {
    for (Index replica = lane; is_there && replica < spins.replicas; replica += lane_count)
      if (!left_out.holds(replica)) mean = mean + spins.load(replica, site);
    for (int bit = 1; bit < lane_count; bit *= 2)
      mean = mean + Vec3<double>{__shfl_xor_sync(whole_warp, mean.x, bit),
                                 __shfl_xor_sync(whole_warp, mean.y, bit),
                                 __shfl_xor_sync(whole_warp, mean.z, bit)};
    mean = (1.0 / static_cast<double>(spins.replicas - left_out.count)) * mean;
  }
  const int numbers = detail::numbers_of_spin(kind);
  double* row = matrix + site * numbers * spins.replicas;
  for (Index replica = lane; is_there && replica < spins.replicas; replica += lane_count)
    detail::store_spin(
        kind, left_out.holds(replica) ? Vec3<double>{0, 0, 0} : spins.load(replica, site) - mean,
        row + numbers * replica);
}

template <class Spins>
void fill_matrix(const Device& device, const Spins& spins, Index sites, MatrixOf kind,
                 const LeftOut& left_out, double* matrix) {
  const Index threads = sites * lane_count;
  const cuda::LaunchRegion region(device.ordinal, "spins as a matrix");
  cuda::launch(device.ordinal, cuda::shape_of(threads, 1, matrix_threads), matrix_kernel<Spins>,
               spins, sites, kind, left_out, matrix);
}

}  // namespace

void detail::fill_on_gpu(const spins::SpinState& state, MatrixOf kind, double* matrix) {
  const SpinLayout& layout = state.layout();
  larmor::detail::with_cuda_numbers(state.device(), [&](auto numbers) {
    const SpinsOfState<decltype(numbers)> spins{VectorView(state.reals(), layout), layout.replicas};
    fill_matrix(state.device(), spins, layout.spins(), kind, {}, matrix);
  });
}

void detail::fill_on_gpu(const Device& device, const SpinsOfMatrix& spins, Index sites,
                         MatrixOf kind, const LeftOut& left_out, double* matrix) {
  fill_matrix(device, spins, sites, kind, left_out, matrix);
}

}  // namespace larmor::correlations::real_space
