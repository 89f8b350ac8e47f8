// Reports of ladders, compared with exact values. The walkers have normal energies of equal
// variance at every rung, with or without memory between exchanges.
// Rooms: tempering

#include "larmor/tempering/round_trips.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "larmor/core/error.hpp"
#include "larmor/tempering/walker_label.hpp"

namespace larmor::round_trips_tests {

using namespace larmor::tempering;

constexpr std::size_t ladders = 12;
constexpr int exchanges = 20000;

/// Energies have the variance 1 and the mean -b at the inverse temperature b. Two rungs whose b
/// differ by l exchange with the probability erfc(l / 2).
struct NormalLadder {
  std::vector<double> b;
  std::vector<double> memory;  ///< correlation of a walker's energy before and after its sweep

  explicit NormalLadder(const std::vector<double>& gaps) : b{0}, memory(gaps.size() + 1) {
    for (const double gap : gaps) b.push_back(b.back() + gap);
  }

  LadderCounts run(unsigned seed) const {
    struct Walker {
      double energy;
      WalkerLabel label;
    };
    const std::size_t rungs = b.size();
    LadderCounts counts;
    counts.values = b;
    counts.exchanges = exchanges;
    counts.sweeps = exchanges;
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (std::size_t ladder = 0; ladder < ladders; ++ladder) {
      std::vector<Walker> walkers(rungs, {0, WalkerLabel::none});
      std::vector<double> from_first(rungs), from_last(rungs), accepted(rungs - 1);
      double round_trips = 0;
      for (int n = -2000; n < exchanges; ++n) {
        for (std::size_t rung = 0; rung < rungs; ++rung) {
          double& energy = walkers[rung].energy;
          const double a = memory[rung];
          energy = -b[rung] + a * (energy + b[rung]) + std::sqrt(1 - a * a) * normal(generator);
        }
        for (std::size_t rung = static_cast<std::size_t>(n & 1); rung + 1 < rungs; rung += 2) {
          const double exponent =
              (b[rung] - b[rung + 1]) * (walkers[rung].energy - walkers[rung + 1].energy);
          if (uniform(generator) >= std::exp(exponent)) continue;
          std::swap(walkers[rung], walkers[rung + 1]);
          if (n >= 0) ++accepted[rung];
        }
        for (std::size_t rung = 0; rung < rungs; ++rung) {
          WalkerLabel& label = walkers[rung].label;
          const auto here = static_cast<Index>(rung), all = static_cast<Index>(rungs);
          const bool ends = ends_round_trip(here, label);
          label = label_at(here, all, label);
          if (n < 0) continue;
          round_trips += ends;
          from_first[rung] += label == WalkerLabel::from_first;
          from_last[rung] += label == WalkerLabel::from_last;
        }
      }
      for (double& count : accepted) count /= exchanges / 2.0;
      counts.from_first.insert(counts.from_first.end(), from_first.begin(), from_first.end());
      counts.from_last.insert(counts.from_last.end(), from_last.begin(), from_last.end());
      counts.acceptance.insert(counts.acceptance.end(), accepted.begin(), accepted.end());
      counts.round_trips.push_back(round_trips);
    }
    return counts;
  }
};

/// Gaps with the acceptance 0.3, except for one gap.
std::vector<double> gaps_but_one(std::size_t place, double acceptance) {
  std::vector<double> gaps(9, pair_length(0.3, INFINITY));
  gaps[place] = pair_length(acceptance, INFINITY);
  return gaps;
}

void expect_within(const Uncertain& measured, double wanted, double sigmas, const char* what) {
  EXPECT_GT(measured.error, 0) << what;
  EXPECT_LT(std::abs(measured.value - wanted), sigmas * measured.error)
      << what << " " << measured.value << " " << measured.error << " " << wanted;
}

TEST(RoundTrips, AreThoseThatAcceptanceAllowsWhereEnergiesForget) {
  const std::vector<double> accepted{0.9, 0.3, 0.5, 0.2, 0.7};
  std::vector<double> gaps;
  double resistances = 0;
  for (const double A : accepted) {
    gaps.push_back(pair_length(A, INFINITY));
    resistances += (1 - A) / A;
  }
  const RoundTripReport report = report_of(NormalLadder(gaps).run(1));
  const double rate = 1 / (2 + 2 * resistances);
  expect_within(report.rate, rate, 5, "rate");
  expect_within(report.time, 6 / rate, 5, "time");
  EXPECT_NEAR(report.rate_of_exchanges / rate, 1, 0.02);
  double flow = 1 - rate;
  for (std::size_t pair = 0; pair < gaps.size(); ++pair) {
    expect_within(report.acceptance[pair], accepted[pair], 5, "acceptance");
    EXPECT_NEAR(report.diffusivity[pair] / (accepted[pair] / 2 / (1 - accepted[pair])), 1, 0.25);
    flow -= 2 * rate * (1 - accepted[pair]) / accepted[pair];
    if (pair + 1 < gaps.size()) expect_within(report.flow[pair + 1], flow, 5, "flow");
  }
  EXPECT_EQ(report.flow.front().value, 1);
  EXPECT_EQ(report.flow.back().value, 0);
  EXPECT_TRUE(report.bottlenecks.empty());
}

TEST(RoundTrips, HaveTheErrorsOfTheirLadders) {
  LadderCounts counts;
  counts.values = {1, 2};
  counts.from_first = {10, 0, 10, 0, 10, 0};
  counts.from_last = {0, 10, 0, 10, 0, 10};
  counts.acceptance = {0.2, 0.3, 0.4};
  counts.round_trips = {100, 110, 120};
  counts.exchanges = 500;
  counts.sweeps = 1000;
  const RoundTripReport report = report_of(counts);
  EXPECT_NEAR(report.acceptance[0].value, 0.3, 1e-12);
  EXPECT_NEAR(report.acceptance[0].error, 0.1 / std::sqrt(3), 1e-12);
  EXPECT_NEAR(report.rate.value, 0.11, 1e-12);
  EXPECT_NEAR(report.rate.error, 0.01 / std::sqrt(3), 1e-12);
  EXPECT_NEAR(report.time.value, 2 / 0.11, 1e-12);
  EXPECT_NEAR(report.rate_of_exchanges, 0.5 / (2 + 2 * 7 / 3.0), 1e-12);
  EXPECT_NEAR(pair_rates(counts).rate[0], 0.3, 1e-12);
  EXPECT_EQ(pair_rates(counts).proposals[0], 750);
  EXPECT_EQ(flow_counts(counts).from_first[0], 30);
  EXPECT_EQ(flow_counts(counts).round_trips, 330);
  EXPECT_EQ(flow_counts(counts).exchanges, 1500);
  // If there is one ladder, it has no scatter.
  counts.from_first = {10, 0};
  counts.from_last = {0, 10};
  counts.acceptance = {0.2};
  counts.round_trips = {100};
  EXPECT_TRUE(std::isnan(report_of(counts).rate.error));
  EXPECT_EQ(report_of(counts).rate.value, 0.1);
  counts.acceptance = {0.2, 0.2};
  EXPECT_THROW(report_of(counts), InternalError);
}

TEST(RoundTrips, NameAPairThatExchangesRarely) {
  const RoundTripReport report = report_of(NormalLadder(gaps_but_one(6, 0.02)).run(2));
  ASSERT_EQ(report.bottlenecks.size(), 1);
  EXPECT_EQ(report.bottlenecks[0].lower_rung, 6);
  EXPECT_TRUE(report.bottlenecks[0].exchanges_rarely);
  EXPECT_NEAR(report.bottlenecks[0].acceptance, 0.02, 0.003);
}

TEST(RoundTrips, NameAPairWhoseReplicasComeBack) {
  NormalLadder ladder(gaps_but_one(0, 0.3));
  ladder.memory[4] = ladder.memory[5] = 0.998;
  const RoundTripReport report = report_of(ladder.run(3));
  ASSERT_EQ(report.bottlenecks.size(), 1);
  EXPECT_EQ(report.bottlenecks[0].lower_rung, 4);
  EXPECT_FALSE(report.bottlenecks[0].exchanges_rarely);
  EXPECT_NEAR(report.bottlenecks[0].acceptance, 0.3, 0.03);
  EXPECT_LT(report.rate.value, 0.8 * report.rate_of_exchanges);
}

TEST(RoundTrips, AreToldInPlainWords) {
  const std::vector<std::string> lines =
      lines_of(report_of(NormalLadder(gaps_but_one(6, 0.02)).run(2)), "temperature");
  ASSERT_EQ(lines.size(), 4);
  EXPECT_EQ(lines[0].find("round trips of a ladder: 0.00"), 0) << lines[0];
  EXPECT_NE(lines[0].find(" +- "), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("the acceptances would allow 0.00"), std::string::npos) << lines[1];
  EXPECT_NE(lines[2].find("neighbouring rungs: 0.0"), std::string::npos) << lines[2];
  EXPECT_EQ(lines[3].find("bottleneck between the rungs 8.79"), 0) << lines[3];
  const std::vector<std::string> none =
      lines_of(report_of(NormalLadder(gaps_but_one(6, 1e-9)).run(2)), "temperature");
  EXPECT_EQ(none[0], "no replica made a round trip in 20000 sweeps of 12 ladders");
}

}  // namespace larmor::round_trips_tests
