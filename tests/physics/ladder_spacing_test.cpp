// Placement of the rungs of ladders and its benefit. The models have a known acceptance, or walkers
// with a known bottleneck.
// Rooms: tempering

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <utility>

#include "bottleneck_walkers.hpp"
#include "larmor/core/error.hpp"
#include "larmor/tempering/spacing.hpp"

namespace larmor::ladder_spacing_tests {

using namespace larmor::tempering;
using tempering::testing_support::BottleneckWalkers;
using tempering::testing_support::measured_rate;

constexpr double never = std::numeric_limits<double>::infinity();

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n) largest = std::max(largest, std::abs(a[n] - b[n]));
  return largest;
}

/// Exact exchange rates of all pairs.
template <class Acceptance>
PairRates known_rates(const std::vector<double>& ladder, const Acceptance& acceptance) {
  PairRates rates;
  for (std::size_t rung = 1; rung < ladder.size(); ++rung) {
    rates.rate.push_back(acceptance(ladder[rung - 1], ladder[rung]));
    rates.proposals.push_back(never);
  }
  return rates;
}

double spread(const std::vector<double>& rates) {
  const auto [low, high] = std::ranges::minmax_element(rates);
  return *high - *low;
}

/// An Ising model of 4 x 4 spins with periodic boundaries, by the number of its states at each
/// energy.
class SmallIsing {
 public:
  SmallIsing() {
    for (unsigned state = 0; state < 65536; ++state) {
      int energy = 0;
      for (unsigned site = 0; site < 16; ++site) {
        const unsigned right = site / 4 * 4 + (site + 1) % 4, above = (site + 4) % 16;
        for (const unsigned other : {right, above})
          energy += ((state >> site) & 1) == ((state >> other) & 1) ? -1 : 1;
      }
      ++states_[static_cast<std::size_t>(energy + 32)];
    }
  }

  double probability(double T, int energy) const {
    double sum = 0;
    for (int e = -32; e <= 32; ++e) sum += weight(T, e);
    return weight(T, energy) / sum;
  }

  double acceptance(double T, double other) const {
    double sum = 0;
    for (int e = -32; e <= 32; e += 4)
      for (int f = -32; f <= 32; f += 4)
        sum += probability(T, e) * probability(other, f) *
               std::min(1.0, std::exp((1 / T - 1 / other) * (e - f)));
    return sum;
  }

  RungEnergy energy(double T) const {
    double mean = 0, square = 0;
    for (int e = -32; e <= 32; ++e) {
      mean += e * probability(T, e);
      square += e * e * probability(T, e);
    }
    return {1 / T, mean, square - mean * mean};
  }

 private:
  double weight(double T, int energy) const {
    return states_[static_cast<std::size_t>(energy + 32)] * std::exp(-(energy + 32) / T);
  }

  std::vector<double> states_ = std::vector<double>(65);
};

TEST(LadderSpacing, KeepsItsEndsAndEqualRatios) {
  const std::vector<double> ladder = spaced_ladder(0.1, 3.7, 9, RungScale::logarithmic);
  EXPECT_EQ(ladder.front(), 0.1);
  EXPECT_EQ(ladder.back(), 3.7);
  for (std::size_t rung = 1; rung < 9; ++rung)
    EXPECT_NEAR(ladder[rung] / ladder[rung - 1], std::pow(37, 1 / 8.0), 1e-12);
  const std::vector<double> falling = spaced_ladder(1, -2, 4, RungScale::linear);
  EXPECT_LT(largest_difference(falling, {1, 0, -1, -2}), 1e-15);
  EXPECT_THROW(spaced_ladder(-1, 2, 4, RungScale::logarithmic), InternalError);
  EXPECT_THROW(spaced_ladder(1, 2, 1, RungScale::linear), InternalError);
}

TEST(LadderSpacing, NamesWhatIsWrongWithValues) {
  const auto problem = [](const std::vector<double>& ladder) {
    const auto fault = fault_of_values(ladder, RungScale::logarithmic, "temperature");
    return fault ? fault->problem : "";
  };
  EXPECT_EQ(problem({1, 2, 4}), "");
  EXPECT_EQ(problem({4, 2, 1}), "");
  EXPECT_EQ(problem({1}), "temperature has one value, which makes no ladder");
  EXPECT_EQ(problem({1, 2, 2, 4}), "temperature has the rung 2 twice");
  EXPECT_EQ(problem({1, 3, 2}), "the rungs of temperature are not in order");
  EXPECT_EQ(problem({-1, 3, 4}), "temperature has the rung -1");
  EXPECT_EQ(problem({1, NAN, 2}), "temperature has a rung that is not a finite number");
  EXPECT_FALSE(fault_of_values({-1, 0, 1}, RungScale::linear, "kappa"));
}

