#pragma once
// Updates the sites of one colour, all sites of a word W at once.
//
// Adders count the unsatisfied bonds at every bit. For each count, a mask has the bits with this
// count. Digit k of the probabilities of all bits is a plane T_k, combined from the masks. The
// random number u of every bit is drawn as planes R_0 (worth 1/2), R_1, ... The decision is whether
// u is less than the threshold. At the first digit in which both differ, T is 1 if u is less. The
// comparison goes from the last drawn digit to the first:
//
//     less = T & ~R | ~(T ^ R) & less
//
// Two calls of Philox give eight planes, which decide all bits except one in 256. More planes are
// drawn for words with undecided bits. If all 32 digits agree, u equals the threshold, and there is
// no flip.

#include "larmor/ising/multispin/grid/lattice_view.hpp"
#include "larmor/ising/multispin/grid/places.hpp"
#include "larmor/ising/multispin/grid/random_planes.hpp"

namespace larmor::ising {

inline namespace LARMOR_ISA_NAMESPACE {

/// Signs of the bonds to the next site along an axis. They are computed, not stored.
template <class W>
struct SignWords {
  static_assert(words_of_sign_call % words_in<W> == 0);
  RandomKey key;
  std::uint64_t sample;
  int colour, axis;
  /// Number of words of the grid. A negative word number counts back from the last word.
  Index words;
  LARMOR_INLINE W at(Index word) const {
    W signs;
    const Four four = four_of(word);
    for (int i = 0; i < words_in<W>; ++i) set_word(signs, i, four.of(four.first + i));
    return signs;
  }
  LARMOR_INLINE std::uint32_t one_at(Index word) const {
    const Four four = four_of(word);
    return four.of(four.first);
  }

 private:
  struct Four {
    std::uint32_t sign[planes_of_block];
    int first;  ///< place of the requested word among the four words of the call
    /// The number n of the call. It avoids a computed index, for which a GPU would need memory.
    LARMOR_INLINE std::uint32_t of(int n) const {
      return n < 2 ? (n == 0 ? sign[0] : sign[1]) : (n == 2 ? sign[2] : sign[3]);
    }
  };
  LARMOR_INLINE Four four_of(Index word) const {
    if (word < 0) word += words;
    const std::uint64_t call = static_cast<std::uint64_t>(word) / words_of_sign_call;
    Four four;
    four.first = static_cast<int>(word % words_of_sign_call);
    BitPlanes(key, sample, colour, call >> 32)
        .draw(static_cast<std::uint32_t>(call), static_cast<std::uint32_t>(axis), four.sign);
    return four;
  }
};

/// For every bit, is the bond negative? Plane 2 axis is for the next neighbour, and plane 2 axis +
/// 1 for the previous one.
template <int axes, class W>
struct Bonds {
  W negative[2 * axes];
};

/// @param spins spins of the sites @param others words of the other colour
template <int axes, class W, class Source, class Place>
LARMOR_INLINE Bonds<axes, W> unsatisfied_bonds(const LatticeView& lattice, Index replica,
                                               int colour, const Source& others, const Place& place,
                                               W spins) {
  Bonds<axes, W> bonds;
  LARMOR_UNROLL
  for (int a = 0; a < axes; ++a) {
    bonds.negative[2 * a] = place.next(others, a) ^ spins;
    bonds.negative[2 * a + 1] = place.previous(others, a) ^ spins;
  }
  if (!lattice.signs_differ) return bonds;
  LARMOR_UNROLL
  for (int a = 0; a < axes; ++a) {
#if defined(__CUDACC__)
    const std::uint64_t sample = lattice.sample[replica];
    const Index words = a + 1 == axes ? lattice.grid.words : 0;
    bonds.negative[2 * a] =
        bonds.negative[2 * a] ^ SignWords<W>{lattice.sign_key, sample, colour, a, 0}.at(place.word);
    bonds.negative[2 * a + 1] =
        bonds.negative[2 * a + 1] ^
        place.previous(SignWords<W>{lattice.sign_key, sample, 1 - colour, a, words}, a);
#else
    bonds.negative[2 * a] ^= loaded<W>(lattice.signs_of(replica, a, colour) + place.word);
    bonds.negative[2 * a + 1] ^=
        place.previous(StoredWords<W>{lattice.signs_of(replica, a, 1 - colour)}, a);
#endif
  }
  return bonds;
}

/// Number of ones among 2 axes planes, in binary.
template <int axes, class W>
LARMOR_INLINE void add_planes(const W (&a)[2 * axes], W (&sum)[4]) {
  sum[2] = sum[3] = spread_word<W>(0);
  if constexpr (axes == 1) {
    sum[0] = a[0] ^ a[1];
    sum[1] = a[0] & a[1];
  } else if constexpr (axes == 2) {
    const W s = xor3(a[0], a[1], a[2]), twos = majority(a[0], a[1], a[2]);
    const W carry = s & a[3];
    sum[0] = s ^ a[3];
    sum[1] = twos ^ carry;
    sum[2] = twos & carry;
  } else {
    const W s = xor3(a[0], a[1], a[2]), twos = majority(a[0], a[1], a[2]);
    const W t = xor3(a[3], a[4], a[5]), more_twos = majority(a[3], a[4], a[5]);
    if constexpr (axes == 3) {
      const W carry = s & t;
      sum[0] = s ^ t;
      sum[1] = xor3(twos, more_twos, carry);
      sum[2] = majority(twos, more_twos, carry);
    } else {
      const W u = a[6] ^ a[7], last_twos = a[6] & a[7];
      const W carry = majority(s, t, u);
      const W v = xor3(twos, more_twos, last_twos), fours = majority(twos, more_twos, last_twos);
      const W carry_twos = v & carry;
      sum[0] = xor3(s, t, u);
      sum[1] = v ^ carry;
      sum[2] = fours ^ carry_twos;
      sum[3] = fours & carry_twos;
    }
  }
}

template <class W>
LARMOR_INLINE W equals(const W* bits, int count, int number) {
  W equal = (number & 1) != 0 ? bits[0] : ~bits[0];
  for (int n = 1; n < count; ++n)
    equal = ((number >> n) & 1) != 0 ? equal & bits[n] : equal & ~bits[n];
  return equal;
}

/// Probabilities of the sums q = 0, step, 2 step, ..., read from memory.
template <int step>
struct StoredDigits {
  const Acceptance* table;
  LARMOR_INLINE std::uint32_t sure(int c) const { return table->sure[c * step]; }
  LARMOR_INLINE std::uint32_t drawn(int c) const { return table->drawn[c * step]; }
  LARMOR_INLINE std::uint32_t digit(int c, int k) const { return table->digit[c * step][k]; }
};

/// Probabilities of `classes` sums q, kept in registers.
template <int classes, int step>
class HeldDigits {
 public:
  LARMOR_INLINE explicit HeldDigits(const Acceptance& table) {
    LARMOR_UNROLL
    for (int c = 0; c < classes; ++c) {
      threshold_[c] = table.threshold[c * step];
      sure_[c] = table.sure[c * step];
      drawn_[c] = table.drawn[c * step];
    }
  }
  LARMOR_INLINE std::uint32_t sure(int c) const { return sure_[c]; }
  LARMOR_INLINE std::uint32_t drawn(int c) const { return drawn_[c]; }
  LARMOR_INLINE std::uint32_t digit(int c, int k) const {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(threshold_[c] << k) >> 31);
  }

 private:
  std::uint32_t threshold_[classes], sure_[classes], drawn_[classes];
};

/// Decides bits by their sums q. The sum of a bit is one of `classes` values, or the bit flips for
/// certain.
template <int classes, class W>
struct Decision {
  W member[classes];  ///< bits with each of the sums
  W accepted, open;

