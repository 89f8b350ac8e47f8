#include "larmor/lattice/quenched_disorder.hpp"

#include <algorithm>

#include "larmor/core/maths/normal.hpp"

namespace larmor::lattice {
namespace {

Vec3<double> deviates(const RandomKey& key, Index site, Index replica) {
  return normal_vector<double>(
      philox(key, static_cast<std::uint64_t>(site), static_cast<std::uint64_t>(replica)));
}

}  // namespace

Vec3<double> site_deviates(std::uint64_t seed, Index site, Index replica) {
  return deviates({seed, 0, Stream::random_field}, site, replica);
}

double pair_deviate(std::uint64_t seed, Index i, Index j, Index replica) {
  // BITS: the second site replaces the step in the random key.
  const auto second = static_cast<std::uint64_t>(std::max(i, j));
  return deviates({seed, second, Stream::random_bond}, std::min(i, j), replica).x;
}

}  // namespace larmor::lattice