TEST(LadderAcceptance, OfNormalEnergiesIsThatOfSamples) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  struct Case {
    RungEnergy a, b;
  };
  for (const auto& [a, b] : {Case{{1.0, -3, 4}, {0.6, -1, 9}}, Case{{1, -8, 4}, {0.2, 0, 4}},
                             Case{{1, 0, 1}, {1, 2, 3}}, Case{{0.7, 1, 2}, {0.9, 2, 2}}}) {
    constexpr int samples = 400000;
    double sum = 0;
    for (int n = 0; n < samples; ++n) {
      const double e = a.mean + std::sqrt(a.variance) * normal(generator);
      const double f = b.mean + std::sqrt(b.variance) * normal(generator);
      sum += std::min(1.0, std::exp((a.b - b.b) * (e - f)));
    }
    EXPECT_NEAR(estimated_acceptance(a, b), sum / samples, 5 * 0.5 / std::sqrt(samples));
  }
  // In equilibrium, the acceptance is erfc(lambda / 2), even if it nearly vanishes.
  for (const double lambda : {0.1, 1.0, 5.0, 30.0, 50.0}) {
    const double acceptance = estimated_acceptance({1, 3 * lambda, 9}, {1 + lambda / 3, 0, 9});
    EXPECT_NEAR(acceptance / std::erfc(lambda / 2), 1, 5e-3) << lambda;
    EXPECT_NEAR(pair_length(std::erfc(lambda / 2), never), lambda, 1e-9);
  }
}

TEST(LadderAcceptance, IsEqualOnAGeometricLadderWhereTheHeatCapacityIsConstant) {
  // The energies of n oscillators have the mean n T and the variance n T^2. Therefore equal ratios
  // give equal exchange rates.
  constexpr double n = 60;
  const auto acceptance = [](double T, double other) {
    return estimated_acceptance({1 / T, n * T, n * T * T},
                                {1 / other, n * other, n * other * other});
  };
  const std::vector<double> wanted = spaced_ladder(0.5, 8, 17, RungScale::logarithmic);
  for (const bool falls : {false, true}) {
    std::vector<double> ladder =
        spaced_ladder(falls ? 8 : 0.5, falls ? 0.5 : 8, 17, RungScale::linear);
    for (int round = 0; round < 12; ++round)
      ladder =
          equal_acceptance_ladder(ladder, RungScale::logarithmic, known_rates(ladder, acceptance));
    if (falls) std::ranges::reverse(ladder);
    EXPECT_EQ(ladder.front(), 0.5);
    EXPECT_EQ(ladder.back(), 8);
    EXPECT_LT(largest_difference(ladder, wanted), 1e-3);
  }
}

TEST(LadderAcceptance, IsTheSameOfAllPairsOfAnIsingModel) {
  const SmallIsing model;
  const auto acceptance = [&](double T, double other) { return model.acceptance(T, other); };
  std::vector<double> ladder = spaced_ladder(0.8, 6, 8, RungScale::logarithmic);
  const double before = spread(known_rates(ladder, acceptance).rate);
  EXPECT_GT(before, 0.4);
  for (int round = 0; round < 8; ++round)
    ladder =
        equal_acceptance_ladder(ladder, RungScale::logarithmic, known_rates(ladder, acceptance));
  const PairRates after = known_rates(ladder, acceptance);
  EXPECT_LT(spread(after.rate), 0.01);
  EXPECT_NEAR(equal_acceptance(after, 8), after.rate.front(), 0.01);
  EXPECT_EQ(rungs_for_acceptance(after, after.rate.front() - 0.01), 8);
  // Even without exchange rates, the energies give a good first ladder.
  std::vector<RungEnergy> energies;
  const std::vector<double> geometric = spaced_ladder(0.8, 6, 8, RungScale::logarithmic);
  for (const double T : geometric) energies.push_back(model.energy(T));
  const std::vector<double> begun =
      equal_acceptance_ladder(geometric, RungScale::logarithmic, estimated_rates(energies));
  EXPECT_LT(spread(known_rates(begun, acceptance).rate), 0.6 * before);
}

