// Ladders that are tuned in rounds.
// Rooms: tempering

#include "larmor/tempering/ladder_tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bottleneck_walkers.hpp"
#include "larmor/core/error.hpp"

namespace larmor::ladder_tuning_tests {

using namespace larmor::tempering;
using tempering::testing_support::BottleneckWalkers;
using tempering::testing_support::measured_rate;

constexpr Index exchanges = 200000;

std::vector<double> geometric_ladder() { return spaced_ladder(0.8, 3, 24, RungScale::logarithmic); }

LadderTuning tuning(Spacing spacing) {
  return {geometric_ladder(), RungScale::logarithmic, spacing, exchanges};
}

/// Runs one round of tuning with walkers that have a bottleneck.
void run_round(LadderTuning& ladder, std::mt19937_64& generator) {
  const TuningRound round = *ladder.round();
  BottleneckWalkers walkers(ladder.ladder());
  walkers.run(static_cast<int>(round.settling), generator);
  walkers.forget_counts();
  walkers.run(static_cast<int>(round.counted), generator);
  ladder.end_round(walkers.rates(), walkers.counts());
}

TEST(LadderTuning, DoublesRoundTripsThroughABottleneck) {
  std::mt19937_64 generator(11);
  LadderTuning ladder = tuning(Spacing::flow);
  Index spent = 0;
  while (const auto round = ladder.round()) {
    spent += round->settling + round->counted;
    run_round(ladder, generator);
  }
  EXPECT_LE(spent, exchanges * 3 / 4);
  EXPECT_GE(spent, exchanges / 2);
  EXPECT_GT(measured_rate(ladder.ladder(), generator),
            2 * measured_rate(geometric_ladder(), generator));
  EXPECT_THROW(ladder.end_round({}, {}), InternalError);
}

TEST(LadderTuning, KeepsTheLadderWithMostRoundTrips) {
  // Feedback moves the rungs in every round. Meanwhile the test lowers the number of round trips.
  std::mt19937_64 generator(12);
  LadderTuning ladder = tuning(Spacing::flow);
  std::vector<double> first;
  double round_trips = 1e4;
  while (ladder.round()) {
    BottleneckWalkers walkers(ladder.ladder());
    walkers.run(20000, generator);
    FlowCounts counts = walkers.counts();
    counts.round_trips = round_trips;
    const bool is_measured = ladder.state().round >= 3;
    if (is_measured) round_trips /= 2;
    if (ladder.state().round == 3) first = ladder.ladder();
    ladder.end_round(walkers.rates(), counts);
    if (ladder.round() && is_measured) {
      EXPECT_NE(ladder.ladder(), first);
    }
  }
  EXPECT_EQ(ladder.ladder(), first);
}

TEST(LadderTuning, EndsWithEqualAcceptance) {
  // The heat capacity has a peak at T = 2, and the first ladder is far from the best ladder.
  const auto rates_of = [](const std::vector<double>& ladder) {
    std::vector<RungEnergy> energies;
    for (const double T : ladder) {
      const double x = (T - 2) / 0.3;
      const double C = 20 + 100 / (1 + x * x);
      energies.push_back({1 / T, 20 * T + 30 * std::atan(x), C * T * T});
    }
    PairRates rates = estimated_rates(energies);
    rates.proposals.assign(rates.rate.size(), 1e6);
    return rates;
  };
  LadderTuning ladder(spaced_ladder(0.8, 8, 24, RungScale::linear), RungScale::logarithmic,
                      Spacing::equal_acceptance, exchanges);
  const auto spread = [&] {
    const PairRates rates = rates_of(ladder.ladder());
    const auto [low, high] = std::ranges::minmax(rates.rate);
    return high - low;
  };
  EXPECT_GT(spread(), 0.6);
  while (ladder.round()) ladder.end_round(rates_of(ladder.ladder()), {});
  EXPECT_LT(spread(), 0.02);
}

TEST(LadderTuning, BeginsWithWhatEnergiesSay) {
  // A constant heat capacity gives equal ratios of temperatures, from any first ladder.
  std::vector<RungEnergy> energies;
  LadderTuning ladder(spaced_ladder(1, 8, 7, RungScale::linear), RungScale::logarithmic,
                      Spacing::equal_acceptance, exchanges);
  for (int round = 0; round < 10; ++round) {
    energies.clear();
    for (const double T : ladder.ladder()) energies.push_back({1 / T, 40 * T, 40 * T * T});
    ladder.begin(energies);
  }
  EXPECT_NEAR(ladder.ladder()[3], std::sqrt(8), 0.02);
  LadderTuning fixed(spaced_ladder(1, 8, 7, RungScale::linear), RungScale::logarithmic,
                     Spacing::linear, exchanges);
  EXPECT_FALSE(fixed.round());
  fixed.begin(energies);
  EXPECT_EQ(fixed.ladder(), spaced_ladder(1, 8, 7, RungScale::linear));
}

TEST(LadderTuning, GoesOnFromItsState) {
  std::mt19937_64 generator(14);
  LadderTuning ladder = tuning(Spacing::flow);
  while (ladder.state().round < 4) run_round(ladder, generator);
  LadderTuning resumed = tuning(Spacing::flow);
  resumed.load(ladder.state());
  std::mt19937_64 same = generator;
  while (ladder.round()) run_round(ladder, generator);
  while (resumed.round()) run_round(resumed, same);
  EXPECT_EQ(resumed.state(), ladder.state());
  LadderTuning::State damaged = ladder.state();
  damaged.ladder[3] = 7;
  EXPECT_THROW(resumed.load(damaged), InputError);
  damaged = ladder.state();
  damaged.best.pop_back();
  EXPECT_THROW(resumed.load(damaged), InputError);
}

TEST(LadderTuning, SaysHowManyExchangesItNeeds) {
  EXPECT_FALSE(fault_of_length(Spacing::geometric, 0));
  for (const Spacing spacing : {Spacing::equal_acceptance, Spacing::flow}) {
    const auto fault = fault_of_length(spacing, 50);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->problem, "50 exchanges of thermalisation are too few to tune a ladder");
    const Index least = spacing == Spacing::flow ? 427 : 107;
    EXPECT_NE(fault->remedy.find(std::to_string(least)), std::string::npos) << fault->remedy;
    EXPECT_FALSE(fault_of_length(spacing, least));
    EXPECT_TRUE(fault_of_length(spacing, least - 1));
    EXPECT_TRUE(LadderTuning(geometric_ladder(), RungScale::logarithmic, spacing, least).round());
  }
}

}  // namespace larmor::ladder_tuning_tests
