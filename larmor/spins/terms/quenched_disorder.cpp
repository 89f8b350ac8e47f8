#include "larmor/spins/terms/quenched_disorder.hpp"

#include <algorithm>

#include "larmor/core/normal.hpp"

namespace larmor::spins {

Vec3<double> site_deviates(std::uint64_t seed, Index site) {
  const RandomKey key{seed, 0, Stream::random_field};
  return normal_vector<double>(philox(key, static_cast<std::uint64_t>(site), std::uint64_t{0}));
}

double pair_deviate(std::uint64_t seed, Index i, Index j) {
  // The second site takes the place of the step.
  const RandomKey key{seed, static_cast<std::uint64_t>(std::max(i, j)), Stream::random_bond};
  return normal_vector<double>(
             philox(key, static_cast<std::uint64_t>(std::min(i, j)), std::uint64_t{0}))
      .x;
}

}  // namespace larmor::spins
