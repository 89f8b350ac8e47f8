#pragma once
// The states of a sector and their indices. A word has low and high bits. The states with equal
// high bits are consecutive, in ascending order of their low bits:
//
//   index(word) = begin[high bits] + rank[low bits]
//
// The rank counts the smaller low words, for a given magnetisation only those with as many spins
// up: H. Q. Lin, Phys. Rev. B 42, 6561 (1990). In even and odd sectors the last site points down in
// each word, and the word stands for (|word> +- |flipped word>) / sqrt(2).

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/maths/isa.hpp"
#include "larmor/quantum/spin_model.hpp"

namespace larmor::quantum {

/// Low bits of words, unless the magnetisation is given.
inline constexpr int tile_bits = 12;
/// Words have fewer bits than indices, and tables of half of them must fit into memory.
inline constexpr int most_sites = 40;

LARMOR_INLINE int count_up(Index word) {
#if defined(__CUDA_ARCH__)
  return __popcll(static_cast<unsigned long long>(word));
#else
  return __builtin_popcountll(static_cast<unsigned long long>(word));
#endif
}

struct SpaceView {
  int sites, bits, low_bits;  ///< bits of a word: one fewer than sites in even and odd sectors
  double sign;                ///< eigenvalue of the flip of all spins; 0: words have all sites
  bool has_magnetisation;
  // Tables for a given magnetisation.
  const Index* begin;          ///< [2^high bits + 1]
  const std::uint32_t* rank;   ///< [2^low bits]
  const std::uint32_t* words;  ///< [2^low bits] low words by their number of spins up
  const std::uint32_t* first;  ///< [low bits + 2] the first of these for each number
  int up;

  LARMOR_INLINE Index highs() const { return Index{1} << (bits - low_bits); }
  LARMOR_INLINE Index low_mask() const { return (Index{1} << low_bits) - 1; }
  LARMOR_INLINE Index begin_of(Index high) const {
    return has_magnetisation ? begin[high] : high << low_bits;
  }
  LARMOR_INLINE Index states_of(Index high) const {
    return has_magnetisation ? begin[high + 1] - begin[high] : Index{1} << low_bits;
  }
  /// Spins up among the low bits of the words with these high bits.
  LARMOR_INLINE int low_up(Index high) const { return up - count_up(high); }
  /// Number of the first low word of these high bits in tables of low words.
  LARMOR_INLINE Index first_of(Index high) const {
    return has_magnetisation ? first[low_up(high)] : 0;
  }
  LARMOR_INLINE Index low_word(Index number) const {
    return has_magnetisation ? words[number] : number;
  }

  struct Place {
    Index index;
    double sign;
  };
  /// @param word has the given magnetisation
  LARMOR_INLINE Place find(Index word) const {
    if (has_magnetisation) return {begin[word >> low_bits] + rank[word & low_mask()], 1};
    if (sign == 0 || (word >> bits & 1) == 0) return {word, 1};
    return {word ^ ((Index{2} << bits) - 1), sign};
  }
};

class StateSpace {
 public:
  /// @throws InputError for a sector that the model does not have, or too many sites
  StateSpace(const Device& device, const SpinModel& model, const Sector& sector);

  const SpaceView& view() const { return view_; }
  const Sector& sector() const { return sector_; }
  Index states() const { return states_; }
  /// On the host: low words in the order of `low_word`.
  std::vector<Index> low_words() const;
  static double states_of(int sites, const Sector& sector);
  /// Bytes of its tables.
  static double bytes(int sites, const Sector& sector);

 private:
  void make_tables(const Device& device, int up);

  Sector sector_;
  SpaceView view_{};
  Index states_;
  Array<Index> begin_;
  Array<std::uint32_t> rank_, words_, first_;
  std::vector<Index> low_words_;
};

}  // namespace larmor::quantum
