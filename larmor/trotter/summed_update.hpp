#pragma once
// A local update of a spin with any couplings. Twice the couplings are whole numbers of 1 / scale,
// so that sums are exact. With u uniform in (0, 1), the spin flips under
//
//   Metropolis  if cost <= -ln u,      Glauber  if cost <= -ln u + ln(1 - u).
//
// A lazy Metropolis sweep asks u < 1/2 e^(-cost), and 1/2 for a negative cost.
//
// In `.strict` sources decisions have equal bits on CPU and GPU.

#include "larmor/core/maths/math.hpp"
#include "larmor/trotter/update_view.hpp"

namespace larmor::trotter {
inline namespace LARMOR_ISA_NAMESPACE {

/// The largest cost that a move may have. @param u uniform in (0, 1)
template <class Real>
LARMOR_INLINE Real largest_cost(const Real& u, bool is_metropolis, bool lazy) {
  Real most = -logarithm(u);
  if (!is_metropolis) most = most + logarithm(Real(1.0) - u);
  if (lazy) most = most - Real(0.69314718055994531);
  return most;
}

/// A number in (0, 1) from 32 random bits.
LARMOR_INLINE double uniform_number(std::uint32_t bits) {
  return (static_cast<double>(bits) + 0.5) * 0x1p-32;
}

/// +1 for a clear bit, -1 for a set bit.
LARMOR_INLINE std::int32_t spin_of(std::uint32_t word, int bit) {
  return 1 - 2 * static_cast<std::int32_t>((word >> bit) & 1u);
}

/// May a spin of this cost flip?
LARMOR_INLINE bool may_flip(std::int32_t cost, std::int32_t allowed, bool is_metropolis,
                            bool lazy) {
  // A lazy move without a cost still has the probability 1/2.
  if (is_metropolis && lazy && cost < 0) cost = 0;
  return cost <= allowed;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::trotter
