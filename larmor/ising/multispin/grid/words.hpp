#pragma once
// Packs of 32-bit words with one bit per site. Such a pack is the word type W of the update. On a
// CPU, W is the widest native vector of the instruction set (16, 8 or 4 words). In a CUDA thread, W
// is one std::uint32_t or a WordGroup.

#include "larmor/core/maths/pack.hpp"

/// Stands before a loop that must be unrolled.
#if defined(__CUDA_ARCH__)
#define LARMOR_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define LARMOR_UNROLL
#else
#define LARMOR_UNROLL _Pragma("GCC unroll 16")
#endif

namespace larmor::ising {
inline namespace LARMOR_ISA_NAMESPACE {

#if defined(__CUDACC__)
using NativeWords = std::uint32_t;
#else
typedef std::uint32_t NativeWords __attribute__((vector_size(native_bytes)));
typedef std::uint32_t UnalignedWords
    __attribute__((vector_size(native_bytes), may_alias, aligned(4)));
#endif

template <class W>
inline constexpr int words_in = static_cast<int>(sizeof(W) / sizeof(std::uint32_t));

LARMOR_INLINE void load(std::uint32_t& w, const std::uint32_t* p) { w = *p; }
LARMOR_INLINE void store(std::uint32_t* p, std::uint32_t w) { *p = w; }
LARMOR_INLINE void set_word(std::uint32_t& w, int, std::uint32_t value) { w = value; }
LARMOR_INLINE void spread(std::uint32_t& w, std::uint32_t value) { w = value; }
LARMOR_INLINE bool any(std::uint32_t w) { return w != 0; }
/// All ones if a word is not 0.
LARMOR_INLINE std::uint32_t is_set(std::uint32_t w) { return w != 0 ? ~0u : 0u; }
LARMOR_INLINE int count_ones(std::uint32_t w) {
#if defined(__CUDA_ARCH__)
  return __popc(w);
#else
  return __builtin_popcount(w);
#endif
}

LARMOR_INLINE std::uint32_t xor3(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return a ^ b ^ c;
}
LARMOR_INLINE std::uint32_t majority(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return (a & b) | (c & (a | b));
}
/// The bits of a, and the bits that b and c have in common: a | b & c.
LARMOR_INLINE std::uint32_t or_both(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return a | (b & c);
}
/// Is the random number less than the threshold, if this digit and all lower digits are compared?
/// @param less the answer if only all lower digits are compared
LARMOR_INLINE std::uint32_t less_from(std::uint32_t threshold, std::uint32_t random,
                                      std::uint32_t less) {
  return (threshold & ~random) | (~(threshold ^ random) & less);
}
/// The bits of `open` at which both digits are equal.
LARMOR_INLINE std::uint32_t still_open(std::uint32_t open, std::uint32_t threshold,
                                       std::uint32_t random) {
  return open & ~(threshold ^ random);
}
/// At each bit, takes the bit of `yes` if the bit of `mask` is 1, and otherwise the bit of `no`.
LARMOR_INLINE std::uint32_t choose(std::uint32_t mask, std::uint32_t yes, std::uint32_t no) {
  return (mask & yes) | (~mask & no);
}

#if defined(__CUDACC__)
/// A group of adjacent words of a thread. The thread computes the place of the group and the digits
/// of probabilities only once.
template <int n>
struct alignas(4 * n) WordGroup {
  std::uint32_t w[n];
};

#define LARMOR_EACH_WORD(expression)                      \
  WordGroup<n> result;                                    \
  LARMOR_UNROLL                                           \
  for (int i = 0; i < n; ++i) result.w[i] = (expression); \
  return result
template <int n>
LARMOR_INLINE WordGroup<n> operator&(const WordGroup<n>& a, const WordGroup<n>& b) {
  LARMOR_EACH_WORD(a.w[i] & b.w[i]);
}
template <int n>
LARMOR_INLINE WordGroup<n> operator|(const WordGroup<n>& a, const WordGroup<n>& b) {
  LARMOR_EACH_WORD(a.w[i] | b.w[i]);
}
template <int n>
LARMOR_INLINE WordGroup<n> operator^(const WordGroup<n>& a, const WordGroup<n>& b) {
  LARMOR_EACH_WORD(a.w[i] ^ b.w[i]);
}
template <int n>
LARMOR_INLINE WordGroup<n> operator^(const WordGroup<n>& a, std::uint32_t b) {
  LARMOR_EACH_WORD(a.w[i] ^ b);
}
template <int n>
LARMOR_INLINE WordGroup<n> operator&(const WordGroup<n>& a, std::uint32_t b) {
  LARMOR_EACH_WORD(a.w[i] & b);
}
template <int n>
LARMOR_INLINE WordGroup<n> operator~(const WordGroup<n>& a) {
  LARMOR_EACH_WORD(~a.w[i]);
}
template <int n>
LARMOR_INLINE WordGroup<n> operator<<(const WordGroup<n>& a, int bits) {
  LARMOR_EACH_WORD(a.w[i] << bits);
}
template <int n>
LARMOR_INLINE WordGroup<n> operator>>(const WordGroup<n>& a, int bits) {
  LARMOR_EACH_WORD(a.w[i] >> bits);
}
template <int n>
LARMOR_INLINE WordGroup<n> xor3(const WordGroup<n>& a, const WordGroup<n>& b,
                                const WordGroup<n>& c) {
  LARMOR_EACH_WORD(xor3(a.w[i], b.w[i], c.w[i]));
}
template <int n>
LARMOR_INLINE WordGroup<n> majority(const WordGroup<n>& a, const WordGroup<n>& b,
                                    const WordGroup<n>& c) {
  LARMOR_EACH_WORD(majority(a.w[i], b.w[i], c.w[i]));
}
template <int n>
LARMOR_INLINE WordGroup<n> or_both(const WordGroup<n>& a, const WordGroup<n>& b,
                                   const WordGroup<n>& c) {
  LARMOR_EACH_WORD(or_both(a.w[i], b.w[i], c.w[i]));
}
template <int n>
LARMOR_INLINE WordGroup<n> less_from(const WordGroup<n>& threshold, const WordGroup<n>& random,
                                     const WordGroup<n>& less) {
  LARMOR_EACH_WORD(less_from(threshold.w[i], random.w[i], less.w[i]));
}
template <int n>
LARMOR_INLINE WordGroup<n> still_open(const WordGroup<n>& open, const WordGroup<n>& threshold,
                                      const WordGroup<n>& random) {
  LARMOR_EACH_WORD(still_open(open.w[i], threshold.w[i], random.w[i]));
}
#undef LARMOR_EACH_WORD
template <int n>
LARMOR_INLINE void load(WordGroup<n>& w, const std::uint32_t* p) {
  w = *reinterpret_cast<const WordGroup<n>*>(p);
}
template <int n>
LARMOR_INLINE void store(std::uint32_t* p, const WordGroup<n>& w) {
  *reinterpret_cast<WordGroup<n>*>(p) = w;
}
template <int n>
LARMOR_INLINE void set_word(WordGroup<n>& w, int i, std::uint32_t value) {
  w.w[i] = value;
}
template <int n>
LARMOR_INLINE void spread(WordGroup<n>& w, std::uint32_t value) {
  for (int i = 0; i < n; ++i) w.w[i] = value;
}
template <int n>
LARMOR_INLINE bool any(const WordGroup<n>& w) {
  std::uint32_t all = 0;
  for (int i = 0; i < n; ++i) all |= w.w[i];
  return all != 0;
}
#else
LARMOR_INLINE void load(NativeWords& w, const std::uint32_t* p) {
  w = *reinterpret_cast<const UnalignedWords*>(p);
}
LARMOR_INLINE void store(std::uint32_t* p, NativeWords w) {
  *reinterpret_cast<UnalignedWords*>(p) = w;
}
LARMOR_INLINE void set_word(NativeWords& w, int n, std::uint32_t value) { w[n] = value; }
LARMOR_INLINE void spread(NativeWords& w, std::uint32_t value) { w = NativeWords{} + value; }
LARMOR_INLINE bool any(NativeWords w) {
#if defined(__AVX512F__)
  const auto v = reinterpret_cast<__m512i>(w);
  return _mm512_test_epi32_mask(v, v) != 0;
#elif defined(__AVX__)
  const auto v = reinterpret_cast<__m256i>(w);
  return _mm256_testz_si256(v, v) == 0;
#else
  const auto v = reinterpret_cast<Native<double>::Bits>(w);
  return (v[0] | v[1]) != 0;
#endif
}
LARMOR_INLINE NativeWords is_set(NativeWords w) { return reinterpret_cast<NativeWords>(w != 0u); }
LARMOR_INLINE int count_ones(NativeWords w) {
  const auto v = reinterpret_cast<Native<double>::Bits>(w);
  int ones = 0;
  for (int n = 0; n < Native<double>::lanes; ++n) ones += __builtin_popcountll(v[n]);
  return ones;
}

/// A mask in which bit n says whether word n is not 0.
LARMOR_INLINE unsigned words_set(NativeWords w) {
#if defined(__AVX512F__)
  const auto v = reinterpret_cast<__m512i>(w);
  return _mm512_test_epi32_mask(v, v);
#elif defined(__AVX__)
  return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(w != 0u)));
#elif defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(w != 0u)));
#else
  unsigned set = 0;
  for (int n = 0; n < static_cast<int>(sizeof(w) / 4); ++n) set |= (w[n] != 0u ? 1u : 0u) << n;
  return set;
#endif
}
/// Stores the chosen words of w one after the other. It may overwrite as many words at p as a
/// vector has.
LARMOR_INLINE void store_some(std::uint32_t* p, NativeWords w, unsigned some) {
#if defined(__AVX512F__)
  _mm512_storeu_si512(
      p, _mm512_maskz_compress_epi32(static_cast<__mmask16>(some), reinterpret_cast<__m512i>(w)));
#elif defined(__AVX2__) && defined(__BMI2__)
  const std::uint64_t bytes = _pdep_u64(some, 0x0101010101010101ull) * 0xff;
  const auto places = static_cast<long long>(_pext_u64(0x0706050403020100ull, bytes));
  const __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(places));
  store(p, reinterpret_cast<NativeWords>(
               _mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(w), order)));