  /// Decides by the planes that all words need. @param rest bits that flip for certain, whatever
  /// their sum
  /// @param table digits of the probabilities @param words numbers of the words, for which `random`
  /// draws planes
  template <class Random, class Digits, class Words>
  LARMOR_INLINE void begin(const Digits& table, const Random& random, Words words, W rest) {
    W sure = rest;
    open = spread_word<W>(0);
    LARMOR_UNROLL
    for (int c = 0; c < classes; ++c) {
      sure = or_both(sure, member[c], spread_word<W>(table.sure(c)));
      open = or_both(open, member[c], spread_word<W>(table.drawn(c)));
    }
    W plane[planes_for_all];
    random.draw_for_all(words, plane);
    W less = spread_word<W>(0);
    LARMOR_UNROLL
    for (int k = planes_for_all - 1; k >= 0; --k) {
      const W threshold = digit(table, k);
      less = less_from(threshold, plane[k], less);
      open = still_open(open, threshold, plane[k]);
    }
    accepted = sure | less;
  }
  /// Draws more planes until all bits are decided. @return flips in addition to `accepted`
  template <class Random, class Digits, class Words>
  LARMOR_INLINE W finish(const Digits& table, const Random& random, Words words,
                         std::uint64_t& calls) {
    W more = spread_word<W>(0);
    for (int b = blocks_for_all; b < digits / planes_of_block && any(open); ++b) {
      W drawn[planes_of_block];
      random.draw(words, static_cast<std::uint32_t>(b), drawn);
      calls += words_in<W>;
      LARMOR_UNROLL
      for (int n = 0; n < planes_of_block; ++n) {
        const W threshold = digit(table, b * planes_of_block + n);
        more = more | (open & threshold & ~drawn[n]);
        open = still_open(open, threshold, drawn[n]);
      }
    }
    return more;
  }

