#pragma once
// Discrete spins updated by clusters.

#include "larmor/study/models/discrete/system/discrete_system.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

enum class ClusterRule { swendsen_wang, wolff };

/// @param clusters of Wolff that each replica grows in a sweep
/// @param system outlives it; its census is taken after each run where it is wanted by now
std::unique_ptr<Ensemble> make_cluster_ensemble(DiscreteSystem& system, ClusterRule rule,
                                                Index clusters, std::uint64_t seed);

/// @throws InputError for a field, or couplings that have no clusters
void require_clusters(const DiscreteTables& tables, const DiscreteSites& sites);

/// What it needs, by the replicas of the process.
StageBytes bytes_of_cluster_ensemble(const DiscreteTables& tables, const DiscreteSites& sites,
                                     const Device& device, Index replicas);

}  // namespace larmor::study
