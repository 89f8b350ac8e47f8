#pragma once
// Isoenergetic cluster moves. Two copies of a system at one temperature have states a_i and b_i.
// The cluster grows from a random site with a_i != b_i, along bonds, over all connected sites with
// a_i != b_i. The copies then swap their states in it. Around the cluster the copies are equal, so
// a bond or field gains in one copy the energy that it loses in the other. E_a + E_b is constant,
// and the move is accepted. The sites that differ are the same before and after, so the reverse
// move is equally likely.
//
// Ising spins without a field may also be flipped in both copies, in a cluster of sites at which
// the copies are equal. This is the move above after a flip of all spins of one copy. It is used if
// copies differ at more than half of the sites, and gives smaller clusters.
//
// The move makes new states if clusters do not extend through the system, below the percolation
// threshold of sites. On a square lattice this holds at all temperatures; in three dimensions it
// holds if temperatures are low and copies similar. A cluster of all differing sites only swaps the
// copies. The move changes no overlap, and so needs other updates too.
//
// Sources: J. Houdayer, Eur. Phys. J. B 22, 479 (2001); Z. Zhu, A. J. Ochoa and H. G. Katzgraber,
// Phys. Rev. Lett. 115, 077201 (2015).

#include <cstdint>
#include <vector>

#include "larmor/lattice/coupled_pair.hpp"
#include "larmor/lattice/graph.hpp"

namespace larmor::ising {

class IsoenergeticMove {
 public:
  /// @param flips_both may spins be flipped in both copies? Only for Ising spins without a field
  IsoenergeticMove(Index sites, const std::vector<lattice::CoupledPair>& bonds, bool flips_both);

  /// Moves one cluster. @param a, b states of the copies [sites] @param random uniform among 2^32
  /// @return the cluster's size; 0: no site could begin one
  Index operator()(std::uint8_t* a, std::uint8_t* b, std::uint32_t random) const;

 private:
  Index sites_;
  bool flips_both_;
  lattice::Graph graph_;
};

}  // namespace larmor::ising