 private:
  template <class Digits>
  LARMOR_INLINE W digit(const Digits& table, int k) const {
    W threshold = member[0] & spread_word<W>(table.digit(0, k));
    LARMOR_UNROLL
    for (int c = 1; c < classes; ++c)
      threshold = or_both(threshold, member[c], spread_word<W>(table.digit(c, k)));
    return threshold;
  }
};

/// The sum q in binary for sites that may lack neighbours, and the masks of all values of q.
template <int axes, class W, class Place>
LARMOR_INLINE void boundary_sums(const Place& place, const W (&bond)[2 * axes],
                                 W (&member)[4 * axes + 1]) {
  constexpr int bits = 5;
  W sum[bits];
  for (int n = 0; n < bits; ++n) sum[n] = spread_word<W>(0);
  const auto add = [&](W one, int from) {
    for (int n = from; n < bits; ++n) {
      const W carry = sum[n] & one;
      sum[n] = sum[n] ^ one;
      one = carry;
    }
  };
  for (int a = 0; a < axes; ++a) {
    const W no_next = place.lacks_next(a), no_previous = place.lacks_previous(a);
    add(no_next, 0);
    add(no_previous, 0);
    add(bond[2 * a] & ~no_next, 1);
    add(bond[2 * a + 1] & ~no_previous, 1);
  }
  for (int q = 0; q <= 4 * axes; ++q) member[q] = equals(sum, bits, q);
}

template <int axes, bool upper_half>
inline constexpr int class_count = upper_half ? axes : 2 * axes + 1;

/// Masks of the bits with each number of unsatisfied bonds, if all neighbours exist.
/// @return bits that have none of these numbers
template <int axes, bool upper_half, class W>
LARMOR_INLINE W count_classes(const W (&bond)[2 * axes],
                              W (&member)[class_count<axes, upper_half>]) {
  constexpr int bits = axes == 1 ? 2 : axes < 4 ? 3 : 4;
  W sum[4];
  add_planes<axes>(bond, sum);
  W any_of = spread_word<W>(0);
  LARMOR_UNROLL
  for (int c = 0; c < class_count<axes, upper_half>; ++c) {
    member[c] = equals(sum, bits, c);
    any_of = any_of | member[c];
  }
  return upper_half ? ~any_of : spread_word<W>(0);
}

/// Counts unsatisfied bonds of sites that have a bond in either direction along every axis.
/// @param lattice its bonds are counted as if J were positive
template <int axes, class W, class Place>
LARMOR_INLINE int count_unsatisfied(const LatticeView& lattice, Index replica, int colour,
                                    const Place& place, W spins, W valid) {
  auto bonds =
      unsatisfied_bonds<axes>(lattice, replica, colour,
                              StoredWords<W>{lattice.spins_of(replica, 1 - colour)}, place, spins);
  if (lattice.grid.any_open && place.touches_open_boundary()) {
    for (int a = 0; a < axes; ++a) {
      bonds.negative[2 * a] = bonds.negative[2 * a] & ~place.lacks_next(a);
      bonds.negative[2 * a + 1] = bonds.negative[2 * a + 1] & ~place.lacks_previous(a);
    }
  }
  W sum[4];
  add_planes<axes>(bonds.negative, sum);
  int ones = 0;
  LARMOR_UNROLL
  for (int n = 0; n < (axes == 1 ? 2 : axes < 4 ? 3 : 4); ++n)
    ones += count_ones(sum[n] & valid) << n;
  return ones;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
