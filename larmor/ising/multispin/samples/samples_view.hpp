#pragma once
// Data of BitSamples for kernels: plain data, the same for every instruction set and for CUDA.
//
// Positions are the sites ordered by colour, and within a colour by number of bonds. A run has one
// colour and one number of bonds. A word holds a site of 64 samples, as two halves of 32 bits, the
// low one first. Blocks of words are stored together for vectors: spins (block, position, word of
// the block, half).

#include "larmor/core/maths/philox.hpp"
#include "larmor/ising/multispin/grid/acceptance.hpp"

namespace larmor::ising {

/// Samples in a word.
inline constexpr int samples_of_word = 64;
/// Halves of 32 bits in a word.
inline constexpr int halves = samples_of_word / 32;
/// Words in a block on a CPU: the widest vector.
inline constexpr int words_of_cpu_block = 8;
inline constexpr int most_bonds_of_site = 32;
inline constexpr Index most_sites_of_sample = Index{1} << 24;

/// Consecutive positions of one colour, with equal numbers of bonds.
struct SampleRun {
  std::int32_t first, count, degree;
};

/// Location of the signs of bonds of a block.
struct SignTable {
  Index first;        ///< 32-bit word of bond 0
  bool side_by_side;  ///< separate signs for every word of the block; otherwise one word for all of
                      ///< them
};

struct SamplesView {
  Index positions;
  Index words;         ///< words of this process
  int words_of_block;  ///< words stored together
  int width;           ///< no site has more bonds; see widths
  std::uint32_t* spins;
  /// The n-th bond of a position: its other end and its number, at index position * position_stride
  /// + n * bond_stride.
  const std::int32_t* neighbour;
  const std::int32_t* bond;
  std::int32_t position_stride, bond_stride;
  const std::int32_t* site;  ///< site of each position
  const SampleRun* runs;
  int run_count;
  const std::uint32_t* signs;    ///< (table, bond, word, half), 1: negative; null: all are positive
  const SignTable* sign_tables;  ///< [block]
  /// flip_threshold, (temperature, q = width - h), q = 0 to 2 width
  const std::uint64_t* thresholds;
  /// Number of each sample's temperature among the thresholds, [word * 64 + sample of the word].
  const std::int32_t* temperature;
  bool words_are_uniform;  ///< have all samples of a word one temperature?
  std::uint32_t coupling;  ///< all ones if J < 0
  std::uint32_t own_spin;  ///< all ones: a decision flips the spin; 0: it is the new spin

  /// 32-bit words from a position to the next.
  LARMOR_HD Index stride() const { return Index{halves} * words_of_block; }
  /// Spins at position 0. @param half counted over all words
  LARMOR_HD std::uint32_t* spins_of(Index half) const {
    return spins + half / stride() * positions * stride() + half % stride();
  }
  /// @param sample counted over all words
  LARMOR_HD std::uint64_t threshold(Index sample, int q) const {
    return thresholds[temperature[sample] * (2 * width + 1) + q];
  }
};

/// A position of one colour of a grid: the positions of its neighbours among those of the other
/// colour, in the order of directions, each less than 2^14. Bit 15 of the first is 0 if the site is
/// 2 position, and 1 if the site is 2 position + 1.
struct alignas(16) RegularPlace {
  std::uint16_t neighbour[8];
};

/// BITS: random planes of a site are keyed by the site and, as replica, by the 32-bit half of a
/// word, both counted through the study.
struct SampleUpdate {
  SamplesView view;
  RandomKey key;         ///< first_replica counts halves
  bool upper_half;       ///< is every flip with h <= 0 certain, in all words?
  std::uint64_t* drawn;  ///< counter of drawn 32-bit random words, or null
};

/// Sums over the sites of a sample.
struct SampleSums {
  std::int64_t twice_unsatisfied;  ///< unsatisfied bonds, as if J were positive
  std::int64_t down;               ///< spins that are down
};

/// Words of this process to compare.
struct WordPair {
  Index first, second;
};

}  // namespace larmor::ising
