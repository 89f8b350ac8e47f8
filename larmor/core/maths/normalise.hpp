#pragma once
// Scaling of vectors to length 1, in kernels.

#include "larmor/core/maths/scalar_lanes.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

/// `v` scaled to length 1.
template <class Real>
LARMOR_INLINE Vec3<Real> normalised(const Vec3<Real>& v) {
  return (Real(1.0) / square_root(dot(v, v))) * v;
}

/// One Newton step towards length 1, for vectors whose length is 1 except for rounding.
template <class Real>
LARMOR_INLINE Vec3<Real> renormalised(const Vec3<Real>& e) {
  return (Real(1.5) - Real(0.5) * dot(e, e)) * e;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
