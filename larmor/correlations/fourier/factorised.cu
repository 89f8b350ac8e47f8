// The factorised sum of a single replica on a GPU. A block of threads sums over a run of sites, for
// eight wave vectors, or for one if there is only one.

#include <algorithm>

#include "larmor/core/device/array.hpp"
#include "larmor/core/gpu/early_launch.cuh"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/correlations/fourier/gpu_transforms.hpp"
#include "larmor/correlations/fourier/site_phase.hpp"
#include "larmor/correlations/fourier/sum_inputs.cuh"

namespace larmor::correlations {
namespace {

/// Wave vectors that share one read of the spins.
constexpr int full_group = 8;
constexpr int sum_threads = 256, blocks_of_multiprocessor = 2;
/// Number of sites of a run. One block of threads sums a run, and the sum is then rounded to an
/// integer.
constexpr Index run_sites = 2 * sum_threads;
static_assert(partial_sum_grain % run_sites == 0);
constexpr int warps = sum_threads / warp_size;

struct Request : SumInputsView {
  LARMOR_HD Index groups(int group) const { return (wave_vectors() + group - 1) / group; }
  LARMOR_HD Index runs_of_site_block() const { return site_blocks.sites / run_sites; }
  LARMOR_HD Index runs() const { return site_blocks.count * runs_of_site_block(); }
  /// Number of tasks. A task is a run for one group of wave vectors.
  LARMOR_HD Index tasks(int group) const { return runs() * groups(group); }
};

/// The phase of a site; 0 beyond the last site or wave vector.
__device__ SitePhase phase_or_zero(const Request& r, Index q, Index site, Index end) {
  if (site >= end || q >= r.wave_vectors()) return {0, 0};
  const double* k = r.q + 3 * q;
  const Index n = r.layout().spins();
  return site_phase_of_turns(k[0] * r.position[site] + k[1] * r.position[n + site] +
                             k[2] * r.position[2 * n + site]);
}

template <int group>
struct Amplitudes {
  double re[group][3], im[group][3];

  __device__ void add(int g, const SitePhase& phase, const Vec3<double>& e) {
    re[g][0] += phase.re * e.x;
    re[g][1] += phase.re * e.y;
    re[g][2] += phase.re * e.z;
    im[g][0] += phase.im * e.x;
    im[g][1] += phase.im * e.y;
    im[g][2] += phase.im * e.z;
  }
  __device__ double number(int g, int k) const { return k < 3 ? re[g][k] : im[g][k - 3]; }
};

/// Adds the sums of a run to the totals. Each thread sums some sites of the run and computes their
/// phases.
/// @param warp_sums shared memory
template <class Numbers, int group>
__device__ void sum_run(const Request& r, const VectorView& spins, Index run, Index first_q,
                        double (&warp_sums)[warps][group * parts_of_amplitude]) {
  const Index begin = r.site_blocks.first_site(run / r.runs_of_site_block()) +
                      run % r.runs_of_site_block() * run_sites;
  const Index end = min(begin + run_sites, r.layout().spins());
  Amplitudes<group> sums = {};
  for (Index site = begin + threadIdx.x; site < end; site += sum_threads) {
    const auto e = converted<double>(spins.load(ScalarSlot<Numbers>{site, 0}));
#pragma unroll
    for (int g = 0; g < group; ++g) sums.add(g, phase_or_zero(r, first_q + g, site, end), e);
  }
#pragma unroll
  for (int g = 0; g < group; ++g)
#pragma unroll
    for (int k = 0; k < parts_of_amplitude; ++k) {
      double x = sums.number(g, k);
#pragma unroll
      for (int distance = warp_size / 2; distance > 0; distance /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, distance);
      if (threadIdx.x % warp_size == 0)
        warp_sums[threadIdx.x / warp_size][g * parts_of_amplitude + k] = x;
    }
  __syncthreads();
  const int number = static_cast<int>(threadIdx.x);
  const Index q = first_q + number / parts_of_amplitude;
  if (number < group * parts_of_amplitude && q < r.wave_vectors()) {
    double sum = 0;
#pragma unroll
    for (const auto& sums_of_warp : warp_sums) sum += sums_of_warp[number];
    atomicAdd(r.totals.wave_totals(0, q) + number % parts_of_amplitude, r.totals.rounded(sum));
  }
  __syncthreads();
}

template <class Numbers, int group>
__global__ void __launch_bounds__(sum_threads, blocks_of_multiprocessor)
    sum_kernel(const __grid_constant__ Request r, VectorView spins) {
  __shared__ double warp_sums[warps][group * parts_of_amplitude];
  cuda::wait_for_predecessor();
  for (Index task = blockIdx.x; task < r.tasks(group); task += gridDim.x)
    sum_run<Numbers, group>(r, spins, task % r.runs(), task / r.runs() * group, warp_sums);
}

class GpuSumOfReplica : public GpuTransform {
 public:
  GpuSumOfReplica(const lattice::Geometry& geometry, const QList& q, const spins::SpinState& state)
      : inputs_(geometry, q, state), request_{inputs_.view()} {}

  Pending transform(const spins::SpinState& state) override {
    state.complete_parts(request_.site_blocks.sites);
    const Device& device = state.device();
    const cuda::LaunchRegion region(device.ordinal, "amplitudes, factorised");
    larmor::detail::with_cuda_numbers(device, [&](auto numbers) {
      if (request_.wave_vectors() == 1) {
        launch_sums<decltype(numbers), 1>(state);
      } else {
        launch_sums<decltype(numbers), full_group>(state);
      }
    });
    return inputs_.read_and_reset();
  }

 private:
  template <class Numbers, int group>
  void launch_sums(const spins::SpinState& state) {
    // If there are more tasks than blocks of threads, each block does several tasks.
    constexpr Index most_blocks = 1 << 20;
    const Index blocks = std::min(request_.tasks(group), most_blocks);
    if (blocks == 0) return;
    cuda::launch_early(state.device().ordinal, sum_kernel<Numbers, group>,
                       static_cast<unsigned>(blocks), sum_threads, 0, request_,
                       VectorView(state.reals(), request_.layout()));
  }

  SumInputs inputs_;
  Request request_;
};

}  // namespace

std::unique_ptr<GpuTransform> make_gpu_sum(const lattice::Geometry& geometry, const QList& q,
                                           const spins::SpinState& state) {
  if (state.layout().one_replica()) return std::make_unique<GpuSumOfReplica>(geometry, q, state);
  if (q.size() == 1) return make_gpu_sum_of_one(geometry, q.cartesian.front(), state);
  return make_gpu_phase_product(geometry, q, state);
}

double gpu_sum_bytes(const lattice::Geometry& geometry, const QList& q, Index replicas) {
  if (replicas > 1 && q.size() == 1) return gpu_sum_of_one_bytes(geometry, replicas);
  return SumInputs::bytes(geometry, q, replicas);
}

}  // namespace larmor::correlations
