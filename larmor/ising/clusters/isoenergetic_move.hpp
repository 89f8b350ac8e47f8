#pragma once
// Isoenergetic cluster moves. Two copies of a system at one temperature are in states a_i and b_i.
// From a random site where they differ grows the cluster of all sites with a_i != b_i that bonds
// connect with it, and the copies swap their states in it. Around the cluster the copies are alike,
// so that whatever a bond or a field loses in one copy it gains in the other: E_a + E_b stays, and
// the move is accepted. Where copies differ is the same before and after, hence the move back is as
// likely.
//
// Ising spins without a field may as well be flipped in both copies in a cluster of sites where
// these are alike: that is the same move after all spins of one copy were flipped. It is taken
// where copies differ at more than half of the sites, which leaves smaller clusters.
//
// The move makes new states where clusters do not reach through the system, below the percolation
// of sites: on a square at all temperatures, in three dimensions where temperatures are low and
// copies alike. A cluster of all differing sites only swaps the copies. It changes no overlap, and
// so needs other updates beside it.
//
// Sources: J. Houdayer, Eur. Phys. J. B 22, 479 (2001); Z. Zhu, A. J. Ochoa and H. G. Katzgraber,
// Phys. Rev. Lett. 115, 077201 (2015).

#include <cstdint>
#include <vector>

#include "larmor/ising/potts/potts_model.hpp"

namespace larmor::ising {

class IsoenergeticMove {
 public:
  /// @param flips_both may spins be flipped in both copies? No, but for Ising spins without a field
  IsoenergeticMove(Index sites, const std::vector<Bond>& bonds, bool flips_both);

  /// @param a, b states of the copies [sites] @param random uniform among 2^32
  /// @return sites of the cluster, 0: copies are alike
  Index operator()(std::uint8_t* a, std::uint8_t* b, std::uint32_t random) const;

 private:
  Index sites_;
  bool flips_both_;
  std::vector<Index> first_;             ///< [sites + 1]
  std::vector<std::int32_t> neighbour_;  ///< of each site, one after the other
};

}  // namespace larmor::ising
