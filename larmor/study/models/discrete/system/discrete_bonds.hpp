#pragma once
// The bonds of a discrete model and their couplings, as each of the engines takes them.

#include "larmor/ising/multispin/samples/sample_graph.hpp"
#include "larmor/ising/potts/potts_model.hpp"
#include "larmor/study/models/discrete/system/discrete_sites.hpp"

namespace larmor::study {

/// @throws InputError for bonds that make no sense
void check_bonds(const DiscreteTables& tables, const DiscreteSites& sites);

/// How many there are, without making any: for forecasts.
double count_bonds(const DiscreteTables& tables, const DiscreteSites& sites);
/// Of a site.
Index most_bonds(const DiscreteTables& tables, const DiscreteSites& sites);

/// Do replicas have couplings of their own?
bool couplings_differ(const DiscreteTables& tables);
/// Are couplings no multiples of one number?
bool couplings_are_rounded(const DiscreteTables& tables);
/// Of shells that others lie close to, a sentence each.
std::vector<std::string> doubts_of_shells(const DiscreteTables& tables, const DiscreteSites& sites);
/// No coupling is less; that of normal disorder is minus infinity.
double least_coupling(const ScalarExchange& exchange);

/// Of each axis of a grid whose bonds join nearest neighbours along its axes, and no others; empty:
/// it has other bonds.
std::vector<const ScalarExchange*> exchange_of_axes(const DiscreteTables& tables,
                                                    const DiscreteSites& sites);
/// Why the spins cannot be stored as bits; empty: they can, where there is no field.
std::string why_no_bits(const DiscreteTables& tables, const DiscreteSites& sites);
/// The same for spins of 64 samples in a word.
std::string why_no_samples(const DiscreteTables& tables, const DiscreteSites& sites);
/// J of couplings that are all J, or J and -J by chance.
double strength_of(const DiscreteTables& tables);
/// BITS: is the sign of a coupling that of ising::BondSigns, a function of its place? Elsewhere
/// disorder is one of its two sites. It does not depend on the engine: all stages of a study have
/// the same couplings.
bool has_signs_by_place(const DiscreteTables& tables, const DiscreteSites& sites);
/// Is J the same for all bonds along all axes?
bool is_uniform(const std::vector<const ScalarExchange*>& of_axes);

/// Every bond listed, for single-site updates on any graph.
ising::PottsDefinition potts_definition(const DiscreteTables& tables, const DiscreteSites& sites);

/// Signs of couplings that have no others, as ising::signs_of_samples gives them.
/// @param graph of the grid
std::vector<std::uint64_t> signs_of_samples(const DiscreteTables& tables,
                                            const DiscreteSites& sites,
                                            const ising::SampleGraph& graph, Index first_sample);

/// For clusters. @param replicas of the process @throws InputError as ClusterGraph
ising::ClusterGraph cluster_graph(const DiscreteTables& tables, const DiscreteSites& sites,
                                  const ReplicaShare& replicas);

}  // namespace larmor::study
