// Algorithm 2 of Chen, Chen, Turner, Feiguin (2023). A block of threads sums a row of C. Each
// thread sums some adjacent sites r', one element after the other.

#include "bench/correlation_variants/fields.cuh"
#include "bench/correlation_variants/methods.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/correlations/fourier/site_phase.hpp"

namespace larmor::bench {
namespace {

constexpr int row_threads = 256;

/// Number of configurations for which memory is allocated. The compiler prefetches the spins of
/// four configurations before the loop tests whether they exist.
constexpr Index whole_fours(Index configurations) { return (configurations + 3) / 4 * 4; }

/// @param position (3, site) @param row_sums (r): sum over r'
__global__ void __launch_bounds__(row_threads)
    row_kernel(const SpinMatrices spins, Index sites, Index configurations, const double* position,
               const Vec3<double> q, double2* row_sums) {
  extern __shared__ double own[];  // S_r(t), (k)
  const Index row = blockIdx.x, numbers = 3 * configurations;
  for (Index k = threadIdx.x; k < numbers; k += row_threads) own[k] = spins.rows[row * numbers + k];
  __syncthreads();
  const Index of_thread = (sites + row_threads - 1) / row_threads;
  const Index first = threadIdx.x * of_thread, last = min(first + of_thread, sites);
  const double* mean = spins.row_means + 3 * row;
  double2 sum = {0, 0};
  for (Index other = first; other < last; ++other) {
    const double* column = spins.columns + other * numbers;
    double c[3] = {};
    for (Index m = 0; m < configurations; ++m)
#pragma unroll
      for (int a = 0; a < 3; ++a) c[a] += own[3 * m + a] * column[3 * m + a];
    double correlation = 0;
#pragma unroll
    for (int a = 0; a < 3; ++a)
      correlation +=
          c[a] / static_cast<double>(configurations) - mean[a] * spins.column_means[3 * other + a];
    const double angle = q.x * (position[row] - position[other]) +
                         q.y * (position[sites + row] - position[sites + other]) +
                         q.z * (position[2 * sites + row] - position[2 * sites + other]);
    double sine, cosine;
    sincos(angle, &sine, &cosine);
    const correlations::SitePhase phase = correlations::SitePhase::of(cosine, sine);
    sum.x += correlation * phase.re;
    sum.y += correlation * phase.im;
  }
  sum = block_sum<row_threads>(sum);
  if (threadIdx.x == 0) row_sums[row] = sum;
}

class Baseline : public VariantMethod {
 public:
  Baseline(const Device& device, const VariantProblem& problem, const SpinMatrices& spins)
      : device_(device),
        problem_(problem),
        spins_(spins),
        position_(variant_positions(device, problem)),
        row_sums_(device, problem.sites),
        total_(device, 1),
        bytes_(static_cast<std::size_t>(3 * whole_fours(problem.configurations)) * sizeof(double)) {
    larmor::cuda::check(
        cudaFuncSetAttribute(row_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes_)),
        "keeping the spins of a site in shared memory");
    parts_ = {{"rows", [this] { launch_rows(); }}, {"sum of rows", [this] {
                                                      launch_variant_total(
                                                          device_, row_sums_.data(),
                                                          row_sums_.size(), 1, total_.data());
                                                    }}};
  }
  std::complex<double> total() override { return variant_total(total_); }

 private:
  void launch_rows() {
    const larmor::cuda::LaunchRegion region(device_.ordinal, "correlations, baseline");
    larmor::cuda::launch(device_.ordinal,
                         {dim3(static_cast<unsigned>(problem_.sites)), row_threads, bytes_},
                         row_kernel, spins_, problem_.sites, problem_.configurations,
                         position_.data(), problem_.q, row_sums_.data());
  }

  Device device_;
  VariantProblem problem_;
  SpinMatrices spins_;
  Array<double> position_;
  Array<double2> row_sums_, total_;
  std::size_t bytes_;
};

}  // namespace

std::unique_ptr<VariantMethod> make_baseline(const Device& device, const VariantProblem& problem,
                                             const SpinMatrices& spins) {
  return std::make_unique<Baseline>(device, problem, spins);
}

}  // namespace larmor::bench
