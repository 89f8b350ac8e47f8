#pragma once
// Cluster updates of many replicas of one graph: Swendsen-Wang and Wolff (U. Wolff, Phys. Rev.
// Lett. 62, 361 (1989)).
//
// BITS: each decision is a function of (seed, step, replica) and of the bond, the least site of a
// cluster or the number of a Wolff cluster. Threads, devices, methods and ranks change no bit. A
// Wolff cluster is the cluster that Swendsen-Wang finds at its seed in that step.

#include <memory>
#include <span>
#include <string>

#include "larmor/core/device/array.hpp"
#include "larmor/ising/clusters/cluster_engine.hpp"

namespace larmor::ising {

class ClusterUpdate {
 public:
  /// @param replicas number of replicas of this process
  /// @param first_replica number of the first of these replicas in the study, for random numbers
  /// @param world ranks that share the sites of a grid, each with consecutive planes across the
  /// last axis; null: this process has all sites. All ranks must construct the object together.
  /// They must also call every function that uses states together. The communicator must outlive
  /// this object
  /// @throws InputError for fewer than one replica. Also if ranks share a graph that is not a grid,
  /// a grid of one axis, or fewer planes than ranks
  /// @throws MachineError if memory is insufficient
  ClusterUpdate(ClusterGraph graph, Index replicas, std::uint64_t seed, const Device& device,
                Index first_replica = 0, ClusterMethod method = ClusterMethod::union_find,
                const Communicator* world = nullptr);

  /// Sets 1 / (k_B T) of each replica. The constructor sets it to 0. @param beta not negative, may
  /// be infinite [replicas]
  /// @throws InputError for other values
  void set_inverse_temperatures(std::span<const double> beta);

  /// Updates all clusters of every replica. An Ising cluster flips with probability 1/2; a Potts
  /// cluster takes one of the q states.
  /// @param step step in the random keys, less than 2^40
  /// @param states (replica, site of this rank), each below q, on the device
  /// @throws InternalError for another number of states
  void swendsen_wang(Array<std::uint8_t>& states, std::uint64_t step,
                     MeasureClusters measured = MeasureClusters::no);
  /// Does several updates with consecutive steps from `first_step` on. Only the last one is
  /// measured. On a CPU, threads with separate replicas do not wait for each other between updates.
  void swendsen_wang(Array<std::uint8_t>& states, std::uint64_t first_step, Index updates,
                     MeasureClusters measured);
  /// Grows a fixed number of clusters in every replica, one after the other, and changes the state
  /// of each cluster. The clusters have consecutive steps from `first_step` on.
  /// @throws InputError if ranks share the sites
  void wolff(Array<std::uint8_t>& states, std::uint64_t first_step, Index clusters,
             MeasureClusters measured = MeasureClusters::no);

  /// For every site, the least site of the cluster to which it belongs at `step`, (replica, site).
  /// States do not change.
  std::vector<std::uint32_t> labels(const Array<std::uint8_t>& states, std::uint64_t step);

  /// Sums of the last measured update; waits for a GPU. [replicas]
  std::vector<ClusterSums> sums() const;
  /// Sums over given configurations; waits for a GPU. [replicas]
  std::vector<StateSums> measure(const Array<std::uint8_t>& states) const;

  const ClusterGraph& graph() const { return graph_; }
  Index replicas() const { return replicas_; }
  /// Number of sites of this rank, and the number of its first site.
  Index own_sites() const { return slab_ ? slab_->own_sites() : graph_.sites(); }
  Index first_site() const { return slab_ ? slab_->first_site() : 0; }
  /// One line of text that says how ranks exchange sites; empty if no ranks share sites.
  std::string exchange_text() const { return slab_ ? slab_->planes().description() : ""; }

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
