#include "larmor/study/tempering/ladder_tuning.hpp"

#include <algorithm>
#include <numeric>

namespace larmor::study {
namespace {

/// Ends of rounds, in 64ths of thermalisation. Acceptance is known soon; a flow needs round trips.
constexpr int parts = 64;
constexpr int by_acceptance[] = {2, 4, 8, 16, 32};
constexpr int by_acceptance_at_first[] = {1, 2, 4, 8};
constexpr int by_flow_then[] = {16, 32, 48};

}  // namespace

tempering::PairRates rates_of(const tempering::ExchangeCounts& counts, Index rungs, Index ladders) {
  tempering::PairRates rates;
  const auto pairs = static_cast<std::size_t>(rungs - 1);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    double accepted = 0;
    for (std::size_t n = pair; n < counts.accepted.size(); n += pairs)
      accepted += counts.accepted[n];
    const auto proposals = static_cast<double>(counts.proposed[pair % 2] * ladders);
    rates.proposals.push_back(proposals);
    rates.rate.push_back(proposals > 0 ? accepted / proposals : 0);
  }
  return rates;
}

LadderTuning::LadderTuning(const LadderChoice& choice, Index thermalisation)
    : scale_(choice.scale), thermalisation_(thermalisation) {
  const auto add = [&](const auto& ends, bool by_flow) {
    for (const int end : ends) rounds_.push_back({thermalisation / parts * end, by_flow});
  };
  if (choice.spacing == Spacing::constant_acceptance) add(by_acceptance, false);
  if (choice.spacing != Spacing::flow) return;
  add(by_acceptance_at_first, false);
  add(by_flow_then, true);
}

Index LadderTuning::next(Index sweeps) const {
  for (const Round& round : rounds_)
    if (round.end > sweeps) return round.end;
  return std::max(thermalisation_, sweeps);
}

bool LadderTuning::moves_after(Index sweeps) const {
  return sweeps > 0 && std::any_of(rounds_.begin(), rounds_.end(),
                                   [&](const Round& round) { return round.end == sweeps; });
}

std::vector<double> LadderTuning::moved(Index sweeps, const std::vector<double>& ladder,
                                        const tempering::ExchangeCounts& counts,
                                        Index ladders) const {
  const Index rungs = std::ssize(ladder);
  const tempering::PairRates rates = rates_of(counts, rungs, ladders);
  const auto round = std::find_if(rounds_.begin(), rounds_.end(),
                                  [&](const Round& one) { return one.end == sweeps; });
  if (!round->by_flow) return tempering::equal_acceptance_ladder(ladder, scale_, rates);
  tempering::FlowCounts flow;
  const auto by_rung = [&](const std::vector<double>& of_ladders) {
    std::vector<double> sums(ladder.size());
    for (std::size_t n = 0; n < of_ladders.size(); ++n) sums[n % sums.size()] += of_ladders[n];
    return sums;
  };
  flow.from_first = by_rung(counts.from_first);
  flow.from_last = by_rung(counts.from_last);
  flow.round_trips = std::accumulate(counts.round_trips.begin(), counts.round_trips.end(), 0.0);
  flow.exchanges = static_cast<double>((counts.proposed[0] + counts.proposed[1]) * ladders);
  return tempering::feedback_ladder(ladder, scale_, flow, rates);
}

}  // namespace larmor::study
