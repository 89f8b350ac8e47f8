#pragma once
// What kernels see of BitSamples: plain data, the same for every instruction set and for CUDA.
//
// Positions are the sites in the order of their colours, and of the number of their bonds within a
// colour: a run has one of each. A word has a site of 64 samples, as two of 32 bits, the low one
// first; some words lie side by side for vectors: spins (block, position, word of the block, half).

#include "larmor/core/maths/philox.hpp"
#include "larmor/ising/multispin/grid/acceptance.hpp"

namespace larmor::ising {

/// Samples side by side in a word.
inline constexpr int samples_of_word = 64;
/// Words of 32 bits in it.
inline constexpr int halves = samples_of_word / 32;
/// Words side by side on a CPU: the widest vector.
inline constexpr int words_of_cpu_block = 8;
inline constexpr int most_bonds_of_site = 32;
inline constexpr Index most_sites_of_sample = Index{1} << 24;

/// Positions that follow one another, of one colour, with equally many bonds.
struct SampleRun {
  std::int32_t first, count, degree;
};

/// Where signs of bonds of a block lie.
struct SignTable {
  Index first;        ///< 32-bit word of bond 0
  bool side_by_side;  ///< those of every word of the block; else one word for all of them
};

struct SamplesView {
  Index positions;
  Index words;         ///< of this process
  int words_of_block;  ///< side by side
  int width;           ///< no site has more bonds; see widths
  std::uint32_t* spins;
  /// At position * position_stride + n * bond_stride, the n-th bond of a position: its other end
  /// and its number.
  const std::int32_t* neighbour;
  const std::int32_t* bond;
  std::int32_t position_stride, bond_stride;
  const std::int32_t* site;  ///< of each position
  const SampleRun* runs;
  int run_count;
  const std::uint32_t* signs;    ///< (table, bond, word, half), 1: negative; null: all are positive
  const SignTable* sign_tables;  ///< [block]
  /// flip_threshold, (temperature, q = width - h), q = 0 to 2 width
  const std::uint64_t* thresholds;
  /// Of each sample, [word * 64 + sample of the word], its number among the thresholds.
  const std::int32_t* temperature;
  bool words_are_uniform;  ///< have all samples of a word one temperature?
  std::uint32_t coupling;  ///< ones: J < 0
  std::uint32_t own_spin;  ///< ones: a decision flips the spin; 0: it is the new spin

  /// 32-bit words from a position to the next.
  LARMOR_HD Index stride() const { return Index{halves} * words_of_block; }
  /// At position 0. @param half of all words, counted one after the other
  LARMOR_HD std::uint32_t* spins_of(Index half) const {
    return spins + half / stride() * positions * stride() + half % stride();
  }
  /// @param sample of all words
  LARMOR_HD std::uint64_t threshold(Index sample, int q) const {
    return thresholds[temperature[sample] * (2 * width + 1) + q];
  }
};

/// A position of one colour of a grid: the positions of its neighbours among those of the other
/// colour, in the order of directions, each under 2^14; bit 15 of the first is that of the site at
/// 2 position or 2 position + 1.
struct alignas(16) RegularPlace {
  std::uint16_t neighbour[8];
};

/// BITS: random planes of a site are keyed by the site and, as replica, by the 32-bit half of a
/// word, both counted through the study.
struct SampleUpdate {
  SamplesView view;
  RandomKey key;         ///< first_replica counts halves
  bool upper_half;       ///< is every flip with h <= 0 sure, in all words?
  std::uint64_t* drawn;  ///< null, or where drawn 32-bit random words are counted
};

/// Sums over the sites of a sample.
struct SampleSums {
  std::int64_t twice_unsatisfied;  ///< bonds, of positive J
  std::int64_t down;               ///< spins
};

/// Words of this process that are compared.
struct WordPair {
  Index first, second;
};

}  // namespace larmor::ising
