#pragma once
// What tests of ladders of samples compare.

#include <cstdint>
#include <vector>

#include "larmor/ising/samples/sample_ladders.hpp"

namespace larmor::testing_support {

/// All that runs leave behind.
struct LadderOutcome {
  std::vector<std::uint64_t> spins;
  std::vector<std::int32_t> rungs, words;
  std::vector<std::int8_t> labels;
  std::vector<std::int64_t> accepted, from_first, from_last, round_trips;
  friend bool operator==(const LadderOutcome&, const LadderOutcome&) = default;
};

inline LadderOutcome outcome_of(const ising::SampleLadders& ladders) {
  const ising::SampleLadderState state = ladders.state();
  const ising::LadderExchangeCounts counts = ladders.counts();
  return {state.spins,     state.rungs,       ladders.words_at_rungs(), state.labels,
          counts.accepted, counts.from_first, counts.from_last,         counts.round_trips};
}

/// k_B T of so many rungs, rising from `first` by equal factors.
inline std::vector<double> rising_ladder(Index rungs, double first, double factor) {
  std::vector<double> ladder{first};
  while (std::ssize(ladder) < rungs) ladder.push_back(ladder.back() * factor);
  return ladder;
}

}  // namespace larmor::testing_support
