#pragma once
// Clusters of space and time for unfrustrated couplings. Equal spins of neighbouring slices join
// with probability 1 - e^(-2 K_i), and satisfied bonds with probability 1 - e^(-2 dtau |J_b|). With
// the sum F of dtau h s over a cluster, the cluster flips with probability 1 / (1 + e^(2 F)).

#include "larmor/trotter/line_view.hpp"
#include "larmor/trotter/transverse_ising.hpp"

namespace larmor::trotter {

class SpaceTimeClusters {
 public:
  SpaceTimeClusters(const LineView& view, const SystemGraph& graph) : view_(view), graph_(graph) {}

  /// Updates one replica. Replicas that share words must not be updated at the same time.
  void update(const RandomKey& key, Index replica);

 private:
  void read(Index group, int field);
  void write(Index group, int field);
  void join_time(const RandomKey& key, Index replica);
  void join_space(const RandomKey& key, Index replica);
  void flip(const RandomKey& key, Index replica);
  std::uint32_t root(std::uint32_t node);
  void join(std::uint32_t a, std::uint32_t b);

  const LineView& view_;
  const SystemGraph& graph_;
  std::vector<std::int8_t> spin_;       ///< (site, slice)
  std::vector<std::uint32_t> parent_;   ///< a root is the least of its cluster
  std::vector<double> field_;           ///< sums of dtau h s, at roots
  std::vector<std::int8_t> direction_;  ///< factor of the spins of a cluster, at roots
};

}  // namespace larmor::trotter
