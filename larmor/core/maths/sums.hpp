#pragma once
// Several sums that a functor over sites returns together.

#include "larmor/core/maths/isa.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

/// K sums carried together.
template <class Real, int K>
struct Sums {
  Real value[K];
  static constexpr int count = K;
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
