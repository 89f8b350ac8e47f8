#pragma once
// Eight lanes side by side: the number type of CPU kernels. Physics code is written over `Real`,
// which is `Pack` here and `double` on a GPU or in the slow reference; the free functions below
// (select, sqrt, ...) exist for both.
//
// A Pack is an array of the widest native vectors of the instruction set, so that it is always
// eight lanes and compiles to one, two or four registers. nvcc knows no vector types: there a pack
// is eight plain numbers, for the rare CPU loop of a file that it compiles.

#if defined(__SSE2__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include <cmath>
#include <cstdint>
#include <cstring>

#include "larmor/core/isa.hpp"
#include "larmor/core/scalar_lanes.hpp"
#include "larmor/core/types.hpp"

namespace larmor {

/// Lanes of a pack, and replicas of a block, on every instruction set.
inline constexpr int lane_count = 8;

inline namespace LARMOR_ISA_NAMESPACE {

#if defined(__CUDACC__)
inline constexpr int native_lanes = 1;
#elif defined(__AVX512F__)
inline constexpr int native_lanes = 8;
#elif defined(__AVX__)
inline constexpr int native_lanes = 4;
#else
inline constexpr int native_lanes = 2;
#endif
inline constexpr int native_count = lane_count / native_lanes;

#if defined(__CUDACC__)
using NativeDouble = double;
using NativeUnaligned = double;
using NativeBits = std::uint64_t;
using NativeMask = std::int64_t;

LARMOR_INLINE double native_sqrt(double a) { return ::sqrt(a); }
LARMOR_INLINE NativeMask as_mask(bool a) { return a ? -1 : 0; }
LARMOR_INLINE NativeBits native_bits(double a) { return to_bits(a); }
LARMOR_INLINE NativeDouble native_double(NativeBits a) { return from_bits(a); }
LARMOR_INLINE NativeBits native_multiply_wide(NativeBits a, std::uint32_t m) {
  return multiply_wide(a, m);
}
template <class Native>
LARMOR_INLINE Native& element(Native* v, int l) {
  return v[l];
}
template <class Native>
LARMOR_INLINE Native element(const Native* v, int l) {
  return v[l];
}
#else
typedef double NativeDouble __attribute__((vector_size(8 * native_lanes), may_alias));
/// In memory: aligned as a double only.
typedef double NativeUnaligned
    __attribute__((vector_size(8 * native_lanes), may_alias, aligned(8)));
typedef std::uint64_t NativeBits __attribute__((vector_size(8 * native_lanes), may_alias));
typedef std::int64_t NativeMask __attribute__((vector_size(8 * native_lanes), may_alias));

LARMOR_INLINE NativeDouble native_sqrt(NativeDouble a) {
#if defined(__AVX512F__)
  return _mm512_sqrt_pd(a);
#elif defined(__AVX__)
  return _mm256_sqrt_pd(a);
#elif defined(__SSE2__)
  return _mm_sqrt_pd(a);
#else
  for (int l = 0; l < native_lanes; ++l) a[l] = std::sqrt(a[l]);
  return a;
#endif
}
template <class Comparison>
LARMOR_INLINE NativeMask as_mask(Comparison a) {
  return reinterpret_cast<NativeMask>(a);
}
LARMOR_INLINE NativeBits native_bits(NativeDouble a) { return reinterpret_cast<NativeBits>(a); }
LARMOR_INLINE NativeDouble native_double(NativeBits a) { return reinterpret_cast<NativeDouble>(a); }
LARMOR_INLINE NativeBits native_multiply_wide(NativeBits a, std::uint32_t m) {
#if defined(__AVX512F__)
  return reinterpret_cast<NativeBits>(
      _mm512_mul_epu32(reinterpret_cast<__m512i>(a), _mm512_set1_epi64(m)));
#elif defined(__AVX2__)
  return reinterpret_cast<NativeBits>(
      _mm256_mul_epu32(reinterpret_cast<__m256i>(a), _mm256_set1_epi64x(m)));
#elif defined(__SSE2__) && !defined(__AVX__)
  return reinterpret_cast<NativeBits>(
      _mm_mul_epu32(reinterpret_cast<__m128i>(a), _mm_set1_epi64x(m)));
#else
  return (a & 0xffffffffu) * static_cast<std::uint64_t>(m);
#endif
}
template <class Native>
LARMOR_INLINE decltype(auto) element(Native* v, int l) {
  return v[l / native_lanes][l % native_lanes];
}
#endif

/// A truth value a lane.
struct PackMask {
  NativeMask v[native_count];

  LARMOR_INLINE friend PackMask operator&(const PackMask& a, const PackMask& b) {
    PackMask r;
    for (int n = 0; n < native_count; ++n) r.v[n] = a.v[n] & b.v[n];
    return r;
  }
  LARMOR_INLINE friend PackMask operator|(const PackMask& a, const PackMask& b) {
    PackMask r;
    for (int n = 0; n < native_count; ++n) r.v[n] = a.v[n] | b.v[n];
    return r;
  }
  LARMOR_INLINE bool lane(int l) const { return element(v, l) != 0; }
};

/// Eight 64-bit integers.
struct PackBits {
  NativeBits v[native_count];

  PackBits() = default;
  LARMOR_INLINE PackBits(std::uint64_t s) {
    for (int n = 0; n < native_count; ++n) v[n] = NativeBits{} + s;
  }
  LARMOR_INLINE void set(int l, std::uint64_t s) { element(v, l) = s; }
  LARMOR_INLINE std::uint64_t lane(int l) const { return element(v, l); }

#define LARMOR_BITS_OPERATOR(op)                                                    \
  LARMOR_INLINE friend PackBits operator op(const PackBits& a, const PackBits& b) { \
    PackBits r;                                                                     \
    for (int n = 0; n < native_count; ++n) r.v[n] = a.v[n] op b.v[n];               \
    return r;                                                                       \
  }
  LARMOR_BITS_OPERATOR(+)
  LARMOR_BITS_OPERATOR(-)
  LARMOR_BITS_OPERATOR(&)
  LARMOR_BITS_OPERATOR(|)
  LARMOR_BITS_OPERATOR(^)
#undef LARMOR_BITS_OPERATOR
  LARMOR_INLINE friend PackBits operator<<(const PackBits& a, int s) {
    PackBits r;
    for (int n = 0; n < native_count; ++n) r.v[n] = a.v[n] << s;
    return r;
  }
  LARMOR_INLINE friend PackBits operator>>(const PackBits& a, int s) {
    PackBits r;
    for (int n = 0; n < native_count; ++n) r.v[n] = a.v[n] >> s;
    return r;
  }
};

/// Product of the low 32 bits of each lane with a 32-bit constant, as 64 bits.
LARMOR_INLINE PackBits multiply_wide(const PackBits& a, std::uint32_t m) {
  PackBits r;
  for (int n = 0; n < native_count; ++n) r.v[n] = native_multiply_wide(a.v[n], m);
  return r;
}

/// Eight doubles.
struct Pack {
  NativeDouble v[native_count];

  Pack() = default;
  LARMOR_INLINE Pack(double s) {
    // s - 0 is s for every s, so this is a plain broadcast (0 + s would not be: -0).
    for (int n = 0; n < native_count; ++n) v[n] = s - NativeDouble{};
  }
  LARMOR_INLINE static Pack load(const double* p) {
    Pack r;
    for (int n = 0; n < native_count; ++n) r.v[n] = reinterpret_cast<const NativeUnaligned*>(p)[n];
    return r;
  }
  LARMOR_INLINE static Pack gather(const double* p, const std::int32_t* index) {
    Pack r;
    for (int l = 0; l < lane_count; ++l) element(r.v, l) = p[index[l]];
    return r;
  }
  LARMOR_INLINE void store(double* p) const {
    for (int n = 0; n < native_count; ++n) reinterpret_cast<NativeUnaligned*>(p)[n] = v[n];
  }
  LARMOR_INLINE double lane(int l) const { return element(v, l); }
  LARMOR_INLINE void set(int l, double s) { element(v, l) = s; }

#define LARMOR_PACK_OPERATOR(op)                                        \
  LARMOR_INLINE friend Pack operator op(const Pack& a, const Pack& b) { \
    Pack r;                                                             \
    for (int n = 0; n < native_count; ++n) r.v[n] = a.v[n] op b.v[n];   \
    return r;                                                           \
  }
  LARMOR_PACK_OPERATOR(+)
  LARMOR_PACK_OPERATOR(-)
  LARMOR_PACK_OPERATOR(*)
  LARMOR_PACK_OPERATOR(/)
#undef LARMOR_PACK_OPERATOR
#define LARMOR_PACK_COMPARISON(op)                                             \
  LARMOR_INLINE friend PackMask operator op(const Pack& a, const Pack& b) {    \
    PackMask r;                                                                \
    for (int n = 0; n < native_count; ++n) r.v[n] = as_mask(a.v[n] op b.v[n]); \
    return r;                                                                  \
  }
  LARMOR_PACK_COMPARISON(<)
  LARMOR_PACK_COMPARISON(<=)
  LARMOR_PACK_COMPARISON(>)
#undef LARMOR_PACK_COMPARISON
  LARMOR_INLINE friend Pack operator-(const Pack& a) {
    Pack r;
    for (int n = 0; n < native_count; ++n) r.v[n] = -a.v[n];
    return r;
  }
};

LARMOR_INLINE Pack select(const PackMask& m, const Pack& yes, const Pack& no) {
  Pack r;
  for (int n = 0; n < native_count; ++n) r.v[n] = m.v[n] ? yes.v[n] : no.v[n];
  return r;
}
LARMOR_INLINE Pack square_root(const Pack& a) {
  Pack r;
  for (int n = 0; n < native_count; ++n) r.v[n] = native_sqrt(a.v[n]);
  return r;
}
LARMOR_INLINE PackBits to_bits(const Pack& a) {
  PackBits r;
  for (int n = 0; n < native_count; ++n) r.v[n] = native_bits(a.v[n]);
  return r;
}
LARMOR_INLINE Pack from_bits(const PackBits& a) {
  Pack r;
  for (int n = 0; n < native_count; ++n) r.v[n] = native_double(a.v[n]);
  return r;
}
LARMOR_INLINE PackMask bit_is_set(const PackBits& a, int bit) {
  PackMask r;
  for (int n = 0; n < native_count; ++n) r.v[n] = as_mask(((a.v[n] >> bit) & 1u) != 0u);
  return r;
}
template <>
struct BitsOf<Pack> {
  using type = PackBits;
};
LARMOR_INLINE bool all_lanes(const PackMask& m) {
  NativeMask all = m.v[0];
  for (int n = 1; n < native_count; ++n) all &= m.v[n];
  bool every = true;
  for (int l = 0; l < native_lanes; ++l) every = every && element(&all, l) != 0;
  return every;
}
LARMOR_INLINE PackMask both(const PackMask& a, const PackMask& b) { return a & b; }

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