TEST(LadderAcceptance, BearsRatesOfZeroAndOne) {
  const std::vector<double> ladder = spaced_ladder(1, 16, 5, RungScale::logarithmic);
  const PairRates rates{{1, 0, 0.5, 1}, {100, 100, 100, 100}};
  const std::vector<double> moved = equal_acceptance_ladder(ladder, RungScale::logarithmic, rates);
  ASSERT_FALSE(fault_of_values(moved, RungScale::logarithmic, ""));
  EXPECT_EQ(moved.front(), 1);
  EXPECT_EQ(moved.back(), 16);
  // The inner rungs move to the gap that has no exchanges.
  EXPECT_GT(moved[1], 2);
  EXPECT_LT(moved[2], 4);
  // Half of the damping gives half of the move.
  const std::vector<double> half =
      equal_acceptance_ladder(ladder, RungScale::logarithmic, rates, 0.5);
  for (std::size_t rung = 0; rung < 5; ++rung)
    EXPECT_NEAR(half[rung], std::sqrt(ladder[rung] * moved[rung]), 1e-12);
  for (const double rate : {0.0, 1.0}) {
    const PairRates same{{rate, rate, rate, rate}, {100, 100, 100, 100}};
    EXPECT_LT(
        largest_difference(equal_acceptance_ladder(ladder, RungScale::logarithmic, same), ladder),
        1e-12);
  }
  const PairRates sure{{1, 1, 1, 1}, {never, never, never, never}};
  EXPECT_EQ(equal_acceptance_ladder(ladder, RungScale::logarithmic, sure), ladder);
}

TEST(LadderAcceptance, SaysWhichPairNeverExchanges) {
  const std::vector<double> ladder = spaced_ladder(1, 16, 5, RungScale::logarithmic);
  const PairRates cut{{0.5, 0.5, 0, 0.5}, {1000, 1000, 1000, 1000}};
  const auto fault = unconnected_pair(ladder, RungScale::logarithmic, cut, "temperature");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->problem,
            "none of 1000 exchanges between the rungs 4 and 8 of temperature was accepted");
  EXPECT_EQ(fault->remedy, "take 6 rungs or more, or a narrower range of temperature");
  const auto close = unconnected_pair({1, 2, 2.001, 8, 16}, RungScale::logarithmic,
                                      {{0.5, 0, 0.5, 0.5}, cut.proposals}, "temperature");
  ASSERT_TRUE(close);
  EXPECT_NE(close->remedy.find("first-order"), std::string::npos);
  const auto early = unconnected_pair(ladder, RungScale::logarithmic,
                                      {{0.9, 0.9, 0, 0.9}, {200, 200, 200, 200}}, "temperature");
  ASSERT_TRUE(early);
  EXPECT_NE(early->remedy.find("a longer thermalisation"), std::string::npos);
  EXPECT_FALSE(unconnected_pair(ladder, RungScale::logarithmic, {cut.rate, {99, 99, 99, 99}}, "T"));
  EXPECT_FALSE(unconnected_pair(ladder, RungScale::logarithmic,
                                {{0.5, 0.5, 0.001, 0.5}, cut.proposals}, "T"));
}

TEST(LadderFeedback, PutsRungsIntoTheBottleneckAndDoublesRoundTrips) {
  std::mt19937_64 generator(7);
  const std::vector<double> geometric = spaced_ladder(0.8, 3, 24, RungScale::logarithmic);
  std::vector<double> ladder = geometric;
  FeedbackSettings settings;
  settings.least_acceptance = 0.02;
  int exchanges = 20000;
  for (int round = 0; round < 5; ++round, exchanges *= 2) {
    BottleneckWalkers walkers(ladder);
    walkers.run(exchanges, generator);
    walkers.forget_counts();
    walkers.run(exchanges, generator);
    ladder = feedback_ladder(ladder, RungScale::logarithmic, walkers.counts(), walkers.rates(),
                             settings);
    ASSERT_FALSE(fault_of_values(ladder, RungScale::logarithmic, ""));
    EXPECT_EQ(ladder.front(), 0.8);
    EXPECT_EQ(ladder.back(), 3);
  }
  const auto inside = [](const std::vector<double>& rungs) {
    return std::ranges::count_if(rungs, [](double T) { return std::abs(T - 1.5) < 0.05; });
  };
  EXPECT_LE(inside(geometric), 2);
  EXPECT_GE(inside(ladder), 8);
  const double before = measured_rate(geometric, generator),
               after = measured_rate(ladder, generator);
  EXPECT_GT(after, 2 * before) << before << " " << after;
}

