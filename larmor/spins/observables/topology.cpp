#include "larmor/spins/observables/topology.hpp"

#include <algorithm>
#include <numbers>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/spins/observables/triangles.hpp"
#endif

namespace larmor::spins {
namespace {

/// BITS: number of triangles in one partial sum.
constexpr Index triangles_of_partial_sum = 4096;

double charge(const std::vector<Vec3<double>>& e, const lattice::Triangle& triangle) {
  const auto at = [&](std::size_t k) { return e[static_cast<std::size_t>(triangle[k])]; };
  return solid_angle(at(0), at(1), at(2)) / (4 * std::numbers::pi);
}

}  // namespace

#if defined(LARMOR_HAS_CUDA)
LayerCharge::LayerCharge(std::vector<lattice::Triangle> triangles, const SpinState& state)
    : triangles_(std::move(triangles)) {
  if (state.device().backend == Backend::cuda)
    on_gpu_ = std::make_shared<TriangleSums>(triangles_, state);
}

Pending LayerCharge::measure(const SpinState& state) const {
  if (!on_gpu_) return Pending(topological_charge(triangles_, state));
  const Region region("topological charge");
  return on_gpu_->of_solid_angles(state).then(
      [replicas = static_cast<std::size_t>(state.layout().replicas)](std::vector<double>& area) {
        area.resize(replicas);
        for (double& q : area) q /= 4 * std::numbers::pi;
      });
}
#else
LayerCharge::LayerCharge(std::vector<lattice::Triangle> triangles, const SpinState&)
    : triangles_(std::move(triangles)) {}

Pending LayerCharge::measure(const SpinState& state) const {
  return Pending(topological_charge(triangles_, state));
}
#endif

std::vector<double> topological_charge(std::span<const lattice::Triangle> triangles,
                                       const SpinState& state) {
  const Region region("topological charge");
  const auto count = static_cast<Index>(triangles.size());
  const Index blocks = (count + triangles_of_partial_sum - 1) / triangles_of_partial_sum;
  std::vector<double> partial(static_cast<std::size_t>(blocks));
  std::vector<double> total;
  for (Index replica = 0; replica < state.layout().replicas; ++replica) {
    const std::vector<Vec3<double>> e = state.configuration(replica);
    parallel_for(state.device().threads, blocks, [&](Index block) {
      double sum = 0;
      for (Index t = block * triangles_of_partial_sum;
           t < std::min(count, (block + 1) * triangles_of_partial_sum); ++t)
        sum += charge(e, triangles[static_cast<std::size_t>(t)]);
      partial[static_cast<std::size_t>(block)] = sum;
    });
    double sum = 0;
    for (const double p : partial) sum += p;
    total.push_back(sum);
  }
  return total;
}

std::vector<double> topological_charge_density(std::span<const lattice::Triangle> triangles,
                                               const SpinState& state, Index replica) {
  const std::vector<Vec3<double>> e = state.configuration(replica);
  std::vector<double> density;
  density.reserve(triangles.size());
  for (const lattice::Triangle& triangle : triangles) density.push_back(charge(e, triangle));
  return density;
}

}  // namespace larmor::spins
