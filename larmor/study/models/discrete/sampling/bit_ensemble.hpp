#pragma once
// Ising spins of a grid, a bit each, updated site by site.

#include "larmor/study/models/discrete/system/discrete_system.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

/// @param system may be bits; it outlives it
std::unique_ptr<Ensemble> make_bit_ensemble(DiscreteSystem& system, ising::Rule rule,
                                            std::uint64_t seed);

/// What it needs, by the replicas of the process.
StageBytes bytes_of_bit_ensemble(const DiscreteTables& tables, const DiscreteSites& sites,
                                 const Device& device, Index replicas);

}  // namespace larmor::study
