#pragma once
// Packs of eight lanes, the number type of CPU kernels. Physics code is written over `Real`, which
// is a pack here, and `double` or `float` on a GPU or in the slow reference. The free functions
// below (select, square_root, ...) exist for all these types.
//
// A pack is an array of the widest native vectors of the instruction set. So it always has eight
// lanes, in one, two or four registers. nvcc has no vector types. In a file that nvcc compiles, a
// pack is eight plain numbers, for rare loops on the CPU.

#if defined(__SSE2__) && !defined(__CUDACC__)
#if defined(__AVX__)
#include <immintrin.h>
#else
#include <emmintrin.h>  // takes a tenth of the time to compile
#endif
#endif

#include <cmath>
#include <cstdint>
#include <cstring>

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/maths/scalar_lanes.hpp"
#include "larmor/core/types.hpp"

namespace larmor {

/// Number of lanes of a pack, and of replicas of a block, on every instruction set.
inline constexpr int lane_count = 8;

inline namespace LARMOR_ISA_NAMESPACE {

/// Native vectors of T, of integers of its width, and of truth values.
template <class T>
struct Native;

#if defined(__CUDACC__)
template <>
struct Native<double> {
  static constexpr int lanes = 1;
  using Number = double;
  using Unaligned = double;
  using Bits = std::uint64_t;
  using Mask = std::int64_t;
};
template <>
struct Native<float> {
  static constexpr int lanes = 1;
  using Number = float;
  using Unaligned = float;
  using Bits = std::uint32_t;
  using Mask = std::int32_t;
};

LARMOR_INLINE std::int64_t as_mask(double, bool a) { return a ? -1 : 0; }
LARMOR_INLINE std::int32_t as_mask(float, bool a) { return a ? -1 : 0; }
LARMOR_INLINE double native_sqrt(double a) { return ::sqrt(a); }
LARMOR_INLINE float native_sqrt(float a) { return ::sqrtf(a); }
LARMOR_INLINE std::uint64_t native_multiply_wide(std::uint64_t a, std::uint32_t m) {
  return multiply_wide(a, m);
}
template <class Vector>
LARMOR_INLINE Vector& element(Vector* v, int l) {
  return v[l];
}
template <class Vector>
LARMOR_INLINE Vector element(const Vector* v, int l) {
  return v[l];
}
#else
#if defined(__AVX512F__)
inline constexpr int native_bytes = 64;
#elif defined(__AVX__)
inline constexpr int native_bytes = 32;
#else
inline constexpr int native_bytes = 16;
#endif
/// Eight floats take only 32 bytes.
inline constexpr int native_float_bytes = native_bytes < 32 ? native_bytes : 32;

template <>
struct Native<double> {
  static constexpr int lanes = native_bytes / 8;
  typedef double Number __attribute__((vector_size(native_bytes), may_alias));
  /// A vector in memory that is aligned only as a number is.
  typedef double Unaligned __attribute__((vector_size(native_bytes), may_alias, aligned(8)));
  typedef std::uint64_t Bits __attribute__((vector_size(native_bytes), may_alias));
  typedef std::int64_t Mask __attribute__((vector_size(native_bytes), may_alias));
};
template <>
struct Native<float> {
  static constexpr int lanes = native_float_bytes / 4;
  typedef float Number __attribute__((vector_size(native_float_bytes), may_alias));
  typedef float Unaligned __attribute__((vector_size(native_float_bytes), may_alias, aligned(4)));
  typedef std::uint32_t Bits __attribute__((vector_size(native_float_bytes), may_alias));
  typedef std::int32_t Mask __attribute__((vector_size(native_float_bytes), may_alias));
};

LARMOR_INLINE Native<double>::Number native_sqrt(Native<double>::Number a) {
#if defined(__AVX512F__)
  return _mm512_sqrt_pd(a);
#elif defined(__AVX__)
  return _mm256_sqrt_pd(a);
#elif defined(__SSE2__)
  return _mm_sqrt_pd(a);
#else
  for (int l = 0; l < Native<double>::lanes; ++l) a[l] = std::sqrt(a[l]);
  return a;
#endif
}
LARMOR_INLINE Native<float>::Number native_sqrt(Native<float>::Number a) {
#if defined(__AVX__)
  return _mm256_sqrt_ps(a);
#elif defined(__SSE2__)
  return _mm_sqrt_ps(a);
#else
  for (int l = 0; l < Native<float>::lanes; ++l) a[l] = std::sqrt(a[l]);
  return a;
#endif
}
template <class Comparison>
LARMOR_INLINE Native<double>::Mask as_mask(const Native<double>::Number&, Comparison a) {
  return reinterpret_cast<Native<double>::Mask>(a);
}
template <class Comparison>
LARMOR_INLINE Native<float>::Mask as_mask(const Native<float>::Number&, Comparison a) {
  return reinterpret_cast<Native<float>::Mask>(a);
}
LARMOR_INLINE Native<double>::Bits native_multiply_wide(Native<double>::Bits a, std::uint32_t m) {
  using Bits = Native<double>::Bits;
#if defined(__AVX512F__)
  return reinterpret_cast<Bits>(
      _mm512_mul_epu32(reinterpret_cast<__m512i>(a), _mm512_set1_epi64(m)));
#elif defined(__AVX2__)
  return reinterpret_cast<Bits>(
      _mm256_mul_epu32(reinterpret_cast<__m256i>(a), _mm256_set1_epi64x(m)));
#elif defined(__SSE2__) && !defined(__AVX__)
  return reinterpret_cast<Bits>(_mm_mul_epu32(reinterpret_cast<__m128i>(a), _mm_set1_epi64x(m)));
#else
  return (a & 0xffffffffu) * static_cast<std::uint64_t>(m);
#endif
}
template <class Vector>
LARMOR_INLINE decltype(auto) element(Vector* v, int l) {
  constexpr int lanes = static_cast<int>(sizeof(v[0]) / sizeof(v[0][0]));
  return v[l / lanes][l % lanes];
}
#endif

template <class T>
inline constexpr int native_count = lane_count / Native<T>::lanes;

/// These macros act on the vectors v[n] of a pack of T, or on its lanes l. They are not loops:
/// there would be thousands of loops, and the compiler unrolls them late. BITS: how GCC pairs
/// products and sums in the relaxation of spins depends on this choice (LARMOR_PACKS_IN_LOOPS).
#if defined(__CUDACC__) || defined(LARMOR_PACKS_IN_LOOPS)
#define LARMOR_EACH_VECTOR(T, ...) \
  for (int n = 0; n < native_count<T>; ++n) __VA_ARGS__
#define LARMOR_EACH_LANE(...) \
  for (int l = 0; l < lane_count; ++l) __VA_ARGS__
#else
#define LARMOR_ONE_VECTOR(number, T, ...)                    \
  if constexpr (number < native_count<T>) {                  \
    constexpr int n = number < native_count<T> ? number : 0; \
    __VA_ARGS__;                                             \
  }
#define LARMOR_EACH_VECTOR(T, ...)     \
  LARMOR_ONE_VECTOR(0, T, __VA_ARGS__) \
  LARMOR_ONE_VECTOR(1, T, __VA_ARGS__) \
  LARMOR_ONE_VECTOR(2, T, __VA_ARGS__) \
  LARMOR_ONE_VECTOR(3, T, __VA_ARGS__)
#define LARMOR_ONE_LANE(number, ...) \
  {                                  \
    constexpr int l = number;        \
    __VA_ARGS__;                     \
  }
#define LARMOR_FOUR_LANES(first, ...)     \
  LARMOR_ONE_LANE(first, __VA_ARGS__)     \
  LARMOR_ONE_LANE(first + 1, __VA_ARGS__) \
  LARMOR_ONE_LANE(first + 2, __VA_ARGS__) \
  LARMOR_ONE_LANE(first + 3, __VA_ARGS__)
#define LARMOR_EACH_LANE(...)       \
  LARMOR_FOUR_LANES(0, __VA_ARGS__) \
  LARMOR_FOUR_LANES(4, __VA_ARGS__)
#endif

/// One truth value per lane of a pack of T.
template <class T>
struct PackMaskOf {
  typename Native<T>::Mask v[native_count<T>];

  LARMOR_INLINE friend PackMaskOf operator&(const PackMaskOf& a, const PackMaskOf& b) {
    PackMaskOf r;
    LARMOR_EACH_VECTOR(T, r.v[n] = a.v[n] & b.v[n]);
    return r;
  }
  LARMOR_INLINE friend PackMaskOf operator|(const PackMaskOf& a, const PackMaskOf& b) {
    PackMaskOf r;
    LARMOR_EACH_VECTOR(T, r.v[n] = a.v[n] | b.v[n]);
    return r;
  }
  LARMOR_INLINE bool lane(int l) const { return element(v, l) != 0; }
};

/// Eight integers of the width of T.
template <class T>
struct PackBitsOf {
  using Word = typename LaneTypes<T>::Bits;
  typename Native<T>::Bits v[native_count<T>];

  PackBitsOf() = default;
  LARMOR_INLINE PackBitsOf(Word s) { LARMOR_EACH_VECTOR(T, v[n] = typename Native<T>::Bits{} + s); }
  LARMOR_INLINE void set(int l, Word s) { element(v, l) = s; }
  LARMOR_INLINE Word lane(int l) const { return element(v, l); }

#define LARMOR_BITS_OPERATOR(op)                                                          \
  LARMOR_INLINE friend PackBitsOf operator op(const PackBitsOf& a, const PackBitsOf& b) { \
    PackBitsOf r;                                                                         \
    LARMOR_EACH_VECTOR(T, r.v[n] = a.v[n] op b.v[n]);                                     \
    return r;                                                                             \
  }
  LARMOR_BITS_OPERATOR(+)
  LARMOR_BITS_OPERATOR(-)
  LARMOR_BITS_OPERATOR(&)
  LARMOR_BITS_OPERATOR(|)
  LARMOR_BITS_OPERATOR(^)
#undef LARMOR_BITS_OPERATOR
  LARMOR_INLINE friend PackBitsOf operator<<(const PackBitsOf& a, int s) {
    PackBitsOf r;
    LARMOR_EACH_VECTOR(T, r.v[n] = a.v[n] << s);
    return r;
  }
  LARMOR_INLINE friend PackBitsOf operator>>(const PackBitsOf& a, int s) {
    PackBitsOf r;
    LARMOR_EACH_VECTOR(T, r.v[n] = a.v[n] >> s);
    return r;
  }
};

/// Eight 64-bit integers: sites, replicas and random words.
using PackBits = PackBitsOf<double>;

/// Product of the low 32 bits of each lane with a 32-bit constant, as 64 bits.
LARMOR_INLINE PackBits multiply_wide(const PackBits& a, std::uint32_t m) {
  PackBits r;
  LARMOR_EACH_VECTOR(double, r.v[n] = native_multiply_wide(a.v[n], m));
  return r;
}

/// The low 32 bits of each lane.
LARMOR_INLINE PackBitsOf<float> low_word(const PackBits& a) {
  PackBitsOf<float> r;
#if defined(__CUDACC__)
  for (int l = 0; l < lane_count; ++l) r.v[l] = low_word(a.v[l]);
#elif defined(__AVX512F__)
  r.v[0] = __builtin_convertvector(a.v[0], Native<float>::Bits);
#elif defined(__AVX__)
  using Bits = Native<float>::Bits;
  r.v[0] = __builtin_shufflevector(reinterpret_cast<Bits>(a.v[0]), reinterpret_cast<Bits>(a.v[1]),
                                   0, 2, 4, 6, 8, 10, 12, 14);
#else
  using Bits = Native<float>::Bits;
  LARMOR_EACH_VECTOR(
      float, r.v[n] = __builtin_shufflevector(reinterpret_cast<Bits>(a.v[2 * n]),
                                              reinterpret_cast<Bits>(a.v[2 * n + 1]), 0, 2, 4, 6));
#endif
  return r;
}

/// Eight numbers.
template <class T>
struct PackOf {
  typename Native<T>::Number v[native_count<T>];

  PackOf() = default;
  LARMOR_INLINE PackOf(T s) {
    // s - 0 is s for every s, so this is a plain broadcast (0 + s would not be: -0).
    LARMOR_EACH_VECTOR(T, v[n] = s - typename Native<T>::Number{});
  }
  LARMOR_INLINE static PackOf load(const T* p) {
    PackOf r;
    LARMOR_EACH_VECTOR(T, r.v[n] = reinterpret_cast<const typename Native<T>::Unaligned*>(p)[n]);
    return r;
  }
  LARMOR_INLINE static PackOf gather(const T* p, const std::int32_t* index) {
    PackOf r;
    LARMOR_EACH_LANE(element(r.v, l) = p[index[l]]);
    return r;
  }
  LARMOR_INLINE void store(T* p) const {
    LARMOR_EACH_VECTOR(T, reinterpret_cast<typename Native<T>::Unaligned*>(p)[n] = v[n]);
  }
  LARMOR_INLINE T lane(int l) const { return element(v, l); }
  LARMOR_INLINE void set(int l, T s) { element(v, l) = s; }

#define LARMOR_PACK_OPERATOR(op)                                              \
  LARMOR_INLINE friend PackOf operator op(const PackOf& a, const PackOf& b) { \
    PackOf r;                                                                 \
    LARMOR_EACH_VECTOR(T, r.v[n] = a.v[n] op b.v[n]);                         \
    return r;                                                                 \
  }
  LARMOR_PACK_OPERATOR(+)
  LARMOR_PACK_OPERATOR(-)
  LARMOR_PACK_OPERATOR(*)
  LARMOR_PACK_OPERATOR(/)
#undef LARMOR_PACK_OPERATOR
#define LARMOR_PACK_COMPARISON(op)                                                   \
  LARMOR_INLINE friend PackMaskOf<T> operator op(const PackOf& a, const PackOf& b) { \
    PackMaskOf<T> r;                                                                 \
    LARMOR_EACH_VECTOR(T, r.v[n] = as_mask(a.v[n], a.v[n] op b.v[n]));               \
    return r;                                                                        \
  }
  LARMOR_PACK_COMPARISON(<)
  LARMOR_PACK_COMPARISON(<=)
  LARMOR_PACK_COMPARISON(>)
#undef LARMOR_PACK_COMPARISON
  LARMOR_INLINE friend PackOf operator-(const PackOf& a) {
    PackOf r;
    LARMOR_EACH_VECTOR(T, r.v[n] = -a.v[n]);
    return r;
  }
};

/// Eight doubles.
using Pack = PackOf<double>;

template <class T>
LARMOR_INLINE PackOf<T> select(const PackMaskOf<T>& m, const PackOf<T>& yes, const PackOf<T>& no) {
  PackOf<T> r;
  LARMOR_EACH_VECTOR(T, r.v[n] = m.v[n] ? yes.v[n] : no.v[n]);
  return r;
}
template <class T>
LARMOR_INLINE PackOf<T> square_root(const PackOf<T>& a) {
  PackOf<T> r;
  LARMOR_EACH_VECTOR(T, r.v[n] = native_sqrt(a.v[n]));
  return r;
}
template <class T>
LARMOR_INLINE PackBitsOf<T> to_bits(const PackOf<T>& a) {
  PackBitsOf<T> r;
#if defined(__CUDACC__)
  LARMOR_EACH_VECTOR(T, r.v[n] = to_bits(a.v[n]));
#else
  LARMOR_EACH_VECTOR(T, r.v[n] = reinterpret_cast<typename Native<T>::Bits>(a.v[n]));
#endif
  return r;
}
template <class T>
LARMOR_INLINE PackOf<T> from_bits(const PackBitsOf<T>& a) {
  PackOf<T> r;
#if defined(__CUDACC__)
  LARMOR_EACH_VECTOR(T, r.v[n] = from_bits(a.v[n]));
#else
  LARMOR_EACH_VECTOR(T, r.v[n] = reinterpret_cast<typename Native<T>::Number>(a.v[n]));
#endif
  return r;
}
template <class T>
LARMOR_INLINE PackMaskOf<T> bit_is_set(const PackBitsOf<T>& a, int bit) {
  PackMaskOf<T> r;
  LARMOR_EACH_VECTOR(T,
                     r.v[n] = as_mask(typename Native<T>::Number{}, ((a.v[n] >> bit) & 1u) != 0u));
  return r;
}
template <class T>
struct LaneTypes<PackOf<T>> {
  using Scalar = T;
  using Bits = PackBitsOf<T>;
  using Words = PackBits;
};
template <class T>
LARMOR_INLINE bool all_lanes(const PackMaskOf<T>& m) {
  auto all = m.v[0];
  for (int n = 1; n < native_count<T>; ++n) all &= m.v[n];
  bool every = true;
  for (int l = 0; l < Native<T>::lanes; ++l) every = every && element(&all, l) != 0;
  return every;
}
template <class T>
LARMOR_INLINE PackMaskOf<T> both(const PackMaskOf<T>& a, const PackMaskOf<T>& b) {
  return a & b;
}

/// x converted to another number type.
template <class To, class From>
LARMOR_INLINE To converted(const PackOf<From>& x) {
  if constexpr (same_type<To, PackOf<From>>) {
    return x;
  } else {
    To r;
    LARMOR_EACH_LANE(r.set(l, static_cast<ScalarOf<To>>(x.lane(l))));
    return r;
  }
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
