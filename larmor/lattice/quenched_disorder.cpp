#include "larmor/lattice/quenched_disorder.hpp"

#include <algorithm>

#include "larmor/core/maths/normal.hpp"

namespace larmor::lattice {
namespace {

RandomWords<std::uint64_t> words_of_site(std::uint64_t seed, Index site, Index replica) {
  return philox(RandomKey{seed, 0, Stream::random_field}, static_cast<std::uint64_t>(site),
                static_cast<std::uint64_t>(replica));
}

RandomWords<std::uint64_t> words_of_pair(std::uint64_t seed, Index i, Index j, Index replica) {
  // BITS: the second site replaces the step in the random key.
  const auto second = static_cast<std::uint64_t>(std::max(i, j));
  return philox(RandomKey{seed, second, Stream::random_bond},
                static_cast<std::uint64_t>(std::min(i, j)), static_cast<std::uint64_t>(replica));
}

double uniform_about_0(std::uint64_t word) { return 2 * uniform_32<double>(word) - 1; }

}  // namespace

Vec3<double> site_deviates(std::uint64_t seed, Index site, Index replica) {
  return normal_vector<double>(words_of_site(seed, site, replica));
}

double pair_deviate(std::uint64_t seed, Index i, Index j, Index replica) {
  return normal_vector<double>(words_of_pair(seed, i, j, replica)).x;
}

Vec3<double> site_uniforms(std::uint64_t seed, Index site, Index replica) {
  const RandomWords<std::uint64_t> words = words_of_site(seed, site, replica);
  return {uniform_about_0(words.w[0]), uniform_about_0(words.w[1]), uniform_about_0(words.w[2])};
}

double pair_uniform(std::uint64_t seed, Index i, Index j, Index replica) {
  return uniform_about_0(words_of_pair(seed, i, j, replica).w[0]);
}

}  // namespace larmor::lattice
