#pragma once
// Where the slices of imaginary time lie in 32-bit words. Slice k of a replica is bit f of word w,
//
//   k = w + words * f,   w < words,   f < bits,
//
// and a word holds 32 / bits replicas, each in a field of `bits` bits. A remainder of bits at the
// end of a word has no meaning. The number of words is even. So the slices of a word are all even
// or all odd, and one update changes whole words. The time neighbours of a word are the next and
// the previous word. Beyond the last and the first word, they lie one bit further in each field,
// and the field is periodic.
//
// FORMAT: the bits of saved states. A bit is set if the spin is -1.

#include "larmor/ising/multispin/grid/words.hpp"

namespace larmor::trotter {

inline constexpr int bits_of_word = 32;

/// `count` low bits.
LARMOR_HD constexpr std::uint32_t low_bits(int count) {
  return count >= bits_of_word ? ~0u : (1u << count) - 1;
}

struct TimeWords {
  int words = 2;             ///< of a site
  int bits = 1;              ///< of a field
  std::uint32_t low = ~0u;   ///< the first bit of every field
  std::uint32_t high = ~0u;  ///< the last bit of every field

  LARMOR_HD int slices() const { return words * bits; }
  LARMOR_HD int fields() const { return bits_of_word / bits; }
  LARMOR_HD int word_of(int slice) const { return slice % words; }
  /// @param field number of the replica in its word
  LARMOR_HD int bit_of(int slice, int field) const { return field * bits + slice / words; }
  LARMOR_HD std::uint32_t field_mask(int field) const { return low_bits(bits) << (field * bits); }
};

/// The fields with which all copies of a line need the fewest words.
/// @param slices an even number @throws InputError for other numbers
TimeWords time_words(Index slices, Index copies = 1);

inline namespace LARMOR_ISA_NAMESPACE {

/// The first word as the successor of the last one.
template <class W>
LARMOR_INLINE W after_last(const TimeWords& time, const W& first) {
  return ((first >> 1) & ~time.high) | ((first << (time.bits - 1)) & time.high);
}
/// The last word as the predecessor of the first one.
template <class W>
LARMOR_INLINE W before_first(const TimeWords& time, const W& last) {
  return ((last << 1) & ~time.low) | ((last >> (time.bits - 1)) & time.low);
}

/// The spins one slice later. @param words .at(w)
template <class W, class Words>
LARMOR_INLINE W next_slices(const TimeWords& time, const Words& words, int w) {
  return w + 1 < time.words ? words.at(w + 1) : after_last<W>(time, words.at(0));
}
/// The spins one slice earlier.
template <class W, class Words>
LARMOR_INLINE W previous_slices(const TimeWords& time, const Words& words, int w) {
  return w > 0 ? words.at(w - 1) : before_first<W>(time, words.at(time.words - 1));
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::trotter
