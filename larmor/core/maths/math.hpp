#pragma once
// Elementary functions over `Real` (double, float or packs of them). BITS: they use only + - * /
// and integer operations, so that results are equal in every lane, on every backend. Accuracy:
// about 1 ulp (exp, log), 2e-16 absolute (sine, cosine and angle); in float 2 ulp, and 1e-7.

#include "larmor/core/maths/scalar_lanes.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

namespace detail {

/// Addition of 1.5 * 2^52 (or 2^23) rounds to an integer in the low bits.
template <class Real>
LARMOR_INLINE Real rounding_shift() {
  return Real(is_double<Real> ? 6755399441055744.0 : 12582912.0);
}

template <class Real>
LARMOR_INLINE Real exponential_double(Real x) {
  x = select(x < Real(-700.0), Real(-700.0), x);
  x = select(x > Real(700.0), Real(700.0), x);
  const Real shifted = x * Real(1.4426950408889634) + rounding_shift<Real>();
  const Real n = shifted - rounding_shift<Real>();
  const Real r = (x - n * Real(0.69314718036912382)) - n * Real(1.9082149292705877e-10);
  Real p(1.0 / 6227020800.0);
  p = p * r + Real(1.0 / 479001600.0);
  p = p * r + Real(1.0 / 39916800.0);
  p = p * r + Real(1.0 / 3628800.0);
  p = p * r + Real(1.0 / 362880.0);
  p = p * r + Real(1.0 / 40320.0);
  p = p * r + Real(1.0 / 5040.0);
  p = p * r + Real(1.0 / 720.0);
  p = p * r + Real(1.0 / 120.0);
  p = p * r + Real(1.0 / 24.0);
  p = p * r + Real(1.0 / 6.0);
  p = p * r + Real(0.5);
  p = p * r + Real(1.0);
  p = p * r + Real(1.0);
  // 2^n multiplies p, which is in [0.7, 1.42]: n is added to the exponent field.
  return from_bits(to_bits(p) + (to_bits(shifted) << 52));
}

template <class Real>
LARMOR_INLINE Real exponential_float(Real x) {
  x = select(x < Real(-86.0f), Real(-86.0f), x);
  x = select(x > Real(86.0f), Real(86.0f), x);
  const Real shifted = x * Real(1.44269504f) + rounding_shift<Real>();
  const Real n = shifted - rounding_shift<Real>();
  const Real r = (x - n * Real(0.693145752f)) - n * Real(1.42860677e-6f);
  Real p(1.0f / 5040.0f);
  p = p * r + Real(1.0f / 720.0f);
  p = p * r + Real(1.0f / 120.0f);
  p = p * r + Real(1.0f / 24.0f);
  p = p * r + Real(1.0f / 6.0f);
  p = p * r + Real(0.5f);
  p = p * r + Real(1.0f);
  p = p * r + Real(1.0f);
  return from_bits(to_bits(p) + (to_bits(shifted) << 23));
}

template <class Real>
LARMOR_INLINE Real logarithm_float(Real x) {
  using Bits = typename LaneTypes<Real>::Bits;
  const Bits offset = to_bits(x) - Bits(0x3f3504f3u);
  const Bits biased = (offset + Bits(0x40000000u)) >> 23;
  const Real n = from_bits(biased | Bits(0x4b000000u)) - Real(8388608.0f + 128.0f);
  const Real m = from_bits((offset & Bits(0x007fffffu)) + Bits(0x3f3504f3u));
  const Real s = (m - Real(1.0f)) / (m + Real(1.0f));
  const Real s2 = s * s;
  Real p(2.0f / 9.0f);
  p = p * s2 + Real(2.0f / 7.0f);
  p = p * s2 + Real(2.0f / 5.0f);
  p = p * s2 + Real(2.0f / 3.0f);
  p = p * s2 + Real(2.0f);
  return n * Real(0.693145752f) + (s * p + n * Real(1.42860677e-6f));
}

template <class Real>
LARMOR_INLINE Real logarithm_double(Real x) {
  using Bits = typename LaneTypes<Real>::Bits;
  // Split x = 2^n m with m in [sqrt(1/2), sqrt(2)). The bits of sqrt(1/2) are subtracted, so that
  // the exponent changes at this number.
  const Bits offset = to_bits(x) - Bits(0x3fe6a09e667f3bcdull);
  // A bias makes the exponent positive, so that a logical shift gives it as an integer k. The bits
  // of 2^52 make it the double 2^52 + k, from which 2^52 and the bias are subtracted.
  const Bits biased = (offset + Bits(0x4000000000000000ull)) >> 52;
  const Real n =
      from_bits(biased | Bits(0x4330000000000000ull)) - Real(4503599627370496.0 + 1024.0);
  const Real m = from_bits((offset & Bits(0x000fffffffffffffull)) + Bits(0x3fe6a09e667f3bcdull));
  const Real s = (m - Real(1.0)) / (m + Real(1.0));
  const Real s2 = s * s;
  Real p(2.0 / 23.0);
  p = p * s2 + Real(2.0 / 21.0);
  p = p * s2 + Real(2.0 / 19.0);
  p = p * s2 + Real(2.0 / 17.0);
  p = p * s2 + Real(2.0 / 15.0);
  p = p * s2 + Real(2.0 / 13.0);
  p = p * s2 + Real(2.0 / 11.0);
  p = p * s2 + Real(2.0 / 9.0);
  p = p * s2 + Real(2.0 / 7.0);
  p = p * s2 + Real(2.0 / 5.0);
  p = p * s2 + Real(2.0 / 3.0);
  p = p * s2 + Real(2.0);
  return n * Real(0.69314718036912382) + (s * p + n * Real(1.9082149292705877e-10));
}

}  // namespace detail

