#include "bench/snap_variants/kernels.cuh"

namespace larmor::bench {
namespace {

/// Independent chains of fused multiply-adds.
constexpr int chains = 8;
constexpr int links = 1 << 13;
constexpr Index floor_blocks = 1 << 13;

__global__ void __launch_bounds__(snap_variant_threads)
    floor_kernel(double factor, double* result) {
  double x[chains];
#pragma unroll
  for (int c = 0; c < chains; ++c) x[c] = threadIdx.x + c;
  for (int link = 0; link < links; ++link)
#pragma unroll
    for (int c = 0; c < chains; ++c) x[c] = fma(x[c], factor, 1e-3);
  double sum = 0;
#pragma unroll
  for (int c = 0; c < chains; ++c) sum += x[c];
  // This is never true. It prevents the compiler from removing the sums.
  if (sum == -1) *result = sum;
}

__global__ void __launch_bounds__(snap_variant_threads)
    gather_kernel(const SnapVariantView view, VariantArray<double> gradient, double* forces) {
  VariantWork work;
  if (!find_work(view, 1, work)) return;
  double force[3] = {0, 0, 0};
  for (int slot = 0; slot < view.count[work.atom]; ++slot) {
    const std::int32_t other = view.neighbour.at(work.atom, slot)[0];
    const Strided<double> own = gradient.at(work.atom, slot),
                          its = gradient.at(other, view.mirror.at(work.atom, slot)[0]);
    for (int c = 0; c < 3; ++c) force[c] += own[c] - its[c];
  }
  for (int c = 0; c < 3; ++c) forces[3 * work.atom + c] = force[c];
}

}  // namespace

double launch_snap_floor(const Device& device) {
  launch_snap_variant(device, "floor of SNAP", floor_blocks * snap_variant_threads, floor_kernel,
                      0.999, static_cast<double*>(nullptr));
  return 2.0 * chains * links * static_cast<double>(floor_blocks) * snap_variant_threads;
}

std::vector<Vec3<double>> SnapVariantForces::forces() {
  const std::vector<double> numbers = forces_.to_host();
  std::vector<Vec3<double>> forces(numbers.size() / 3);
  for (std::size_t i = 0; i < forces.size(); ++i)
    forces[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
  return forces;
}

void SnapVariantForces::gather(const VariantArray<double>& gradient) {
  launch_for(1, "SNAP, forces", gather_kernel, view(), gradient, forces_.data());
}

void SnapVariantForces::clear(Array<double>& array) const {
  larmor::cuda::check(
      cudaMemsetAsync(array.data(), 0, static_cast<std::size_t>(array.size()) * sizeof(double),
                      larmor::cuda::stream(device_.ordinal)),
      "clearing numbers of SNAP");
}

}  // namespace larmor::bench