TEST(LadderFeedback, LeavesALadderOfWhichNothingIsKnown) {
  const std::vector<double> ladder = spaced_ladder(1, 16, 6, RungScale::logarithmic);
  const PairRates rates{std::vector<double>(5, 0.4), std::vector<double>(5, 100)};
  FlowCounts counts;
  counts.from_first = counts.from_last = std::vector<double>(6);
  EXPECT_LT(
      largest_difference(feedback_ladder(ladder, RungScale::logarithmic, counts, rates), ladder),
      1e-12);
}

TEST(LadderFeedback, GivesGapsRungsByTheRootOfTheirFall) {
  // The flow falls by 1, 1 and 4. The last gap has half of the total weight 1 + 1 + 2, which the
  // rungs divide in thirds.
  FlowCounts counts;
  counts.round_trips = 1e9;
  counts.from_first = {6, 5, 4, 0};
  counts.from_last = {0, 1, 2, 6};
  const PairRates rates{{0.9, 0.9, 0.9}, {never, never, never}};
  EXPECT_LT(largest_difference(feedback_ladder({0, 1, 2, 3}, RungScale::linear, counts, rates),
                               {0, 4 / 3.0, 7 / 3.0, 3}),
            1e-6);
}

TEST(LadderFeedback, TakesOffTheJumpsThatTurnsOfTheEndsMake) {
  // Parities alternate, and all pairs have the acceptance A. Between neighbours, the flow f falls
  // by J (1 - A) / A. At the ends, where every walker turns, it falls by J / 2. This ladder is
  // already the best ladder.
  const std::vector<double> ladder = spaced_ladder(1, 16, 6, RungScale::logarithmic);
  constexpr double A = 0.8, J = 1 / (1 + 5 * (1 - A) / A), walkers = 1e6;
  FlowCounts counts;
  counts.exchanges = walkers;
  counts.round_trips = J / 2 * walkers;
  for (int rung = 0; rung < 6; ++rung) {
    const double f = rung == 0 ? 1 : rung == 5 ? 0 : 1 - J / 2 - rung * J * (1 - A) / A;
    counts.from_first.push_back(f * walkers);
    counts.from_last.push_back((1 - f) * walkers);
  }
  const PairRates rates{std::vector<double>(5, A), std::vector<double>(5, walkers)};
  EXPECT_LT(
      largest_difference(feedback_ladder(ladder, RungScale::logarithmic, counts, rates), ladder),
      1e-6);
}

TEST(LadderFeedback, ThinsNoRungsOutBelowTheLeastAcceptance) {
  // The flow falls only between the first two rungs, and acceptance is low.
  const std::vector<double> ladder = spaced_ladder(1, 16, 9, RungScale::logarithmic);
  FlowCounts counts;
  counts.exchanges = 1e9;
  counts.round_trips = 1e6;
  counts.from_first = {1e6, 1e3, 1e3, 1e3, 1e3, 1e3, 1e3, 1e3, 0};
  counts.from_last = {0, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6};
  const PairRates rates{std::vector<double>(8, 0.25), std::vector<double>(8, 1e6)};
  const std::vector<double> moved = feedback_ladder(ladder, RungScale::logarithmic, counts, rates);
  EXPECT_LT(moved[1], ladder[1]);
  for (std::size_t rung = 1; rung < moved.size(); ++rung) {
    const double gaps = std::log(moved[rung] / moved[rung - 1]) / std::log(ladder[1]);
    EXPECT_GE(std::erfc(gaps * pair_length(0.25, never) / 2), 0.099) << rung;
  }
}

TEST(LadderFlow, NeverRisesAndIsKnownAtEveryRung) {
  FlowCounts counts;
  counts.from_first = {50, 80, 90, 0, 20, 30, 7};
  counts.from_last = {0, 20, 10, 0, 80, 20, 50};
  // The fractions 80 and 90 of 100 are pooled, and so are 20 of 100 and 30 of 50. The rung without
  // counts is interpolated.
  EXPECT_LT(largest_difference(monotone_flow(counts),
                               {1, 0.85, 0.85, (0.85 + 1 / 3.0) / 2, 1 / 3.0, 1 / 3.0, 0}),
            1e-12);
  counts.from_first = counts.from_last = std::vector<double>(3);
  EXPECT_LT(largest_difference(monotone_flow(counts), {1, 0.5, 0}), 1e-15);
}

}  // namespace larmor::ladder_spacing_tests