/// exp(x) for x <= 700 (86 in float). For x below -700 (-86) it is exp(-700) = 1e-304 (4e-38),
/// which is 0 for a probability.
template <class Real>
LARMOR_INLINE Real exponential(Real x) {
  if constexpr (is_double<Real>) {
    return detail::exponential_double(x);
  } else {
    return detail::exponential_float(x);
  }
}

/// log(x) for normal positive x.
template <class Real>
LARMOR_INLINE Real logarithm(Real x) {
  if constexpr (is_double<Real>) {
    return detail::logarithm_double(x);
  } else {
    return detail::logarithm_float(x);
  }
}

/// sin and cos of 2 pi u, |u| < 2^40 (2^18 in float). For |u| > 1 the error grows as |u|.
template <class Real>
LARMOR_INLINE void sine_cosine_turns(Real u, Real& sine, Real& cosine) {
  const Real shifted = u * Real(4.0) + detail::rounding_shift<Real>();
  const Real quarter = shifted - detail::rounding_shift<Real>();
  const Real x = (u - quarter * Real(0.25)) * Real(6.283185307179586477);
  const Real x2 = x * x;
  // Terms that only double needs are left out for float.
  Real s(1.0 / 362880.0);
  if constexpr (is_double<Real>) {
    s = Real(-1.0 / 1307674368000.0);
    s = s * x2 + Real(1.0 / 6227020800.0);
    s = s * x2 + Real(-1.0 / 39916800.0);
    s = s * x2 + Real(1.0 / 362880.0);
  }
  s = s * x2 + Real(-1.0 / 5040.0);
  s = s * x2 + Real(1.0 / 120.0);
  s = s * x2 + Real(-1.0 / 6.0);
  s = x + x * (x2 * s);
  Real c(-1.0 / 3628800.0);
  if constexpr (is_double<Real>) {
    c = Real(1.0 / 20922789888000.0);
    c = c * x2 + Real(-1.0 / 87178291200.0);
    c = c * x2 + Real(1.0 / 479001600.0);
    c = c * x2 + Real(-1.0 / 3628800.0);
  }
  c = c * x2 + Real(1.0 / 40320.0);
  c = c * x2 + Real(-1.0 / 720.0);
  c = c * x2 + Real(1.0 / 24.0);
  c = c * x2 + Real(-0.5);
  c = c * x2 + Real(1.0);
  using Bits = typename LaneTypes<Real>::Bits;
  const Bits k = to_bits(shifted);
  const auto odd = bit_is_set(k, 0);
  const Real a = select(odd, c, s);
  const Real b = select(odd, s, c);
  sine = select(bit_is_set(k, 1), -a, a);
  cosine = select(bit_is_set(k + Bits(1), 1), -b, b);
}

template <class Real>
LARMOR_INLINE Real absolute(Real x) {
  return select(x < Real(0.0), -x, x);
}

/// The angle from 0 to pi whose sine and cosine have the ratio y : x. @param y not negative; x and
/// y are not both zero
template <class Real>
LARMOR_INLINE Real angle_of(Real y, Real x) {
  const Real width = absolute(x);
  const auto steep = width < y;
  const Real ratio = select(steep, width, y) / select(steep, y, width);
  // If the ratio is above tan(pi / 8), the angle is computed relative to pi / 4.
  const auto large = Real(0.41421356237309505) < ratio;
  const Real t = select(large, (ratio - Real(1.0)) / (ratio + Real(1.0)), ratio);
  // atan(t) / t as a polynomial in t^2 through its values at 12 Chebyshev nodes; error 2e-18.
  const Real z = t * t;
  Real p(-0.017805397205419446);
  p = p * z + Real(0.03796525745386593);
  p = p * z + Real(-0.05035102456601552);
  p = p * z + Real(0.05846878297330872);
  p = p * z + Real(-0.06662951813629191);
  p = p * z + Real(0.07692045330902225);
  p = p * z + Real(-0.09090896809064027);
  p = p * z + Real(0.11111110744919658);
  p = p * z + Real(-0.14285714279250245);
  p = p * z + Real(0.19999999999940893);
  p = p * z + Real(-0.3333333333333312);
  const Real octant = (t + t * (z * p)) + select(large, Real(0.7853981633974483), Real(0.0));
  const Real quadrant = select(steep, Real(1.5707963267948966) - octant, octant);
  return select(x < Real(0.0), Real(3.141592653589793) - quadrant, quadrant);
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
