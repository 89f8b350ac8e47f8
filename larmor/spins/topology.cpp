#include "larmor/spins/topology.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/parallel.hpp"
#include "larmor/core/profile.hpp"

namespace larmor::spins {
namespace {

/// Triangles of one partial sum.
constexpr Index chunk = 4096;

double charge(const std::vector<Vec3<double>>& e, const lattice::Triangle& triangle) {
  const auto at = [&](std::size_t k) { return e[static_cast<std::size_t>(triangle[k])]; };
  return solid_angle(at(0), at(1), at(2)) / (4 * std::numbers::pi);
}

}  // namespace

double solid_angle(const Vec3<double>& e1, const Vec3<double>& e2, const Vec3<double>& e3) {
  const double volume = dot(e1, cross(e2, e3));
  // atan2 would give 2 pi of either sign to spins all around a great circle.
  if (volume == 0) return 0;
  return 2 * std::atan2(volume, 1 + dot(e1, e2) + dot(e2, e3) + dot(e3, e1));
}

std::vector<double> topological_charge(std::span<const lattice::Triangle> triangles,
                                       const SpinState& state) {
  const Region region("topological charge");
  const auto count = static_cast<Index>(triangles.size());
  const Index chunks = (count + chunk - 1) / chunk;
  std::vector<double> partial(static_cast<std::size_t>(chunks));
  std::vector<double> total;
  for (Index replica = 0; replica < state.layout().replicas; ++replica) {
    const std::vector<Vec3<double>> e = state.configuration(replica);
    parallel_for(state.device().threads, chunks, [&](Index c) {
      double sum = 0;
      for (Index t = c * chunk; t < std::min(count, (c + 1) * chunk); ++t)
        sum += charge(e, triangles[static_cast<std::size_t>(t)]);
      partial[static_cast<std::size_t>(c)] = sum;
    });
    double sum = 0;
    for (const double part : partial) sum += part;
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
