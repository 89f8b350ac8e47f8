#pragma once
// Cluster updates of vectors by reflection, many replicas at once: Swendsen-Wang and Wolff. See
// reflection_cluster_view.hpp.
//
// BITS: what is decided is a function of (seed, step, replica) and of the bond, the least site of a
// cluster, or of nothing else. Threads and devices change no bit; a Wolff cluster is the
// Swendsen-Wang cluster of its seed at the same step.

#include <memory>
#include <span>

#include "larmor/clusters/reflection_engine.hpp"
#include "larmor/core/device/array.hpp"

namespace larmor::clusters {

/// A bond of a graph that is no grid.
struct ReflectionBond {
  Index i, j;
  float coupling;  ///< K of the bond is this times K of the replica
};

/// Where vectors are, and which of them interact.
class ReflectionGraph {
 public:
  /// Bonds as bonds_of counts them, all with K of the replica. @throws InputError as checked_sites,
  /// and for more than 2^31 sites
  static ReflectionGraph on_grid(const RegularGrid& grid);
  /// @throws InputError for more than 2^31 sites, for bonds from a site to itself or to one that is
  /// not there, or couplings that are not finite
  static ReflectionGraph of_bonds(Index sites, std::span<const ReflectionBond> bonds);
  /// The same with couplings that differ by replica, in place of those of the bonds.
  /// @param couplings (replica, bond), of the replicas that are updated
  static ReflectionGraph of_bonds(Index sites, std::span<const ReflectionBond> bonds,
                                  std::vector<float> couplings);

  Index sites() const { return sites_; }
  const RegularGrid& grid() const { return grid_; }
  bool is_grid() const { return !grid_.lengths.empty(); }
  /// Sites of each bond of a graph (bond, 2).
  const std::vector<std::uint32_t>& ends() const { return ends_; }
  /// [bonds], or (replica, bond) where they differ by replica.
  const std::vector<float>& couplings() const { return couplings_; }
  Index bonds() const { return std::ssize(ends_) / 2; }
  bool differs_by_replica() const { return differs_by_replica_; }

 private:
  RegularGrid grid_;
  Index sites_ = 0;
  std::vector<std::uint32_t> ends_;
  std::vector<float> couplings_;
  bool differs_by_replica_ = false;
};

class ReflectionClusters {
 public:
  /// @param replicas of this process @param first_replica of the study, which random numbers count
  /// from @throws InternalError for couplings of another number of replicas
  ReflectionClusters(const ReflectionGraph& graph, Index replicas, std::uint64_t seed,
                     const Device& device, Index first_replica = 0);

  /// Updates every replica once. @param strength K, finite, of either sign @param field of this
  /// device, projected on the vectors of the step
  /// @param step keys the random numbers, under 2^40
  /// @param measured sums are added to those since clear_sums
  void update(const ReflectionStrength& strength, ReflectedField& field, std::uint64_t step,
              Reflected reflected, bool measured);
  void clear_sums() { engine_->clear_sums(replicas_); }
  /// Of all updates since then; waits for a GPU. [replicas]
  std::vector<ReflectionSums> sums() const { return engine_->sums(); }

 private:
  ReflectionClusterView view_;
  Index replicas_;
  std::uint64_t seed_;
  Index first_replica_;
  Array<std::uint32_t> ends_;
  Array<float> couplings_;
  std::unique_ptr<ReflectionEngine> engine_;
};

}  // namespace larmor::clusters
