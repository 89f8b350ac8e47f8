#pragma once
// Several numbers that a functor over sites returns together, to be added up.

#include "larmor/core/maths/scalar_lanes.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

/// K numbers of a site carried together, which are added up over the sites; of the last `Maxima` of
/// them, which are not negative, the largest is taken instead.
template <class Real, int K, int Maxima = 0>
struct Sums {
  Real value[K];
  static constexpr int count = K;
  static constexpr int maxima = Maxima;

  /// Number k of some sites, from that of a part of them and of the rest.
  template <class Number>
  LARMOR_INLINE static Number joined(int k, const Number& a, const Number& b) {
    if constexpr (Maxima > 0)
      if (k >= K - Maxima) return select(a < b, b, a);
    return a + b;
  }
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
