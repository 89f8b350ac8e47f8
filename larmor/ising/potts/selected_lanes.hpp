#pragma once
// Operations on some lanes of a pack. The bits of a byte choose the lanes.

#include "larmor/core/maths/pack.hpp"

namespace larmor::ising {
inline namespace LARMOR_ISA_NAMESPACE {

#if defined(__AVX512VL__) && defined(__AVX512DQ__)
LARMOR_INLINE PackOf<float> negated_where(unsigned lanes, PackOf<float> a) {
  a.v[0] = _mm256_mask_xor_ps(a.v[0], static_cast<__mmask8>(lanes), a.v[0], _mm256_set1_ps(-0.0F));
  return a;
}
LARMOR_INLINE PackBitsOf<float> added_where(unsigned lanes, PackBitsOf<float> a,
                                            const PackBitsOf<float>& b) {
  const auto from = reinterpret_cast<__m256i>(a.v[0]);
  a.v[0] = reinterpret_cast<Native<float>::Bits>(_mm256_mask_add_epi32(
      from, static_cast<__mmask8>(lanes), from, reinterpret_cast<__m256i>(b.v[0])));
  return a;
}
LARMOR_INLINE PackBits added_where(unsigned lanes, PackBits a, const PackBits& b) {
  const auto from = reinterpret_cast<__m512i>(a.v[0]);
  a.v[0] = reinterpret_cast<Native<double>::Bits>(_mm512_mask_add_epi64(
      from, static_cast<__mmask8>(lanes), from, reinterpret_cast<__m512i>(b.v[0])));
  return a;
}
LARMOR_INLINE PackBitsOf<float> negated_where(unsigned lanes, PackBitsOf<float> a) {
  const auto from = reinterpret_cast<__m256i>(a.v[0]);
  a.v[0] = reinterpret_cast<Native<float>::Bits>(
      _mm256_mask_sub_epi32(from, static_cast<__mmask8>(lanes), _mm256_setzero_si256(), from));
  return a;
}
LARMOR_INLINE PackBits negated_where(unsigned lanes, PackBits a) {
  const auto from = reinterpret_cast<__m512i>(a.v[0]);
  a.v[0] = reinterpret_cast<Native<double>::Bits>(
      _mm512_mask_sub_epi64(from, static_cast<__mmask8>(lanes), _mm512_setzero_si512(), from));
  return a;
}
#else
/// Masks of the lanes that a byte chooses.
struct LaneMasks {
  alignas(32) std::uint32_t of_byte[256][lane_count]{};

  constexpr LaneMasks() {
    for (unsigned byte = 0; byte < 256; ++byte)
      for (unsigned l = 0; l < lane_count; ++l) of_byte[byte][l] = (byte >> l & 1u) != 0 ? ~0u : 0u;
  }
};
inline constexpr LaneMasks lane_masks;

LARMOR_INLINE PackBitsOf<float> mask_of(unsigned lanes) {
  return to_bits(PackOf<float>::load(reinterpret_cast<const float*>(lane_masks.of_byte[lanes])));
}
LARMOR_INLINE PackOf<float> negated_where(unsigned lanes, const PackOf<float>& a) {
  return from_bits(to_bits(a) ^ (mask_of(lanes) & PackBitsOf<float>(0x80000000u)));
}
LARMOR_INLINE PackBitsOf<float> added_where(unsigned lanes, const PackBitsOf<float>& a,
                                            const PackBitsOf<float>& b) {
  return a + (mask_of(lanes) & b);
}
LARMOR_INLINE PackBitsOf<float> negated_where(unsigned lanes, const PackBitsOf<float>& a) {
  return (a ^ mask_of(lanes)) - mask_of(lanes);
}
LARMOR_INLINE PackBits wide_mask_of(unsigned lanes) {
  const auto& mask = lane_masks.of_byte[lanes];
  PackBits wide;
  for (int l = 0; l < lane_count; ++l) wide.set(l, mask[l] | std::uint64_t{mask[l]} << 32);
  return wide;
}
LARMOR_INLINE PackBits added_where(unsigned lanes, const PackBits& a, const PackBits& b) {
  return a + (wide_mask_of(lanes) & b);
}
LARMOR_INLINE PackBits negated_where(unsigned lanes, const PackBits& a) {
  return (a ^ wide_mask_of(lanes)) - wide_mask_of(lanes);
}
#endif

/// The lanes with negative numbers.
LARMOR_INLINE unsigned negative(const PackOf<float>& a) {
#if defined(__AVX__)
  return static_cast<unsigned>(_mm256_movemask_ps(a.v[0]));
#else
  unsigned lanes = 0;
  for (int l = 0; l < lane_count; ++l) lanes |= (to_bits(a).lane(l) >> 31) << l;
  return lanes;
#endif
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
