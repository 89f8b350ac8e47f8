#pragma once
// Data of a BitLattice for kernels. It is plain data, with one layout for every instruction set and
// for CUDA.

#include "larmor/core/maths/philox.hpp"
#include "larmor/ising/multispin/grid/acceptance.hpp"
#include "larmor/ising/multispin/grid/word_grid.hpp"

namespace larmor::ising {

/// Words are numbered in the whole grid. Words of other ranks are not in memory, although pointers
/// to them could be computed.
struct LatticeView {
  WordGrid grid;
  Index replicas;
  Index array_words;     ///< number of words from the array of one colour to the array of the next
  std::uint32_t* spins;  ///< (replica, colour, word); a bit is 1 if s = -1
  const Acceptance* acceptance;  ///< [replica]
  const std::uint32_t* flags;    ///< PlaceFlags [word]; null: not needed
  std::uint32_t coupling;        ///< all ones if J < 0
  std::uint32_t own_spin;  ///< all ones: a decision flips the spin; 0: a decision is the new spin
  bool signs_differ;       ///< does each bond have its own sign?
  const std::uint64_t* sample;  ///< sample of each replica, which keys these signs
  RandomKey sign_key;
  /// The signs that a CPU stores, (sample in memory, axis, colour, word). A bit is 1 if the bond
  /// from its site to the next one along the axis is negative.
  const std::uint32_t* signs;
  const Index* signs_of_replica;  ///< sample in memory

  LARMOR_HD std::uint32_t* spins_of(Index replica, int colour) const {
    return spins + (2 * replica + colour) * array_words;
  }
  LARMOR_HD const std::uint32_t* signs_of(Index replica, int axis, int colour) const {
    return signs + ((signs_of_replica[replica] * grid.axes + axis) * 2 + colour) * array_words;
  }
};

/// BITS: in the random keys of a word, the number of the word among those of its colour stands in
/// place of a site. This bit holds the colour.
inline constexpr int colour_bit_of_words = 39;

/// BITS: signs of bonds. Four consecutive words of a colour, with the numbers 4 n to 4 n + 3, take
/// the four numbers of one call of philox(). The site of the call is n (with the colour), the
/// replica is the sample, and the block is the axis.
inline constexpr int words_of_sign_call = 4;

struct UpdateRequest {
  LatticeView lattice;
  RandomKey key;
  int colour;
  bool upper_half;  ///< is every flip with h <= 0 certain, in all replicas?
  /// On a GPU, words that blocks send to each other, (2, replica, colour, word), and the number of
  /// the first exchange. A sweep has two numbers of exchanges. Null: there are no mailboxes.
  std::uint64_t* mailboxes;
  std::uint32_t exchanges;
  std::uint64_t* drawn;  ///< counter of drawn 32-bit random words, or null
};

}  // namespace larmor::ising
