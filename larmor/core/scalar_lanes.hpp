#pragma once
// The one-lane versions of what core/pack.hpp defines for eight: so that physics written over
// `Real` also compiles for `double` (CUDA threads, the slow reference).

#include <cmath>
#include <cstdint>
#include <cstring>

#include "larmor/core/isa.hpp"
#include "larmor/core/types.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

LARMOR_INLINE double select(bool m, double yes, double no) { return m ? yes : no; }
LARMOR_INLINE double square_root(double a) { return ::sqrt(a); }
LARMOR_INLINE std::uint64_t to_bits(double a) {
  std::uint64_t bits;
  memcpy(&bits, &a, sizeof(bits));
  return bits;
}
LARMOR_INLINE double from_bits(std::uint64_t bits) {
  double a;
  memcpy(&a, &bits, sizeof(a));
  return a;
}
LARMOR_INLINE bool bit_is_set(std::uint64_t a, int bit) { return ((a >> bit) & 1u) != 0u; }
LARMOR_INLINE bool all_lanes(bool m) { return m; }
LARMOR_INLINE bool both(bool a, bool b) { return a && b; }
LARMOR_INLINE std::uint64_t multiply_wide(std::uint64_t a, std::uint32_t m) {
  return (a & 0xffffffffu) * m;
}

/// The integer type as wide as `Real`, lane by lane.
template <class Real>
struct BitsOf;
template <>
struct BitsOf<double> {
  using type = std::uint64_t;
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
