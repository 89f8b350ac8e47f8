#pragma once
// Three ensembles of discrete spins. One updates single sites of any graph. One updates single
// sites of Ising spins on a grid, with a bit for each spin. One updates clusters.

#include "larmor/ising/rule.hpp"
#include "larmor/study/models/discrete/system/discrete_system.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

/// The order parameter. For Ising spins the order parameter is the mean of the spins. For Potts
/// spins it is a vector of q components sqrt(q / (q - 1)) (n_k / N - 1 / q), where n_k of N sites
/// are in state k. The length of the vector is 1 if all sites are in one state.
OrderParameter order_of(const DiscreteTables& tables);
/// The logarithm of the number of states of a replica.
double log_states(const DiscreteSystem& system);
/// Appends the order parameter of a replica. @param counts sites in each state [q]
void append_order(const DiscreteTables& tables, const double* counts, Index sites,
                  std::vector<double>& order);

/// Updates single sites of any graph. @param system outlives the ensemble @param fields nothing:
/// replicas have the field of the study
std::unique_ptr<Ensemble> make_local_ensemble(DiscreteSystem& system, ising::Rule rule,
                                              std::uint64_t seed,
                                              const std::optional<FieldRungs>& fields = {});

/// The memory of the ensemble.
StageBytes bytes_of_local_ensemble(const Sizing& sizing);

/// Spins of a grid as bits. @param system with spins that may be bits; it outlives the ensemble
std::unique_ptr<Ensemble> make_bit_ensemble(DiscreteSystem& system, ising::Rule rule,
                                            std::uint64_t seed);

/// The memory of the ensemble, for the replicas of the process.
StageBytes bytes_of_bit_ensemble(const DiscreteTables& tables, const DiscreteSites& sites,
                                 const Device& device, Index replicas);

enum class ClusterRule { swendsen_wang, wolff };

/// @param clusters number of clusters that each replica grows in a sweep of Wolff
/// @param system outlives the ensemble, which takes a census after each run if it is wanted
std::unique_ptr<Ensemble> make_cluster_ensemble(DiscreteSystem& system, ClusterRule rule,
                                                Index clusters, std::uint64_t seed);

/// @throws InputError for a field, or for couplings without cluster updates
void require_clusters(const DiscreteTables& tables, const DiscreteSites& sites);

/// The memory of the ensemble, for the replicas of the process.
StageBytes bytes_of_cluster_ensemble(const DiscreteTables& tables, const DiscreteSites& sites,
                                     const Device& device, Index replicas);

}  // namespace larmor::study
