#pragma once
// Data of BitSamples for kernels. It is plain data, with one layout for every instruction set and
// for CUDA.
//
// Positions are the sites in order of colour, and within a colour in order of the number of bonds.
// All positions of a run have one colour and one number of bonds. A word holds a site of 64
// samples, as two halves of 32 bits, the low half first. For vectors, blocks of words are stored
// together, as (block, position, word of the block, half).

#include "larmor/core/maths/philox.hpp"
#include "larmor/ising/multispin/grid/acceptance.hpp"

namespace larmor::ising {

/// Number of samples in a word.
inline constexpr int samples_of_word = 64;
/// Number of halves of 32 bits in a word.
inline constexpr int halves = samples_of_word / 32;
/// Number of words in a block on a CPU. They fill the widest vector.
inline constexpr int words_of_cpu_block = 8;
inline constexpr int most_bonds_of_site = 32;
inline constexpr Index most_sites_of_sample = Index{1} << 24;

/// Consecutive positions of one colour, with equal numbers of bonds.
struct SampleRun {
  std::int32_t first, count, degree;
};

/// Location of the signs of bonds of a block.
struct SignTable {
  Index first;        ///< number of the 32-bit word with the signs of bond 0
  bool side_by_side;  ///< does every word of the block have its own signs? If not, all words share
                      ///< one word of signs
};

struct SamplesView {
  Index positions;
  Index words;         ///< number of words of this process
  int words_of_block;  ///< number of words that are stored together
  int width;           ///< largest number of bonds of a site for the kernel; one of `widths`
  std::uint32_t* spins;
  /// The other end and the number of the n-th bond of a position are at index position *
  /// position_stride + n * bond_stride.
  const std::int32_t* neighbour;
  const std::int32_t* bond;
  std::int32_t position_stride, bond_stride;
  const std::int32_t* site;  ///< site of each position
  const SampleRun* runs;
  int run_count;
  const std::uint32_t* signs;    ///< (table, bond, word, half), 1: negative; null: all are positive
  const SignTable* sign_tables;  ///< [block]
  /// Results of flip_threshold, (temperature, q), for q = width - h from 0 to 2 width.
  const std::uint64_t* thresholds;
  /// Number of each sample's temperature in `thresholds`, [word * 64 + sample of the word].
  const std::int32_t* temperature;
  bool words_are_uniform;  ///< have all samples of a word one temperature?
  std::uint32_t coupling;  ///< all ones if J < 0
  std::uint32_t own_spin;  ///< all ones: a decision flips the spin; 0: a decision is the new spin

  /// Number of 32-bit words from a position to the next.
  LARMOR_HD Index stride() const { return Index{halves} * words_of_block; }
  /// Spins of a half at position 0. @param half number of the half, counted over all words
  LARMOR_HD std::uint32_t* spins_of(Index half) const {
    return spins + half / stride() * positions * stride() + half % stride();
  }
  /// Threshold of a sample. @param sample number of the sample, counted over all words
  LARMOR_HD std::uint64_t threshold(Index sample, int q) const {
    return thresholds[temperature[sample] * (2 * width + 1) + q];
  }
};

/// A position of one colour of a grid. It lists its neighbours' positions among those of the other
/// colour, in the order of directions, each less than 2^14. Bit 15 of the first entry is 0 if the
/// number of the site is 2 position, and 1 if it is 2 position + 1.
struct alignas(16) RegularPlace {
  std::uint16_t neighbour[8];
};

/// BITS: random planes of a site are keyed by the site and by the 32-bit half of a word. The half
/// takes the place of the replica and is counted through the study.
struct SampleUpdate {
  SamplesView view;
  RandomKey key;         ///< its first_replica counts halves
  bool upper_half;       ///< is every flip with h <= 0 certain, in all words?
  std::uint64_t* drawn;  ///< counter of drawn 32-bit random words, or null
};

/// Sums over the sites of a sample.
struct SampleSums {
  std::int64_t twice_unsatisfied;  ///< counted ends of unsatisfied bonds, as if J were positive
  std::int64_t down;               ///< number of spins that are down
};

/// Two words of this process that are compared.
struct WordPair {
  Index first, second;
};

}  // namespace larmor::ising
