#pragma once
// Reports how replicas moved along the ladder, to the results and to the user.

#include <string>
#include <vector>

#include "larmor/study/model_kind/results_group.hpp"
#include "larmor/tempering/replica_exchange.hpp"
#include "larmor/tempering/round_trips.hpp"

namespace larmor::study {

/// @param counts those of all ladders @param values values of the rungs
/// @param sweeps those of each replica
tempering::LadderCounts ladder_counts(const tempering::ExchangeCounts& counts,
                                      const std::vector<double>& values, Index ladders,
                                      double sweeps);

/// The rates of all ladders together.
tempering::PairRates rates_of(const tempering::ExchangeCounts& counts, Index rungs, Index ladders);

/// FORMAT: ladder/{acceptance, flow, ..} of neighbouring rungs, rungs, ladders.
/// @param key name of the values @param tried ladders before the last one (ladder, rung)
void write_ladder_report(const tempering::LadderCounts& counts, const std::string& key,
                         const std::vector<double>& tried, ResultsGroup& results);

/// A note to the user; empty: none. @param sweep name of a sweep
std::string note_of_ladder(const tempering::LadderCounts& counts, const std::string& key,
                           const std::string& sweep);

}  // namespace larmor::study
