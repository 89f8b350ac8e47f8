#pragma once
// Makes the bonds and couplings of a discrete model, in the form that each engine reads.

#include "larmor/ising/multispin/samples/sample_graph.hpp"
#include "larmor/ising/potts/potts_model.hpp"
#include "larmor/study/models/discrete/system/discrete_sites.hpp"

namespace larmor::study {

/// @throws InputError for invalid bonds
void check_bonds(const DiscreteTables& tables, const DiscreteSites& sites);

/// @throws InputError for both h and h_by_site, or another number of fields than of sites
void check_fields(const DiscreteTables& tables, const DiscreteSites& sites);
/// h of each site.
std::vector<double> site_fields(const DiscreteTables& tables, const DiscreteSites& sites);

/// The number of bonds, for forecasts. The bonds themselves are not made.
double count_bonds(const DiscreteTables& tables, const DiscreteSites& sites);
/// The largest number of bonds of a site.
Index most_bonds(const DiscreteTables& tables, const DiscreteSites& sites);

/// Does each replica have its own couplings?
bool couplings_differ(const DiscreteTables& tables);
/// Are the couplings rounded, because they are not multiples of one number?
bool couplings_are_rounded(const DiscreteTables& tables);
/// A warning for each shell whose distance is nearly that of another shell.
std::vector<std::string> warnings_of_shells(const DiscreteTables& tables,
                                            const DiscreteSites& sites);
/// The lower bound of the couplings; minus infinity for normal disorder.
double least_coupling(const ScalarExchange& exchange);

/// The table of each axis of a grid, if all bonds join nearest neighbours along axes; empty: there
/// are other bonds.
std::vector<const ScalarExchange*> exchange_of_axes(const DiscreteTables& tables,
                                                    const DiscreteSites& sites);
/// The reason why spins cannot be stored as bits; empty: they can, if there is no field.
std::string reason_against_bits(const DiscreteTables& tables, const DiscreteSites& sites);
/// The reason why spins of 64 samples cannot share a word; empty: they can.
std::string reason_against_samples(const DiscreteTables& tables, const DiscreteSites& sites);
/// J of couplings that are all J, or J and -J at random.
double strength_of(const DiscreteTables& tables);
/// BITS: is the sign of a coupling a function of its place, as in ising::BondSigns? Otherwise the
/// disorder of a bond is a function of its two sites. The answer does not depend on the engine, so
/// all stages of a study have equal couplings.
bool has_signs_by_place(const DiscreteTables& tables, const DiscreteSites& sites);
/// Do all bonds along all axes have an equal J?
bool is_uniform(const std::vector<const ScalarExchange*>& of_axes);

/// J of the bonds of a grid in one replica (axis, site), from the site to the next one; 0: no bond.
/// @throws InputError if a bond is not along an axis
std::vector<double> couplings_of_grid(const DiscreteTables& tables, const DiscreteSites& sites,
                                      Index replica);

/// A list of all bonds, for single-site updates on any graph.
ising::PottsDefinition potts_definition(const DiscreteTables& tables, const DiscreteSites& sites);

/// Signs of couplings of equal strength, in the form of ising::signs_of_samples.
/// @param graph graph of the grid
std::vector<std::uint64_t> signs_of_samples(const DiscreteTables& tables,
                                            const DiscreteSites& sites,
                                            const ising::SampleGraph& graph, Index first_sample);

/// The graph for cluster updates. @param replicas those of the process
/// @throws InputError as ClusterGraph
ising::ClusterGraph cluster_graph(const DiscreteTables& tables, const DiscreteSites& sites,
                                  const ReplicaShare& replicas);

}  // namespace larmor::study
