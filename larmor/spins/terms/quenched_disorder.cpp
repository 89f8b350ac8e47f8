#include "larmor/spins/terms/quenched_disorder.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/math.hpp"

namespace larmor::spins {
namespace {

/// Box and Muller's two independent normal deviates.
std::array<double, 2> normal_pair(const RandomKey& key, Index site, std::uint32_t block) {
  const auto random =
      philox(key, static_cast<std::uint64_t>(site), static_cast<std::uint64_t>(0), block);
  const double radius = std::sqrt(-2 * logarithm(uniform_52<double>(random.w[0], random.w[1])));
  double sine, cosine;
  sine_cosine_turns(uniform_52<double>(random.w[2], random.w[3]), sine, cosine);
  return {radius * cosine, radius * sine};
}

}  // namespace

Vec3<double> site_deviates(std::uint64_t seed, Index site) {
  const RandomKey key{seed, 0, Stream::random_field};
  const auto first = normal_pair(key, site, 0);
  return {first[0], first[1], normal_pair(key, site, 1)[0]};
}

double pair_deviate(std::uint64_t seed, Index i, Index j) {
  // The second site takes the place of the step.
  const RandomKey key{seed, static_cast<std::uint64_t>(std::max(i, j)), Stream::random_bond};
  return normal_pair(key, std::min(i, j), 0)[0];
}

}  // namespace larmor::spins
