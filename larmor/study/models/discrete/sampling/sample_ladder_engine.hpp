#pragma once
// Ladders of multispin Ising samples: 64 disorder samples share a word, with a bit for each.

#include "larmor/study/models/discrete/system/discrete_system.hpp"
#include "larmor/study/sampling/ladder_engine.hpp"

namespace larmor::study {

/// An update of a word takes about as long as separate updates of this number of samples, if a
/// vector holds eight replicas.
inline constexpr Index samples_worth_a_word = 12;

/// The reason why the ladders of a study are not stored as multispin samples; empty: they are
/// stored so.
std::string reason_against_as_samples(const Study& study, bool moves_isoenergetically);

/// @throws InputError if ranks share a sample
void require_whole_ladders(const Ranks& ranks, const tempering::LadderLayout& layout,
                           const SourcePosition& where);

/// @param simulation outlives the ladders
std::unique_ptr<LadderEngine> make_sample_ladders(const Simulation& simulation,
                                                  const LadderPlan& plan, ising::Rule rule);

/// The memory of the ladders, for the replicas of the process.
StageBytes bytes_of_sample_ladders(const DiscreteTables& tables, const DiscreteSites& sites,
                                   Index replicas, Index of_sample);

}  // namespace larmor::study
