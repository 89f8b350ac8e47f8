#pragma once
// Random bits for words of sites. One call of philox() (core/maths/philox.hpp) gives four numbers,
// which are four random planes of a 32-bit word. This file makes the calls for many words at once.
// BITS: the site of the call is the index of the word among those of its colour, with the colour in
// bit 39. Plane 4 b + i of a word is number i of block b.
//
// The counters of neighbouring words differ in only one of four numbers. Half of the first two
// rounds is therefore equal for all words, and RandomPlanes computes it once.

#include "larmor/core/maths/philox.hpp"
#include "larmor/ising/multispin/grid/lattice_view.hpp"
#include "larmor/ising/multispin/grid/words.hpp"

namespace larmor::ising {

/// BITS: rounds of Philox, ten for spins of regular grids and signs of bonds, and seven for
/// samples. With seven rounds, Philox passes all tests of BigCrush (Salmon et al. 2011).
inline constexpr int rounds_of_bits = 10, rounds_of_samples = 7;
/// BITS: number of planes of one call.
inline constexpr int planes_of_block = 4;
/// Number of blocks that are drawn for every word.
inline constexpr int blocks_for_all = 2;
inline constexpr int planes_for_all = blocks_for_all * planes_of_block;

inline namespace LARMOR_ISA_NAMESPACE {
namespace detail {

inline constexpr std::uint32_t multiplier_0 = 0xD2511F53u, multiplier_1 = 0xCD9E8D57u;
inline constexpr std::uint32_t weyl_0 = 0x9E3779B9u, weyl_1 = 0xBB67AE85u;

struct Product {
  std::uint32_t low, high;
};

LARMOR_INLINE Product product(std::uint32_t a, std::uint32_t m) {
#if defined(__CUDA_ARCH__)
  // This is one instruction. The compiler does not find it for a product of 64-bit numbers.
  Product p;
  asm("{ .reg .u64 p; mul.wide.u32 p, %2, %3; mov.b64 {%0, %1}, p; }"
      : "=r"(p.low), "=r"(p.high)
      : "r"(a), "r"(m));
  return p;
#else
  const std::uint64_t p = static_cast<std::uint64_t>(a) * m;
  return {static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(p >> 32)};
#endif
}

#if !defined(__CUDACC__)
/// Lanes of 64 bits with 32-bit numbers in their low halves. The high halves are undefined.
using Lanes = Native<double>::Bits;

LARMOR_INLINE Lanes lanes(std::uint32_t a) { return Lanes{} + a; }
LARMOR_INLINE Lanes xor_of(Lanes a, Lanes b, Lanes c) {
  return reinterpret_cast<Lanes>(xor3(reinterpret_cast<NativeWords>(a),
                                      reinterpret_cast<NativeWords>(b),
                                      reinterpret_cast<NativeWords>(c)));
}
LARMOR_INLINE NativeWords joined(Lanes even, Lanes odd) {
#if defined(__AVX512F__)
  return reinterpret_cast<NativeWords>(_mm512_mask_shuffle_epi32(
      reinterpret_cast<__m512i>(even), 0xaaaa, reinterpret_cast<__m512i>(odd), _MM_PERM_CCAA));
#elif defined(__AVX2__)
  return reinterpret_cast<NativeWords>(_mm256_blend_epi32(
      reinterpret_cast<__m256i>(even), reinterpret_cast<__m256i>(odd << 32), 0xaa));
#else
  return reinterpret_cast<NativeWords>((even & 0xffffffffull) | (odd << 32));
#endif
}

/// The keys of all rounds, in the form that vectors need.
template <int rounds>
struct RoundKeys {
  std::uint64_t key[rounds][2];
  LARMOR_INLINE explicit RoundKeys(std::uint64_t seed) {
    for (int round = 0; round < rounds; ++round) {
      key[round][0] = static_cast<std::uint32_t>(seed) + static_cast<std::uint32_t>(round) * weyl_0;
      key[round][1] =
          static_cast<std::uint32_t>(seed >> 32) + static_cast<std::uint32_t>(round) * weyl_1;
    }
  }
};

/// Does the rounds from `first` to the last, for several independent calls at once.
template <int first, int rounds, int calls>
LARMOR_INLINE void finish_rounds(const RoundKeys<rounds>& keys, Lanes (&c0)[calls],
                                 Lanes (&c1)[calls], Lanes (&c2)[calls], Lanes (&c3)[calls]) {
  LARMOR_UNROLL
  for (int round = first; round < rounds; ++round) {
    const Lanes k0 = Lanes{} + keys.key[round][0], k1 = Lanes{} + keys.key[round][1];
    LARMOR_UNROLL
    for (int n = 0; n < calls; ++n) {
      const Lanes p0 = native_multiply_wide(c0[n], multiplier_0);
      const Lanes p1 = native_multiply_wide(c2[n], multiplier_1);
      c0[n] = xor_of(p1 >> 32, c1[n], k0);
      c1[n] = p1;
      c2[n] = xor_of(p0 >> 32, c3[n], k1);
      c3[n] = p0;
    }
  }
}

/// Joins the results of calls to the planes of some blocks. Call 2 b of block b is for words at
/// even places, and call 2 b + 1 is for words at odd places.
template <int calls>
LARMOR_INLINE void join_planes(const Lanes (&c0)[calls], const Lanes (&c1)[calls],
                               const Lanes (&c2)[calls], const Lanes (&c3)[calls],
                               NativeWords (&plane)[calls / 2 * planes_of_block]) {
  LARMOR_UNROLL
  for (int b = 0; b < calls / 2; ++b) {
    plane[4 * b] = joined(c0[2 * b], c0[2 * b + 1]);
    plane[4 * b + 1] = joined(c1[2 * b], c1[2 * b + 1]);
    plane[4 * b + 2] = joined(c2[2 * b], c2[2 * b + 1]);
    plane[4 * b + 3] = joined(c3[2 * b], c3[2 * b + 1]);
  }
}
#endif

}  // namespace detail

template <int rounds>
class RandomPlanes {
  static_assert(rounds >= 4);

 public:
  /// @param words index >> 32 of all words @param replica counted from the key's first replica
  LARMOR_INLINE RandomPlanes(const RandomKey& key, std::uint64_t replica, int colour,
                             std::uint64_t words)
#if !defined(__CUDACC__)
      : keys_(key.seed)
#endif
  {
    using namespace detail;
    replica += key.first_replica;
    const auto low = static_cast<std::uint32_t>(key.seed);
    high_key_ = static_cast<std::uint32_t>(key.seed >> 32);
    const auto c1 = static_cast<std::uint32_t>(
        words | (static_cast<std::uint64_t>(colour) << (colour_bit_of_words - 32)) |
        ((key.step & 0xffffffull) << 8));
    const auto c2 =
        static_cast<std::uint32_t>(((key.step >> 24) & 0xffffull) | ((replica & 0xffffull) << 16));
    low_key_ = low;
    c3_ = static_cast<std::uint32_t>(replica >> 16) | (static_cast<std::uint32_t>(key.stream) << 8);
    const std::uint32_t c0 = product(c2, multiplier_1).high ^ c1 ^ low;
    second_0_ = (c2 * multiplier_1) ^ (low + weyl_0);
    second_2_ = product(c0, multiplier_0).high ^ (high_key_ + weyl_1);
    third_2_ = (c0 * multiplier_0) ^ (high_key_ + 2 * weyl_1);
  }

  /// Draws planes 4 block to 4 block + 3 of a word. @param word the low 32 bits of its index
  LARMOR_INLINE void draw(std::uint32_t word, std::uint32_t block,
                          std::uint32_t (&plane)[planes_of_block]) const {
    using namespace detail;
    Product p0 = product(word, multiplier_0), p1 = product(p0.high ^ first_2(block), multiplier_1);
    std::uint32_t c0 = p1.high ^ second_0_, c1 = p1.low, c2 = p0.low ^ second_2_;
    p0 = product(c0, multiplier_0);
    p1 = product(c2, multiplier_1);
    c0 = p1.high ^ c1 ^ (low_key_ + 2 * weyl_0);
    c1 = p1.low;
    c2 = p0.high ^ third_2_;
    std::uint32_t c3 = p0.low;
    LARMOR_UNROLL
    for (int round = 3; round < rounds; ++round) {
      p0 = product(c0, multiplier_0);
      p1 = product(c2, multiplier_1);
      c0 = p1.high ^ c1 ^ (low_key_ + static_cast<std::uint32_t>(round) * weyl_0);
      c1 = p1.low;
      c2 = p0.high ^ c3 ^ (high_key_ + static_cast<std::uint32_t>(round) * weyl_1);
      c3 = p0.low;
    }
    plane[0] = c0;
    plane[1] = c1;
    plane[2] = c2;
    plane[3] = c3;
  }

  /// Draws the planes of the blocks that every word needs.
  LARMOR_INLINE void draw_for_all(std::uint32_t word,
                                  std::uint32_t (&plane)[planes_for_all]) const {
    LARMOR_UNROLL
    for (int b = 0; b < blocks_for_all; ++b) {
      std::uint32_t drawn[planes_of_block];
      draw(word, static_cast<std::uint32_t>(b), drawn);
      for (int n = 0; n < planes_of_block; ++n) plane[b * planes_of_block + n] = drawn[n];
    }
  }

#if defined(__CUDACC__)
  template <int n>
  LARMOR_INLINE void draw(const WordGroup<n>& words, std::uint32_t block,
                          WordGroup<n> (&plane)[planes_of_block]) const {
    LARMOR_UNROLL
    for (int i = 0; i < n; ++i) {
      std::uint32_t drawn[planes_of_block];
      draw(words.w[i], block, drawn);
      LARMOR_UNROLL
      for (int k = 0; k < planes_of_block; ++k) plane[k].w[i] = drawn[k];
    }
  }
  template <int n>
  LARMOR_INLINE void draw_for_all(const WordGroup<n>& words,
                                  WordGroup<n> (&plane)[planes_for_all]) const {
    LARMOR_UNROLL
    for (int i = 0; i < n; ++i) {
      std::uint32_t drawn[planes_for_all];
      draw_for_all(words.w[i], drawn);
      LARMOR_UNROLL
      for (int k = 0; k < planes_for_all; ++k) plane[k].w[i] = drawn[k];
    }
  }
#else
  LARMOR_INLINE void draw(NativeWords words, std::uint32_t block,
                          NativeWords (&plane)[planes_of_block]) const {
    draw_blocks<1>(words, block, plane);
  }
  LARMOR_INLINE void draw_for_all(NativeWords words, NativeWords (&plane)[planes_for_all]) const {
    draw_blocks<blocks_for_all>(words, 0, plane);
  }

 private:
  /// Computes all calls together, round by round. The calls are independent, so a processor can
  /// overlap them.
  template <int blocks>
  LARMOR_INLINE void draw_blocks(NativeWords words, std::uint32_t block,
                                 NativeWords (&plane)[blocks * planes_of_block]) const {
    using namespace detail;
    // Products of 32-bit numbers have 64 bits, so even and odd words are computed separately.
    constexpr int calls = 2 * blocks;
    Lanes c0[calls], c1[calls], c2[calls], c3[calls], first[2];
    first[0] = native_multiply_wide(reinterpret_cast<Lanes>(words), multiplier_0);
    first[1] = native_multiply_wide(reinterpret_cast<Lanes>(words) >> 32, multiplier_0);
    LARMOR_UNROLL
    for (int n = 0; n < calls; ++n) {
      const auto of_block = lanes(first_2(block + static_cast<std::uint32_t>(n / 2)));
      c1[n] = native_multiply_wide((first[n % 2] >> 32) ^ of_block, multiplier_1);
      c2[n] = first[n % 2] ^ lanes(second_2_);
      c0[n] = (c1[n] >> 32) ^ lanes(second_0_);
    }
    LARMOR_UNROLL
    for (int n = 0; n < calls; ++n) {
      c3[n] = native_multiply_wide(c0[n], multiplier_0);
      const Lanes p1 = native_multiply_wide(c2[n], multiplier_1);
      c0[n] = xor_of(p1 >> 32, c1[n], lanes(low_key_ + 2 * weyl_0));
      c1[n] = p1;
      c2[n] = (c3[n] >> 32) ^ lanes(third_2_);
    }
    finish_rounds<3>(keys_, c0, c1, c2, c3);
    join_planes(c0, c1, c2, c3, plane);
  }
#endif

 private:
  LARMOR_INLINE std::uint32_t first_2(std::uint32_t block) const {
    return c3_ ^ (block << 16) ^ high_key_;
  }

  std::uint32_t low_key_, high_key_, c3_;
  /// Numbers that are equal for all words: numbers 0 and 2 of the second round, and number 2 of the
  /// third round.
  std::uint32_t second_0_, second_2_, third_2_;
#if !defined(__CUDACC__)
  detail::RoundKeys<rounds> keys_;
#endif
};

using BitPlanes = RandomPlanes<rounds_of_bits>;
using SamplePlanes = RandomPlanes<rounds_of_samples>;

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
