#pragma once
// Cluster updates of many replicas of one graph: Swendsen-Wang and Wolff (U. Wolff, Phys. Rev.
// Lett. 62, 361 (1989)).
//
// BITS: what is decided is a function of (seed, step, replica) and of the bond, the least site of a
// cluster or the number of a Wolff cluster. Threads, devices, methods and ranks change no bit; a
// Wolff cluster is the Swendsen-Wang cluster of its seed at the same step.

#include <memory>
#include <span>
#include <string>

#include "larmor/core/device/array.hpp"
#include "larmor/ising/clusters/cluster_engine.hpp"

namespace larmor::ising {

class ClusterUpdate {
 public:
  /// @param replicas of this process @param first_replica of the study, which random numbers count
  /// from
  /// @param world ranks that share the sites of a grid, each with consecutive planes across the
  /// last axis. They make it, and call what works on states, all together. It must outlive this;
  /// null: this process has all sites
  /// @throws InputError for fewer than one replica, or ranks that share what is no grid of two axes
  /// or more, or has fewer planes @throws MachineError when memory runs out
  ClusterUpdate(ClusterGraph graph, Index replicas, std::uint64_t seed, const Device& device,
                Index first_replica = 0, ClusterMethod method = ClusterMethod::union_find,
                const Communicator* world = nullptr);

  /// 1 / (k_B T) of each replica; 0 at first. @param beta not negative, may be infinite [replicas]
  /// @throws InputError for what is none of these
  void set_inverse_temperatures(std::span<const double> beta);

  /// All clusters of every replica: of Ising each flips with probability 1/2, of Potts it takes one
  /// of the q states.
  /// @param step keys the random numbers, under 2^40
  /// @param states (replica, site of this rank), each below q, on the device
  /// @throws InternalError for another number of states
  void swendsen_wang(Array<std::uint8_t>& states, std::uint64_t step,
                     MeasureClusters measured = MeasureClusters::no);
  /// The updates of so many steps from `first_step` on, of which the last is measured. Threads of a
  /// CPU that have replicas of their own do not wait for one another in between.
  void swendsen_wang(Array<std::uint8_t>& states, std::uint64_t first_step, Index updates,
                     MeasureClusters measured);
  /// Grows a fixed number of clusters in every replica, one after the other, and gives each another
  /// state than it has. They take the steps from `first_step` on.
  /// @throws InputError where ranks share the sites
  void wolff(Array<std::uint8_t>& states, std::uint64_t first_step, Index clusters,
             MeasureClusters measured = MeasureClusters::no);

  /// The least site of the cluster of every site at that step, (replica, site); changes no state.
  std::vector<std::uint32_t> labels(const Array<std::uint8_t>& states, std::uint64_t step);

  /// Of the last update that was measured; waits for a GPU. [replicas]
  std::vector<ClusterSums> sums() const;
  /// Of configurations as they are; waits for a GPU. [replicas]
  std::vector<StateSums> measure(const Array<std::uint8_t>& states) const;

  const ClusterGraph& graph() const { return graph_; }
  Index replicas() const { return replicas_; }
  /// Sites of this rank, from its first one on.
  Index own_sites() const { return slab_ ? slab_->own_sites() : graph_.sites(); }
  Index first_site() const { return slab_ ? slab_->first_site() : 0; }
  /// How ranks reach one another's sites, one line; empty: none share them.
  std::string exchange_words() const { return slab_ ? slab_->planes().words() : ""; }

 private:
  ClusterView view() const;
  ClusterKeys keys(std::uint64_t step) const;
  void require_size(const Array<std::uint8_t>& states) const;

  ClusterGraph graph_;
  Index replicas_;
  std::uint64_t seed_;
  Index first_replica_;
  Device device_;
  std::unique_ptr<SlabClusters> slab_;  ///< null: this process has all sites
  Array<std::uint32_t> codes_, ends_, thresholds_;
  Array<Index> weights_;
  std::unique_ptr<ClusterEngine> engine_;
};

}  // namespace larmor::ising
