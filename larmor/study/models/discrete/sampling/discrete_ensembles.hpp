#pragma once
// Ensembles of discrete spins: updated site by site on any graph; Ising spins on a grid with a bit
// for each spin, updated site by site; updated by clusters.

#include "larmor/ising/rule.hpp"
#include "larmor/study/models/discrete/system/discrete_system.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

/// The order parameter. Ising spins have their mean. Potts spins have a vector of q components
/// sqrt(q / (q - 1)) (n_k / N - 1 / q) with n_k sites in state k, of length 1 if all are in one
/// state.
OrderParameter order_of(const DiscreteTables& tables);
/// ln of the number of states of a replica.
double log_states(const DiscreteSystem& system);
/// Appends the order parameter of a replica. @param counts sites in each state [q]
void append_order(const DiscreteTables& tables, const double* counts, Index sites,
                  std::vector<double>& order);

/// On any graph. @param system outlives it @param fields nothing: replicas have that of the study
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
