#pragma once
// Normal deviates by Box and Muller, Ann. Math. Stat. 29 (1958) 610.

#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

/// Three independent standard normal deviates, in size at most 6.8 (5.8 in float).
template <class Real>
LARMOR_INLINE Vec3<Real> normal_vector(const RandomWords<typename LaneTypes<Real>::Words>& random) {
  const Real minus_two(-2.0);
  const Real first = square_root(minus_two * logarithm(uniform_32<Real>(random.w[0])));
  const Real second = square_root(minus_two * logarithm(uniform_32<Real>(random.w[1])));
  Real sine, cosine, unused, third;
  sine_cosine_turns(uniform_32<Real>(random.w[2]), sine, cosine);
  sine_cosine_turns(uniform_32<Real>(random.w[3]), unused, third);
  return {first * cosine, first * sine, second * third};
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
