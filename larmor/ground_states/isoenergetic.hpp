#pragma once
// Isoenergetic cluster moves. The spins that differ between two configurations at one temperature
// form clusters of coupled sites. A move flips one cluster in both configurations. Each energy
// changes, but the sum of both does not, so every move is accepted. On graphs with few couplings
// clusters stay small, and a move crosses barriers that single flips must climb. If many sites
// differ, nearly all of them form one cluster, and no move is made. If there are no fields and more
// than half of the sites differ, the mirror image of one configuration first replaces it. The
// choice of the cluster depends only on the sites that differ, and the move leaves these sites
// unchanged.
//
// Sources: J. Houdayer, Eur. Phys. J. B 22, 479 (2001); Z. Zhu, A. J. Ochoa and H. G. Katzgraber,
// Phys. Rev. Lett. 115, 077201 (2015).

#include <vector>

#include "larmor/ground_states/replicas.hpp"

namespace larmor::ground_states {

/// Does a problem have so few couplings that such moves are efficient?
template <class Number>
bool has_small_clusters(const Arrangement<Number>& arrangement);

template <class Number>
class IsoenergeticMove {
 public:
  explicit IsoenergeticMove(const Arrangement<Number>& arrangement);

  /// @param a, b numbers of the two replicas @param key with Stream::problem_update @param name
  /// number of this pair of replicas in random keys
  void operator()(Replicas<Number>& replicas, Index a, Index b, const RandomKey& key, Index name);

 private:
  const Arrangement<Number>* arrangement_;
  Index most_different_;
  std::vector<std::int32_t> cluster_;
  /// Do the spins at a position differ, and is it not yet in a cluster?
  std::vector<std::uint8_t> waits_;

  /// Finds the sites at which two configurations differ. @return their number
  Index compare(const ReplicaView<Number>& a, const ReplicaView<Number>& b);
};

}  // namespace larmor::ground_states
