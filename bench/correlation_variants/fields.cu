#include <vector>

#include "bench/correlation_variants/fields.cuh"
#include "larmor/core/device/launch.cuh"
#include "larmor/correlations/fourier/site_phase.hpp"

namespace larmor::bench {
namespace {

constexpr int matrix_threads = 256;
constexpr int total_threads = 1024;

/// Fills the matrix of phases exp(-i q.(r - r')) with one block of threads per row.
__global__ void matrix_kernel(const double2* phases, Index sites, double2* matrix) {
  const Index row = blockIdx.x;
  const double2 a = phases[row];
  for (Index column = threadIdx.x; column < sites; column += matrix_threads) {
    const double2 b = phases[column];
    matrix[row * sites + column] = {a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y};
  }
}

__global__ void __launch_bounds__(total_threads)
    total_kernel(const double2* partial_sums, Index count, double scale, double2* total) {
  double2 sum = {0, 0};
  for (Index i = threadIdx.x; i < count; i += total_threads) {
    sum.x += partial_sums[i].x;
    sum.y += partial_sums[i].y;
  }
  sum = block_sum<total_threads>(sum);
  if (threadIdx.x == 0) *total = {scale * sum.x, scale * sum.y};
}

}  // namespace

Array<double> variant_positions(const Device& device, const VariantProblem& problem) {
  const std::size_t sites = problem.position.size();
  std::vector<double> position(3 * sites);
  for (std::size_t i = 0; i < sites; ++i) {
    position[i] = problem.position[i].x;
    position[i + sites] = problem.position[i].y;
    position[i + 2 * sites] = problem.position[i].z;
  }
  return Array<double>(device, position);
}

Array<double2> variant_phases(const Device& device, const VariantProblem& problem) {
  std::vector<double2> phases;
  phases.reserve(problem.position.size());
  for (const Vec3<double>& r : problem.position) {
    const correlations::SitePhase phase = correlations::site_phase(problem.q, r);
    phases.push_back({phase.re, phase.im});
  }
  return Array<double2>(device, phases);
}

Array<double2> variant_matrix(const Device& device, const VariantProblem& problem) {
  const Array<double2> phases = variant_phases(device, problem);
  Array<double2> matrix(device, problem.sites * problem.sites);
  larmor::cuda::launch(device.ordinal, {dim3(static_cast<unsigned>(problem.sites)), matrix_threads},
                       matrix_kernel, phases.data(), problem.sites, matrix.data());
  larmor::cuda::synchronise(device.ordinal);
  return matrix;
}

void launch_variant_total(const Device& device, const double2* partial_sums, Index count,
                          double scale, double2* total) {
  larmor::cuda::launch(device.ordinal, {dim3(1), total_threads}, total_kernel, partial_sums, count,
                       scale, total);
}

std::complex<double> variant_total(Array<double2>& total) {
  const double2 sum = total.to_host()[0];
  return {sum.x, sum.y};
}

}  // namespace larmor::bench
