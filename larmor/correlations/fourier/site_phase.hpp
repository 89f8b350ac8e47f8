#pragma once
// The phase of a site in A(q) = sum_r exp(-i q.r) e_r. All fast methods take the sign of the phase
// from this file. The slow references of tests define it separately.

#include <cmath>

#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::correlations {
inline namespace LARMOR_ISA_NAMESPACE {

/// re + i im = exp(-i q.r)
struct SitePhase {
  double re, im;

  /// @param cosine, sine of q.r
  LARMOR_INLINE static SitePhase of(double cosine, double sine) { return {cosine, -sine}; }
};

/// The phase by the cosine and sine of the host's library.
inline SitePhase site_phase(const Vec3<double>& q, const Vec3<double>& r) {
  const double angle = dot(q, r);
  return SitePhase::of(std::cos(angle), std::sin(angle));
}

/// The phase with bits that are equal on every machine. @param turns q.r divided by 2 pi
LARMOR_INLINE SitePhase site_phase_of_turns(double turns) {
  double sine, cosine;
  sine_cosine_turns(turns, sine, cosine);
  return SitePhase::of(cosine, sine);
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::correlations
