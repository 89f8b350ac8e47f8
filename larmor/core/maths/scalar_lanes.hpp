#pragma once
// One-lane versions of the functions that core/maths/pack.hpp defines for eight lanes. So physics
// written over `Real` also compiles for `double` and `float` (CUDA threads, the slow reference).

#include <cmath>
#include <cstdint>
#include <cstring>

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/types.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

LARMOR_INLINE double select(bool m, double yes, double no) { return m ? yes : no; }
LARMOR_INLINE float select(bool m, float yes, float no) { return m ? yes : no; }
LARMOR_INLINE double square_root(double a) { return ::sqrt(a); }
LARMOR_INLINE float square_root(float a) { return ::sqrtf(a); }
LARMOR_INLINE std::uint64_t to_bits(double a) {
  std::uint64_t bits;
  memcpy(&bits, &a, sizeof(bits));
  return bits;
}
LARMOR_INLINE std::uint32_t to_bits(float a) {
  std::uint32_t bits;
  memcpy(&bits, &a, sizeof(bits));
  return bits;
}
LARMOR_INLINE double from_bits(std::uint64_t bits) {
  double a;
  memcpy(&a, &bits, sizeof(a));
  return a;
}
LARMOR_INLINE float from_bits(std::uint32_t bits) {
  float a;
  memcpy(&a, &bits, sizeof(a));
  return a;
}
LARMOR_INLINE bool bit_is_set(std::uint64_t a, int bit) { return ((a >> bit) & 1u) != 0u; }
LARMOR_INLINE bool bit_is_set(std::uint32_t a, int bit) { return ((a >> bit) & 1u) != 0u; }
LARMOR_INLINE bool all_lanes(bool m) { return m; }
LARMOR_INLINE bool both(bool a, bool b) { return a && b; }
LARMOR_INLINE std::uint64_t multiply_wide(std::uint64_t a, std::uint32_t m) {
  return (a & 0xffffffffu) * m;
}
/// The low 32 bits of a word.
LARMOR_INLINE std::uint32_t low_word(std::uint64_t a) { return static_cast<std::uint32_t>(a); }

/// Types that belong to `Real`: the type of a lane, an integer of its width (lane by lane), and a
/// 64-bit word for every lane.
template <class Real>
struct LaneTypes;
template <>
struct LaneTypes<double> {
  using Scalar = double;
  using Bits = std::uint64_t;
  using Words = std::uint64_t;
};
template <>
struct LaneTypes<float> {
  using Scalar = float;
  using Bits = std::uint32_t;
  using Words = std::uint64_t;
};
template <class Real>
using ScalarOf = typename LaneTypes<Real>::Scalar;

template <class A, class B>
inline constexpr bool same_type = false;
template <class A>
inline constexpr bool same_type<A, A> = true;
template <class Real>
inline constexpr bool is_double = same_type<ScalarOf<Real>, double>;

/// x converted to another number type.
template <class To>
LARMOR_INLINE To converted(double x) {
  return static_cast<To>(x);
}
template <class To>
LARMOR_INLINE To converted(float x) {
  return static_cast<To>(x);
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
