#pragma once
// Several numbers that a functor over sites returns together for a sum.

#include "larmor/core/maths/scalar_lanes.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

/// K numbers of a site, to be added up over the sites. The last `Maxima` numbers are not negative,
/// and their maximum over the sites replaces the sum.
template <class Real, int K, int Maxima = 0>
struct Sums {
  Real value[K];
  static constexpr int count = K;
  static constexpr int maxima = Maxima;

  /// Number k of a set of sites, combined from the numbers k of its two parts.
  template <class Number>
  LARMOR_INLINE static Number joined(int k, const Number& a, const Number& b) {
    if constexpr (Maxima > 0)
      if (k >= K - Maxima) return select(a < b, b, a);
    return a + b;
  }
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
