#pragma once
// An ensemble of Ising spins on a grid, with a bit for each spin, updated site by site.

#include "larmor/study/models/discrete/system/discrete_system.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

/// @param system with spins that may be bits; it outlives the ensemble
std::unique_ptr<Ensemble> make_bit_ensemble(DiscreteSystem& system, ising::Rule rule,
                                            std::uint64_t seed);

/// The memory of the ensemble, for the replicas of the process.
StageBytes bytes_of_bit_ensemble(const DiscreteTables& tables, const DiscreteSites& sites,
                                 const Device& device, Index replicas);

}  // namespace larmor::study
