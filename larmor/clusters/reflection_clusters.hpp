#pragma once
// Cluster updates of vectors by reflection for many replicas: Swendsen-Wang and Wolff. See
// reflection_cluster_view.hpp.
//
// BITS: each decision is a function of (seed, step, replica). A decision on a bond also depends on
// the bond, and a decision on a cluster on the least site of the cluster. Threads and devices
// change no bit. A Wolff cluster is the Swendsen-Wang cluster of its seed at that step.

#include <memory>
#include <span>

#include "larmor/clusters/reflection_engine.hpp"
#include "larmor/core/device/array.hpp"

namespace larmor::clusters {

/// A bond of a graph that is not a grid.
struct ReflectionBond {
  Index i, j;
  float coupling;  ///< factor: K of the bond is this times K of the replica
};

/// The sites of vectors and the bonds between them.
class ReflectionGraph {
 public:
  /// A grid with the bonds that bonds_of counts. All bonds have K of the replica.
  /// @throws InputError as checked_sites, and for more than 2^31 sites
  static ReflectionGraph on_grid(const RegularGrid& grid);
  /// @throws InputError for more than 2^31 sites, for bonds from a site to itself or to a missing
  /// site, or couplings that are not finite
  static ReflectionGraph of_bonds(Index sites, std::span<const ReflectionBond> bonds);
  /// A graph whose couplings differ by replica and replace those of the bonds.
  /// @param couplings (replica, bond), for the updated replicas
  static ReflectionGraph of_bonds(Index sites, std::span<const ReflectionBond> bonds,
                                  std::vector<float> couplings);

  Index sites() const { return sites_; }
  const RegularGrid& grid() const { return grid_; }
  bool is_grid() const { return !grid_.lengths.empty(); }
  /// Sites of each bond of a graph (bond, 2).
  const std::vector<std::uint32_t>& ends() const { return ends_; }
  /// Couplings of the bonds [bonds], or (replica, bond) if couplings differ by replica.
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
  /// @param replicas number of replicas of this process
  /// @param first_replica index of the first of them in the study, for random numbers
  /// @throws InternalError for couplings of another number of replicas
  ReflectionClusters(const ReflectionGraph& graph, Index replicas, std::uint64_t seed,
                     const Device& device, Index first_replica = 0);

  /// Updates every replica once.
  /// @param strength K, finite, of either sign
  /// @param field vectors on this device, projected on the directions of this step
  /// @param step keys the random numbers, under 2^40
  /// @param measured are the sums of this update added to those since clear_sums?
  void update(const ReflectionStrength& strength, ReflectedField& field, std::uint64_t step,
              Reflected reflected, bool measured);
  void clear_sums() { engine_->clear_sums(replicas_); }
  /// Sums over all measured updates since clear_sums. Waits for a GPU. [replicas]
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
