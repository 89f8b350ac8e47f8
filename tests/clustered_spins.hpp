#pragma once
// Spins and their clusters, for tests that call the sampler directly.

#include "larmor/spins/samplers/cluster_bonds.hpp"
#include "larmor/spins/samplers/cluster_sampler.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::testing_support {

/// Replicas of a system, all at one temperature, and their cluster sampler.
struct ClusteredSpins {
  /// @param text TOML without stages
  ClusteredSpins(const std::string& text, const ReplicaShare& replicas, double temperature,
                 const Device& device, std::uint64_t seed = 11)
      : tables(study::parse_system("replicas = " + std::to_string(replicas.all) + "\n" + text,
                                   "test")),
        system(tables, device, study::build_geometry(tables), replicas),
        beta(device,
             std::vector<double>(static_cast<std::size_t>(replicas.count), 1 / temperature)),
        clusters(system.model,
                 spins::cluster_bonds(system.geometry, system.model,
                                      study::lower_terms(tables, system.geometry, system.moments),
                                      replicas),
                 seed, replicas, device) {
    system.state.randomise(3);
  }

  /// Makes one Swendsen-Wang update, or flips three Wolff clusters.
  void sweep(bool by_wolff, bool measured = false) {
    if (by_wolff)
      clusters.wolff(system.state, beta.data(), 3, measured);
    else
      clusters.swendsen_wang(system.state, beta.data(), measured);
  }
  /// Configurations of all replicas.
  std::vector<double> configurations() const {
    return system.state.configurations(system.state.layout().replicas);
  }

  study::SystemTables tables;
  study::SpinSystem system;
  Array<double> beta;
  spins::ClusterSampler clusters;
};

}  // namespace larmor::testing_support
