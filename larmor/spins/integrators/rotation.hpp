#pragma once
// Rotation of unit vectors by finite angles, exactly on the sphere.

#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// sin(a)/a and (1 - cos(a))/a^2 as functions of a^2 < 1, by Taylor series. The omitted terms are
/// about as small as a rounding error.
template <class Real>
LARMOR_INLINE void rotation_series(Real a2, Real& s, Real& c) {
  s = Real(-1.0 / 39916800.0);
  if constexpr (is_double<Real>) {
    s = Real(1.0 / 355687428096000.0);
    s = s * a2 + Real(-1.0 / 1307674368000.0);
    s = s * a2 + Real(1.0 / 6227020800.0);
    s = s * a2 + Real(-1.0 / 39916800.0);
  }
  s = s * a2 + Real(1.0 / 362880.0);
  s = s * a2 + Real(-1.0 / 5040.0);
  s = s * a2 + Real(1.0 / 120.0);
  s = s * a2 + Real(-1.0 / 6.0);
  s = s * a2 + Real(1.0);
  c = Real(1.0 / 479001600.0);
  if constexpr (is_double<Real>) {
    c = Real(1.0 / 20922789888000.0);
    c = c * a2 + Real(-1.0 / 87178291200.0);
    c = c * a2 + Real(1.0 / 479001600.0);
  }
  c = c * a2 + Real(-1.0 / 3628800.0);
  c = c * a2 + Real(1.0 / 40320.0);
  c = c * a2 + Real(-1.0 / 720.0);
  c = c * a2 + Real(1.0 / 24.0);
  c = Real(0.5) - a2 * c;
}

/// sin(a)/a and (1 - cos(a))/a^2 as functions of a^2, for any a.
template <class Real>
LARMOR_INLINE void rotation_factors(const Real& a2, Real& s, Real& c) {
  rotation_series(a2, s, c);
  const auto small = a2 < Real(1.0);
  if (all_lanes(small)) return;
  const Real safe = select(small, Real(1.0), a2);
  const Real a = square_root(safe);
  Real sine, cosine;
  sine_cosine_turns(a * Real(0.15915494309189535), sine, cosine);
  s = select(small, s, sine / a);
  c = select(small, c, (Real(1.0) - cosine) / safe);
}

/// `e` turned about `u` by the angle |u|, right-handed (Rodrigues); e must have length 1.
template <class Real>
LARMOR_INLINE Vec3<Real> rotated(const Vec3<Real>& u, const Vec3<Real>& e) {
  Real s, c;
  rotation_factors(dot(u, u), s, c);
  const Vec3<Real> v = cross(u, e);
  return renormalised(e + s * v + c * cross(u, v));
}

/// The Cayley transform: the solution y of  y - e = u x (y + e) / 2.  The vector y is e
/// turned about u by the angle 2 atan(|u| / 2), so it has the length of e.
template <class Real>
LARMOR_INLINE Vec3<Real> cayley(const Vec3<Real>& u, const Vec3<Real>& e) {
  const Vec3<Real> v = cross(u, e);
  const Vec3<Real> d = v + Real(0.5) * cross(u, v);
  return e + (Real(1.0) / (Real(1.0) + Real(0.25) * dot(u, u))) * d;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
