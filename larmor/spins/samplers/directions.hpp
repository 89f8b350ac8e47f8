#pragma once
// Unit vectors at a given angle to another unit vector, for samplers.

#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// The unit vector at polar cosine 1 - `d` and azimuth 2 pi `turns` around the unit vector `axis`.
/// Because `d` is given in place of the cosine, even the smallest cones keep all digits.
/// Orthonormal frame: Duff et al., J. Comput. Graph. Tech. 6 (2017) 1.
template <class Real>
LARMOR_INLINE Vec3<Real> direction_around(const Vec3<Real>& axis, Real d, Real turns) {
  Real sine, cosine;
  sine_cosine_turns(turns, sine, cosine);
  const Real c = Real(1.0) - d;
  Real s2 = d * (Real(2.0) - d);
  s2 = select(s2 > Real(0.0), s2, Real(0.0));
  const Real s = square_root(s2);
  const Real u = s * cosine;
  const Real v = s * sine;
  const Real sign = select(axis.z < Real(0.0), Real(-1.0), Real(1.0));
  const Real a = Real(-1.0) / (sign + axis.z);
  const Real b = axis.x * axis.y * a;
  return {u * (Real(1.0) + sign * axis.x * axis.x * a) + v * b + c * axis.x,
          u * (sign * b) + v * (sign + axis.y * axis.y * a) + c * axis.y,
          c * axis.z - u * (sign * axis.x) - v * axis.y};
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