#else
  for (; some != 0; some &= some - 1) *p++ = w[__builtin_ctz(some)];
#endif
}

// GCC does not find three-operand logic by itself in every expression.
#if defined(__AVX512F__)
#define LARMOR_LOGIC(table, plain)                                                      \
  reinterpret_cast<NativeWords>(_mm512_ternarylogic_epi32(reinterpret_cast<__m512i>(a), \
                                                          reinterpret_cast<__m512i>(b), \
                                                          reinterpret_cast<__m512i>(c), table))
#else
#define LARMOR_LOGIC(table, plain) plain
#endif
LARMOR_INLINE NativeWords xor3(NativeWords a, NativeWords b, NativeWords c) {
  return LARMOR_LOGIC(0x96, (a ^ b ^ c));
}
LARMOR_INLINE NativeWords majority(NativeWords a, NativeWords b, NativeWords c) {
  return LARMOR_LOGIC(0xe8, ((a & b) | (c & (a | b))));
}
LARMOR_INLINE NativeWords or_both(NativeWords a, NativeWords b, NativeWords c) {
  return LARMOR_LOGIC(0xf8, (a | (b & c)));
}
LARMOR_INLINE NativeWords less_from(NativeWords a, NativeWords b, NativeWords c) {
  return LARMOR_LOGIC(0xb2, ((a & ~b) | (~(a ^ b) & c)));
}
LARMOR_INLINE NativeWords still_open(NativeWords a, NativeWords b, NativeWords c) {
  return LARMOR_LOGIC(0x90, (a & ~(b ^ c)));
}
LARMOR_INLINE NativeWords choose(NativeWords a, NativeWords b, NativeWords c) {
  return LARMOR_LOGIC(0xca, ((a & b) | (~a & c)));
}
#undef LARMOR_LOGIC
#endif

template <class W>
LARMOR_INLINE W loaded(const std::uint32_t* p) {
  W w;
  load(w, p);
  return w;
}
template <class W>
LARMOR_INLINE W spread_word(std::uint32_t value) {
  W w;
  spread(w, value);
  return w;
}
#if !defined(__CUDACC__)
/// Returns a vector of words unchanged, since its words may already differ.
template <class W>
LARMOR_INLINE W spread_word(NativeWords words) {
  return words;
}
#endif

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
