#pragma once
// An ensemble of discrete spins updated by clusters.

#include "larmor/study/models/discrete/system/discrete_system.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

enum class ClusterRule { swendsen_wang, wolff };

/// @param clusters number that each replica grows in a sweep of Wolff
/// @param system outlives the ensemble; a census that is wanted is taken after each run
std::unique_ptr<Ensemble> make_cluster_ensemble(DiscreteSystem& system, ClusterRule rule,
                                                Index clusters, std::uint64_t seed);

/// @throws InputError for a field, or for couplings without cluster updates
void require_clusters(const DiscreteTables& tables, const DiscreteSites& sites);

/// The memory of the ensemble, for the replicas of the process.
StageBytes bytes_of_cluster_ensemble(const DiscreteTables& tables, const DiscreteSites& sites,
                                     const Device& device, Index replicas);

}  // namespace larmor::study
