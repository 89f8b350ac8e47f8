#pragma once
// A uniform random direction on the sphere from the random numbers of a site. BITS: it is computed
// in double everywhere. So it is equal on all machines that do not contract products and sums.

#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// @param site canonical site
LARMOR_INLINE Vec3<double> random_direction(const RandomKey& key, std::uint64_t site,
                                            std::uint64_t replica) {
  const auto random = philox(key, site, replica);
  const double z = 1 - 2 * uniform_52<double>(random.w[0], random.w[1]);
  double sine, cosine;
  sine_cosine_turns(uniform_52<double>(random.w[2], random.w[3]), sine, cosine);
  const double s = square_root(1 - z * z);
  return {s * cosine, s * sine, z};
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
