#pragma once
// Isoenergetic cluster moves. Where the spins of two configurations at one temperature differ, they
// form clusters of coupled sites. Both configurations flip one of them: their energies change, the
// sum of these does not, so that every move is accepted. On graphs of few couplings, where clusters
// stay small, this leads through barriers that single flips climb. Where many sites differ they
// would be one cluster of nearly all, and nothing is done; without fields the mirror image of one
// configuration is taken where that differs less. What is done depends on the sites that differ,
// and these are the same before and after.
//
// Sources: J. Houdayer, Eur. Phys. J. B 22, 479 (2001); Z. Zhu, A. J. Ochoa and H. G. Katzgraber,
// Phys. Rev. Lett. 115, 077201 (2015).

#include <vector>

#include "larmor/ground_states/replicas.hpp"

namespace larmor::ground_states {

/// Does a problem have few couplings, so that such moves are worth their time?
template <class Number>
bool has_small_clusters(const Arrangement<Number>& arrangement);

template <class Number>
class IsoenergeticMove {
 public:
  explicit IsoenergeticMove(const Arrangement<Number>& arrangement);

  /// @param key of Stream::problem_update; `name` is that of the pair
  void operator()(Replicas<Number>& replicas, Index a, Index b, const RandomKey& key, Index name);

 private:
  const Arrangement<Number>* arrangement_;
  Index most_different_;
  std::vector<std::int32_t> cluster_;
  std::vector<std::uint8_t> waits_;  ///< of each position: does it differ, and is not taken yet?

  /// Finds where two configurations differ. @return how many sites that are
  Index compare(const ReplicaView<Number>& a, const ReplicaView<Number>& b);
};

}  // namespace larmor::ground_states
