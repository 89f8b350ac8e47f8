#pragma once
// Ladders of Ising spins of many samples of frozen disorder, a bit each, 64 samples in a word.

#include "larmor/study/models/discrete/system/discrete_system.hpp"
#include "larmor/study/sampling/ladder_engine.hpp"

namespace larmor::study {

/// Words take as long as about so many samples replica by replica, whose vectors hold eight.
inline constexpr Index samples_worth_a_word = 12;

/// Why the ladders of a study are not stored so; empty: they are.
std::string why_not_as_samples(const Study& study, bool moves_isoenergetically);

/// @throws InputError where ranks share a sample
void require_whole_ladders(const Ranks& ranks, const tempering::LadderLayout& layout,
                           const SourcePosition& where);

/// @param simulation outlives it
std::unique_ptr<LadderEngine> make_sample_ladders(const Simulation& simulation,
                                                  const LadderPlan& plan, ising::Rule rule);

/// What they need, by the replicas of the process.
StageBytes bytes_of_sample_ladders(const DiscreteTables& tables, const DiscreteSites& sites,
                                   Index replicas, Index of_sample);

}  // namespace larmor::study
