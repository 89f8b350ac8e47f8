#include "larmor/tempering/ladder_tuning.hpp"

#include <fmt/core.h>

#include <utility>

#include "larmor/core/error.hpp"

namespace larmor::tempering {
namespace {

/// Rounds that count the round trips of a ladder: one of equal acceptance and two of feedback.
constexpr std::size_t feedback_rounds = 3;
/// Exchanges of the shortest round. A quarter of them only settles. The others propose every pair
/// fifteen times.
constexpr Index shortest_round = 40;
/// Length of the thermalisation in the unit of `lengths_of_rounds`. The rounds are shorter in sum.
/// The exchanges after the last round use the final rungs.
constexpr Index all_lengths = 64;

std::vector<Index> lengths_of_rounds(Spacing spacing) {
  if (spacing == Spacing::equal_acceptance) return {3, 3, 6, 12, 24};
  if (spacing == Spacing::flow) return {3, 3, 6, 12, 12, 12};
  return {};
}

std::vector<TuningRound> rounds_of(Spacing spacing, Index exchanges) {
  std::vector<TuningRound> rounds;
  for (const Index length : lengths_of_rounds(spacing)) {
    const Index all = exchanges * length / all_lengths;
    if (all >= shortest_round) rounds.push_back({all / 4, all - all / 4});
  }
  return rounds;
}

}  // namespace

std::optional<LadderFault> fault_of_length(Spacing spacing, Index exchanges) {
  const std::vector<Index> lengths = lengths_of_rounds(spacing);
  // At least one round of equal acceptance is needed. The rounds of feedback count separately.
  const std::size_t others = spacing == Spacing::flow ? feedback_rounds : 0;
  if (lengths.empty()) return std::nullopt;
  const Index longest = lengths[lengths.size() - 1 - others];
  const Index least = (shortest_round * all_lengths + longest - 1) / longest;
  if (exchanges >= least) return std::nullopt;
  return LadderFault{
      fmt::format("{} exchanges of thermalisation are too few to tune a ladder", exchanges),
      fmt::format("thermalise for {} exchanges or more, or take spacing = \"geometric\"", least)};
}

LadderTuning::LadderTuning(std::vector<double> ladder, RungScale scale, Spacing spacing,
                           Index exchanges)
    : scale_(scale), spacing_(spacing), rounds_(rounds_of(spacing, exchanges)) {
  if (fault_of_values(ladder, scale, "")) throw InternalError("the ladder to be tuned is invalid");
  state_.ladder = std::move(ladder);
}

void LadderTuning::begin(const std::vector<RungEnergy>& energies) {
  if (!round()) return;
  state_.ladder = equal_acceptance_ladder(state_.ladder, scale_, estimated_rates(energies));
}

std::optional<TuningRound> LadderTuning::round() const {
  const auto round = static_cast<std::size_t>(state_.round);
  if (round >= rounds_.size()) return std::nullopt;
  return rounds_[round];
}

void LadderTuning::end_round(const PairRates& rates, const FlowCounts& counts) {
  if (!round()) throw InternalError("a ladder is tuned after its last round");
  const auto left = rounds_.size() - static_cast<std::size_t>(state_.round);
  ++state_.round;
  if (spacing_ != Spacing::flow || left > feedback_rounds) {
    state_.ladder = equal_acceptance_ladder(state_.ladder, scale_, rates);
    return;
  }
  const double rate = counts.round_trips / counts.exchanges;
  if (state_.best.empty() || rate > state_.best_rate) {
    state_.best = state_.ladder;
    state_.best_rate = rate;
  }
  state_.ladder = left > 1 ? feedback_ladder(state_.ladder, scale_, counts, rates) : state_.best;
}

void LadderTuning::load(State state) {
  if (state.ladder.size() != state_.ladder.size() || state.round < 0 ||
      state.round > static_cast<Index>(rounds_.size()) ||
      fault_of_values(state.ladder, scale_, "") ||
      (!state.best.empty() && state.best.size() != state.ladder.size()))
    throw InputError("the checkpoint's ladder does not fit the study",
                     "resume the results to which this checkpoint belongs");
  state_ = std::move(state);
}

}  // namespace larmor::tempering
