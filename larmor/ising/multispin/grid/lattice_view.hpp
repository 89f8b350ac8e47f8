#pragma once
// What kernels see of a BitLattice: plain data, the same for every instruction set and for CUDA.

#include "larmor/core/maths/philox.hpp"
#include "larmor/ising/multispin/grid/acceptance.hpp"
#include "larmor/ising/multispin/grid/word_grid.hpp"

namespace larmor::ising {

/// Words have their numbers in the whole grid. Those that a rank does not have are not in memory,
/// wherever pointers seem to lead.
struct LatticeView {
  WordGrid grid;
  Index replicas;
  Index array_words;             ///< from the words of one colour to those of the next
  std::uint32_t* spins;          ///< (replica, colour, word); a bit is 1 where s = -1
  const Acceptance* acceptance;  ///< [replica]
  const std::uint32_t* flags;    ///< PlaceFlags [word]; null: not needed
  std::uint32_t coupling;        ///< ones: J < 0
  std::uint32_t own_spin;        ///< ones: a decision flips the spin; 0: it is the new spin
  bool signs_differ;             ///< do bonds have signs of their own?
  const std::uint64_t* sample;   ///< of each replica, that keys these signs
  RandomKey sign_key;
  /// On a CPU the signs themselves, (sample in memory, axis, colour, word): a bit is 1 where the
  /// bond of a site to the next one along the axis is negative.
  const std::uint32_t* signs;
  const Index* signs_of_replica;  ///< sample in memory

  LARMOR_HD std::uint32_t* spins_of(Index replica, int colour) const {
    return spins + (2 * replica + colour) * array_words;
  }
  LARMOR_HD const std::uint32_t* signs_of(Index replica, int axis, int colour) const {
    return signs + ((signs_of_replica[replica] * grid.axes + axis) * 2 + colour) * array_words;
  }
};

/// BITS: what random numbers of a word take for its site: its number among the words of its colour,
/// and the colour in this bit.
inline constexpr int colour_bit_of_words = 39;

/// BITS: signs of bonds. Those of four words that follow one another, number 4 n to 4 n + 3 of a
/// colour, are the four numbers of philox() with site n (with the colour), the sample as
/// replica and the axis as block.
inline constexpr int words_of_sign_call = 4;

struct UpdateRequest {
  LatticeView lattice;
  RandomKey key;
  int colour;
  bool upper_half;  ///< is every flip with h <= 0 sure, in all replicas?
  /// Of a GPU, where blocks send words to one another: (2, replica, colour, word), and the number
  /// of the first exchange, one of each sweep's two. Null: no memory.
  std::uint64_t* mailboxes;
  std::uint32_t exchanges;
  std::uint64_t* drawn;  ///< null, or where drawn 32-bit random words are counted
};

}  // namespace larmor::ising
