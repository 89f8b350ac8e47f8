#pragma once
// The numbers of RandomPlanes (ising/multispin/grid/random_planes.hpp) for vectors of adjacent
// 32-bit halves at one site. In the random key, the replica differs from half to half. Half of the
// first two rounds depends only on the halves, and half of the first round only on the site.

#include "larmor/ising/multispin/grid/random_planes.hpp"

namespace larmor::ising {
inline namespace LARMOR_ISA_NAMESPACE {

class HalfPlanes {
  using Lanes = detail::Lanes;

 public:
  /// @param first_half number of the vector's first half, counted from the key's first replica
  LARMOR_INLINE HalfPlanes(const RandomKey& key, std::uint64_t first_half) : keys_(key.seed) {
    using namespace detail;
    const std::uint64_t first = key.first_replica + first_half;
    c1_ = static_cast<std::uint32_t>((key.step & 0xffffffull) << 8);
    for (int odd = 0; odd < 2; ++odd) {
      Lanes replica;
      for (int n = 0; n < Native<double>::lanes; ++n)
        replica[n] = first + static_cast<std::uint64_t>(2 * n + odd);
      c2_[odd] = ((replica & 0xffffull) << 16) | ((key.step >> 24) & 0xffffull);
      c3_[odd] = ((replica >> 16) & 0xffull) | (static_cast<std::uint64_t>(key.stream) << 8);
      const Lanes p1 = native_multiply_wide(c2_[odd], multiplier_1);
      const Lanes c0 = (p1 >> 32) ^ c1_ ^ keys_.key[0][0];
      first_2_[odd] = c3_[odd] ^ keys_.key[0][1];
      second_0_[odd] = p1 ^ keys_.key[1][0];
      const Lanes p0 = native_multiply_wide(c0, multiplier_0);
      second_2_[odd] = (p0 >> 32) ^ keys_.key[1][1];
      second_3_[odd] = p0;
    }
  }

  /// Draws the planes of the blocks that every half needs, at a site. @param site less than 2^32
  LARMOR_INLINE void draw_for_all(std::uint32_t site, NativeWords (&plane)[planes_for_all]) const {
    using namespace detail;
    constexpr int calls = 2 * blocks_for_all;
    const std::uint64_t p0 = static_cast<std::uint64_t>(site) * multiplier_0;
    const Lanes low = lanes(static_cast<std::uint32_t>(p0));
    Lanes c0[calls], c1[calls], c2[calls], c3[calls];
    LARMOR_UNROLL
    for (int n = 0; n < calls; ++n) {
      const auto block = static_cast<std::uint32_t>(n / 2);
      const Lanes of_site = lanes(static_cast<std::uint32_t>(p0 >> 32) ^ (block << 16));
      const Lanes p1 = native_multiply_wide(of_site ^ first_2_[n % 2], multiplier_1);
      c0[n] = (p1 >> 32) ^ second_0_[n % 2];
      c1[n] = p1;
      c2[n] = low ^ second_2_[n % 2];
      c3[n] = second_3_[n % 2];
    }
    finish_rounds<2>(keys_, c0, c1, c2, c3);
    join_planes(c0, c1, c2, c3, plane);
  }

  /// Draws planes of a later block, for arbitrary sites and halves.
  /// @param half number of the half in each lane, counted from the first half of the vector
  LARMOR_INLINE void draw(NativeWords site, NativeWords half, std::uint32_t block,
                          NativeWords (&plane)[planes_of_block]) const {
    using namespace detail;
    const std::uint64_t step = c2_[0][0] & 0xffffull;
    // The numbers of a vector's halves may lie on both sides of a multiple of 2^16.
    const std::uint64_t first = ((c3_[0][0] & 0xffull) << 16) | (c2_[0][0] >> 16);
    Lanes c0[2], c1[2], c2[2], c3[2];
    for (int odd = 0; odd < 2; ++odd) {
      const Lanes replica = ((reinterpret_cast<Lanes>(half) >> (32 * odd)) & 0xffull) + first;
      c0[odd] = reinterpret_cast<Lanes>(site) >> (32 * odd);
      c1[odd] = Lanes{} + c1_;
      c2[odd] = ((replica & 0xffffull) << 16) | step;
      c3[odd] = ((replica >> 16) & 0xffull) | (c3_[0][0] & 0xff00ull) |
                (static_cast<std::uint64_t>(block) << 16);
    }
    finish_rounds<0>(keys_, c0, c1, c2, c3);
    join_planes(c0, c1, c2, c3, plane);
  }

 private:
  detail::RoundKeys<rounds_of_samples> keys_;
  std::uint64_t c1_;
  /// Entries [0] are for words at even places, and entries [1] for words at odd places.
  Lanes c2_[2], c3_[2], first_2_[2], second_0_[2], second_2_[2], second_3_[2];
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
