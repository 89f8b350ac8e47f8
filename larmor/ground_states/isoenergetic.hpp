#pragma once
// Isoenergetic cluster moves. The spins that differ between two configurations at one temperature
// form clusters of coupled sites. Both configurations flip one cluster: their energies change, but
// the sum does not, so every move is accepted. On graphs with few couplings clusters stay small,
// and a move crosses barriers that single flips must climb. If many sites differ, nearly all would
// be one cluster, and no move is made. Without fields, one configuration is first replaced by its
// mirror image if the two then differ less. The choice depends only on the sites that differ, which
// are the same before and after.
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

  /// @param key with Stream::problem_update @param name number of the pair
  void operator()(Replicas<Number>& replicas, Index a, Index b, const RandomKey& key, Index name);

 private:
  const Arrangement<Number>* arrangement_;
  Index most_different_;
  std::vector<std::int32_t> cluster_;
  std::vector<std::uint8_t> waits_;  ///< does a position differ, and is it not yet in a cluster?

  /// Finds the sites at which two configurations differ. @return their number
  Index compare(const ReplicaView<Number>& a, const ReplicaView<Number>& b);
};

}  // namespace larmor::ground_states
