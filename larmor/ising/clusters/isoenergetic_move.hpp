#pragma once
// Isoenergetic cluster moves. Two copies of a system at one temperature have states a_i and b_i.
// The cluster grows from a random site with a_i != b_i, along bonds, over all connected sites with
// a_i != b_i. The copies swap their states in the cluster. At the sites around the cluster, both
// copies have equal states. A bond or field therefore gains in one copy the energy that it loses in
// the other. E_a + E_b is constant, and the move is accepted. The move does not change which sites
// differ, so the reverse move is equally likely.
//
// For Ising spins without a field, a second move is possible. It flips a cluster of sites with
// equal states in both copies. This equals the first move after a flip of all spins of one copy.
// The second move is used if copies differ at more than half of the sites, because its clusters are
// smaller.
//
// The move makes new states if clusters do not extend through the system, which means below the
// percolation threshold of sites. On a square lattice this is so at all temperatures. In three
// dimensions it is so if temperatures are low and copies are similar. A cluster of all differing
// sites only swaps the copies. The move changes no overlap, so other updates are needed too.
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
  /// @param flips_both is the second move allowed? Only for Ising spins without a field
  IsoenergeticMove(Index sites, const std::vector<lattice::CoupledPair>& bonds, bool flips_both);

  /// Moves one cluster. @param a, b states of the copies [sites] @param random uniform among 2^32
  /// @return how many sites the cluster has; 0 if no site could begin one
  Index operator()(std::uint8_t* a, std::uint8_t* b, std::uint32_t random) const;

 private:
  Index sites_;
  bool flips_both_;
  lattice::Graph graph_;
};

}  // namespace larmor::ising
