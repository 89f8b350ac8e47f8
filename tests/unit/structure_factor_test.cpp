// Structure factors compared with their definitions, summed term by term.
// Rooms: correlations

#include "larmor/correlations/spectra/structure_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>

#include "correlations_support.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/spectra/correlator.hpp"
#include "larmor/study/model_kind/ranks.hpp"
#include "tests/ranks_in_threads.hpp"
#include "tests/spectrum_peak.hpp"

namespace {

using namespace larmor;
using namespace larmor::correlations;
using lattice::Geometry;
using testing_support::amplitude;
using testing_support::Configuration;
using testing_support::fit_peak;
using testing_support::periodic_lattice;
using testing_support::random_replicas;
using testing_support::Replicas;
using Complex = std::complex<double>;

using Trajectory = std::vector<std::vector<Configuration>>;  // [sample][replica]

Trajectory random_trajectory(const Geometry& geometry, Index samples, Index replicas,
                             unsigned seed) {
  Trajectory trajectory;
  for (Index t = 0; t < samples; ++t)
    trajectory.push_back(
        random_replicas(geometry.sites(), replicas, seed + static_cast<unsigned>(t)));
  return trajectory;
}

StructureFactorResult correlate(const Geometry& geometry, StructureFactorSettings settings,
                                const Trajectory& trajectory, int threads = 1) {
  settings.samples = static_cast<Index>(trajectory.size());
  StructureFactor correlations(geometry, settings, static_cast<Index>(trajectory[0].size()));
  for (const auto& replicas : trajectory) correlations.add(Replicas(replicas).view(), threads);
  return correlations.finish(threads);
}

/// S(q,t): the products at each lag, averaged over the selected origins of time.
std::vector<Complex> lagged_products(const Geometry& geometry,
                                     const StructureFactorSettings& settings,
                                     const Trajectory& trajectory, std::size_t q) {
  const std::size_t T = trajectory.size(), M = trajectory[0].size();
  std::vector<Complex> S(T);
  for (std::size_t a = 0; a < 3; ++a) {
    std::vector<std::vector<Complex>> A(T);
    std::vector<Complex> mean(T);
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t m = 0; m < M; ++m) {
        A[t].push_back(amplitude(geometry, trajectory[t][m], settings.q.cartesian[q])[a]);
        mean[t] += A[t][m] / static_cast<double>(M);
      }
    for (std::size_t lag = 0; lag < T; ++lag) {
      std::vector<std::size_t> origins;
      const bool all = settings.origins == Origins::all;
      const auto most = std::min(static_cast<std::size_t>(settings.origin_count), T);
      for (std::size_t s = 0; s + lag < T && (all || origins.size() < most);
           s += all ? 1 : T / most)
        origins.push_back(s);
      // If only some origins are selected, an origin counts by its longest lag minus the lag here.
      const auto weight = [&](std::size_t s) {
        return all || most == 1 ? 1.0 : static_cast<double>(T - s - lag);
      };
      double weights = 0;
      for (const std::size_t s : origins) weights += weight(s);
      for (const std::size_t s : origins) {
        Complex sum = 0;
        for (std::size_t m = 0; m < M; ++m) sum += A[s + lag][m] * std::conj(A[s][m]);
        double divisor = static_cast<double>(M);
        if (settings.connected) {
          sum -= divisor * mean[s + lag] * std::conj(mean[s]);
          divisor -= settings.unbiased ? 1 : 0;
        }
        S[lag] +=
            weight(s) / weights * sum / (divisor * static_cast<double>(trajectory[0][0].size()));
      }
    }
  }
  return S;
}

struct Kind {
  const char* name;
  Origins origins;
  Index origin_count;
  bool connected, unbiased;

  friend void PrintTo(const Kind& tested, std::ostream* out) { *out << tested.name; }
};

class StructureFactorOf : public testing::TestWithParam<Kind> {
 protected:
  StructureFactorOf() {
    settings.q = q_explicit(geometry, {{0.25, 0, 0}, {0.75, 1.0 / 3, 0}, {0, 0, 0}, {0.5, 0, 0}});
    settings.interval = 0.4;
    settings.window = Window::hann;
    settings.origins = GetParam().origins;
    settings.origin_count = GetParam().origin_count;
    settings.connected = GetParam().connected;
    settings.unbiased = GetParam().unbiased;
  }
  const Geometry geometry = periodic_lattice("honeycomb", {4, 3});
  const Trajectory trajectory = random_trajectory(geometry, 6, 5, 100);
  StructureFactorSettings settings;
};

TEST_P(StructureFactorOf, TimeEqualsItsDefinition) {
  const StructureFactorResult result = correlate(geometry, settings, trajectory);
  for (std::size_t t = 0; t < 6; ++t)
    EXPECT_NEAR(result.time[t], 0.4 * static_cast<double>(t), 1e-15);
  ASSERT_EQ(result.intermediate.size(), 4u * 6);
  for (std::size_t q = 0; q < 4; ++q) {
    const std::vector<Complex> expected = lagged_products(geometry, settings, trajectory, q);
    for (std::size_t t = 0; t < 6; ++t)
      EXPECT_LT(std::abs(result.intermediate[q * 6 + t] - expected[t]), 1e-12);
  }
}

TEST_P(StructureFactorOf, FrequencyIsTheWindowedSumOverTime) {
  const StructureFactorResult result = correlate(geometry, settings, trajectory);
  const std::vector<double> weight = window_weights(settings.window, 6);
  ASSERT_EQ(result.frequency.size(), 11u);
  ASSERT_EQ(result.intensity.size(), 4u * 11);
  for (std::size_t q = 0; q < 4; ++q) {
    const Complex* S = result.intermediate.data() + q * 6;
    double integral = 0;
    for (std::size_t k = 0; k < 11; ++k) {
      double sum = S[0].real();
      for (std::size_t t = 1; t < 6; ++t)
        sum +=
            2 * weight[t] * (S[t] * std::polar(1.0, result.frequency[k] * result.time[t])).real();
      EXPECT_NEAR(result.intensity[q * 11 + k], 0.4 * sum, 1e-12);
      const double* parts = result.components.data() + (q * 11 + k) * 3;
      EXPECT_NEAR(result.intensity[q * 11 + k], parts[0] + parts[1] + parts[2], 1e-12);
      integral += result.intensity[q * 11 + k] * (result.frequency[1] - result.frequency[0]);
    }
    EXPECT_NEAR(integral / (2 * std::numbers::pi), S[0].real(), 1e-12);
  }
}

TEST_P(StructureFactorOf, StaticIsTheEqualTimeValueOverAllSamples) {
  const StructureFactorResult result = correlate(geometry, settings, trajectory);
  for (std::size_t q = 0; q < 4; ++q) {
    double sum = 0;
    for (const auto& sample : trajectory)
      sum += lagged_products(geometry, settings, {sample}, q)[0].real() / 6;
    EXPECT_NEAR(result.static_value[q], sum, 1e-12);
  }
}

TEST_P(StructureFactorOf, ErrorsAreThoseOfTheJackknifeOverReplicas) {
  const StructureFactorResult result = correlate(geometry, settings, trajectory);
  std::vector<StructureFactorResult> without;
  for (std::ptrdiff_t m = 0; m < 5; ++m) {
    Trajectory left = trajectory;
    for (auto& replicas : left) replicas.erase(replicas.begin() + m);
    StructureFactorSettings unbiased = settings;
    unbiased.unbiased = true;
    without.push_back(correlate(geometry, unbiased, left));
  }
  // Division by M instead of M - 1 reduces the value and the error by one factor.
  const double shrink = settings.connected && !settings.unbiased ? 4.0 / 5 : 1;
  const auto jackknife = [&](const std::function<double(const StructureFactorResult&)>& value) {
    double mean = 0, squares = 0;
    for (const auto& left : without) mean += value(left) / 5;
    for (const auto& left : without) squares += std::pow(value(left) - mean, 2);
    return shrink * std::sqrt(4.0 / 5 * squares);
  };
  for (std::size_t i = 0; i < result.intensity.size(); ++i)
    EXPECT_NEAR(result.error[i], jackknife([&](const auto& r) { return r.intensity[i]; }), 1e-12);
  for (std::size_t i = 0; i < result.intermediate.size(); ++i)
    EXPECT_NEAR(result.intermediate_error[i],
                jackknife([&](const auto& r) { return r.intermediate[i].real(); }), 1e-12);
  for (std::size_t i = 0; i < result.static_value.size(); ++i)
    EXPECT_NEAR(result.static_error[i], jackknife([&](const auto& r) { return r.static_value[i]; }),
                1e-12);
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

bool same_bits(const StructureFactorResult& a, const StructureFactorResult& b) {
  return same_bits(a.frequency, b.frequency) && same_bits(a.intensity, b.intensity) &&
         same_bits(a.error, b.error) && same_bits(a.components, b.components) &&
         same_bits(a.time, b.time) && a.intermediate == b.intermediate &&
         same_bits(a.intermediate_error, b.intermediate_error) &&
         same_bits(a.static_value, b.static_value) && same_bits(a.static_error, b.static_error);
}

TEST_P(StructureFactorOf, HasTheSameBitsForAnyNumberOfThreadsAndAfterACheckpoint) {
  const StructureFactorResult one = correlate(geometry, settings, trajectory);
  for (const int threads : {2, 5})
    EXPECT_TRUE(same_bits(one, correlate(geometry, settings, trajectory, threads)));
  settings.samples = 6;
  StructureFactor before(geometry, settings, 5), after(geometry, settings, 5);
  for (std::size_t t = 0; t < 4; ++t) before.add(Replicas(trajectory[t]).view(), 1);
  after.load(before.save());
  EXPECT_EQ(after.samples_added(), 4);
  for (std::size_t t = 4; t < 6; ++t) after.add(Replicas(trajectory[t]).view(), 1);
  EXPECT_TRUE(same_bits(one, after.finish(1)));
}

/// For so many replicas, errors come from blocks of replicas, not from single replicas.
TEST_P(StructureFactorOf, OfManyReplicasEqualsItsDefinitionAndKnowsItsErrors) {
  constexpr std::size_t M = 150;
  settings.q = q_explicit(geometry, {{0.25, 0, 0}, {0.75, 1.0 / 3, 0}});
  const Trajectory many = random_trajectory(geometry, 3, M, 400);
  const StructureFactorResult result = correlate(geometry, settings, many);
  double ratio = 0;
  for (std::size_t q = 0; q < 2; ++q) {
    const std::vector<Complex> expected = lagged_products(geometry, settings, many, q);
    for (std::size_t t = 0; t < 3; ++t)
      EXPECT_LT(std::abs(result.intermediate[q * 3 + t] - expected[t]), 1e-11);
    EXPECT_GT(result.static_error[q], 0);
  }
  // Errors fall as the square root of the number of replicas. A sixth of the replicas has errors
  // that are 2.4 times as large.
  for (std::size_t part = 0; part < 6; ++part) {
    Trajectory few;
    for (const auto& sample : many) {
      const auto first = sample.begin() + static_cast<std::ptrdiff_t>(part * M / 6);
      few.emplace_back(first, first + M / 6);
    }
    const StructureFactorResult of_few = correlate(geometry, settings, few);
    for (std::size_t n = 0; n < result.error.size(); ++n)
      ratio += result.error[n] / of_few.error[n] / static_cast<double>(6 * result.error.size());
  }
  EXPECT_NEAR(ratio, std::sqrt(1.0 / 6), 0.05);
}

/// Ranks combine their sums when both have many samples, and when a stage requests it.
TEST_P(StructureFactorOf, HasTheSameBitsFromRanksWithReplicasOfTheirOwn) {
  constexpr Index M = 20;
  const Trajectory pattern = random_trajectory(geometry, 3, M, 900);
  Trajectory all;
  for (std::size_t t = 0; t < 600; ++t) all.push_back(pattern[t % 3]);
  settings.samples = std::ssize(all);
  const StructureFactorResult alone = correlate(geometry, settings, all);
  testing_support::on_ranks(2, [&](const Communicator& world, auto&) {
    const study::Ranks ranks(world, M);
    const ReplicaShare& share = ranks.share();
    StructureFactor correlations(geometry, settings, share,
                                 {[&](std::vector<double> own, Index inner) {
                                    return ranks.gathered(std::move(own), ranks.replicas(), inner);
                                  },
                                  ranks.is_root()});
    for (std::size_t t = 0; t < all.size(); ++t) {
      const auto first = all[t].begin() + share.first;
      correlations.add(Replicas({first, first + share.count}).view(), 1);
      if (t == 100) correlations.finish_sums();
    }
    correlations.finish_sums();
    if (!ranks.is_root()) {
      EXPECT_TRUE(correlations.save().empty());
      return;
    }
    EXPECT_TRUE(same_bits(alone, correlations.finish(1)));
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, StructureFactorOf,
                         testing::Values(Kind{"FixedConnected", Origins::some, 1, true, true},
                                         Kind{"FixedBiased", Origins::some, 1, true, false},
                                         Kind{"FixedPlain", Origins::some, 1, false, true},
                                         Kind{"ThreeConnected", Origins::some, 3, true, true},
                                         Kind{"ThreePlain", Origins::some, 3, false, true},
                                         Kind{"FourConnected", Origins::some, 4, true, true},
                                         Kind{"AllConnected", Origins::all, 1, true, true},
                                         Kind{"AllBiased", Origins::all, 1, true, false},
                                         Kind{"AllPlain", Origins::all, 1, false, true}),
                         [](const auto& tested) { return std::string(tested.param.name); });

/// Spins (cos(q.r - w t), sin(q.r - w t), 0). Each replica has one wave.
Trajectory spin_wave(const Geometry& geometry, const Vec3<double>& q, double frequency,
                     double interval, Index samples, std::size_t replicas) {
  Trajectory trajectory;
  for (Index t = 0; t < samples; ++t) {
    Configuration spins;
    for (Index i = 0; i < geometry.sites(); ++i) {
      const double angle =
          dot(q, geometry.position(i)) - frequency * interval * static_cast<double>(t);
      spins.push_back({std::cos(angle), std::sin(angle), 0});
    }
    trajectory.emplace_back(replicas, spins);
  }
  return trajectory;
}

TEST(StructureFactorOfAWave, StandsWhereTheWaveGoes) {
  const Geometry geometry = periodic_lattice("square", {8, 6});
  StructureFactorSettings settings;
  settings.q = q_explicit(geometry, {{0.25, 1.0 / 6, 0}, {-0.25, -1.0 / 6, 0}, {0.25, 0, 0}});
  settings.interval = 0.2;
  settings.connected = false;
  const double frequency = 2.37;
  const Trajectory wave =
      spin_wave(geometry, settings.q.cartesian[0], frequency, settings.interval, 120, 2);
  for (const Origins origins : {Origins::some, Origins::all}) {
    settings.origins = origins;
    const StructureFactorResult result = correlate(geometry, settings, wave);
    const std::size_t F = result.frequency.size();
    const double bin = result.frequency[1] - result.frequency[0];
    const auto row = [&](std::size_t q) { return std::span(result.intensity).subspan(q * F, F); };
    EXPECT_NEAR(fit_peak(result.frequency, row(0)), frequency, 0.05 * bin);
    EXPECT_NEAR(fit_peak(result.frequency, row(1)), -frequency, 0.05 * bin);
    // Two components give N / 2 each: S(q0) is N / 2 in x and y together, and S(q) is zero
    // elsewhere.
    EXPECT_NEAR(result.static_value[0], 24, 1e-11);
    EXPECT_NEAR(result.static_value[1], 24, 1e-11);
    for (const double s : row(2)) EXPECT_NEAR(s, 0, 1e-11);
    for (std::size_t k = 0; k < F; ++k) {
      EXPECT_NEAR(result.components[3 * k], result.components[3 * k + 1], 1e-10);
      EXPECT_NEAR(result.components[3 * k + 2], 0, 1e-11);
    }
    for (std::size_t t = 0; t < result.time.size(); ++t)
      EXPECT_LT(
          std::abs(result.intermediate[t] - 24.0 * std::polar(1.0, -frequency * result.time[t])),
          1e-10);
  }
}

TEST(StructureFactorOfAWave, VanishesConnectedWhenEveryReplicaIsTheSame) {
  const Geometry geometry = periodic_lattice("chain", {10});
  StructureFactorSettings settings;
  settings.q = q_explicit(geometry, {{0.1, 0, 0}});
  const StructureFactorResult result =
      correlate(geometry, settings, spin_wave(geometry, settings.q.cartesian[0], 1.0, 1.0, 8, 3));
  for (const double s : result.intensity) EXPECT_NEAR(s, 0, 1e-12);
  EXPECT_NEAR(result.static_value[0], 0, 1e-12);
}

TEST(StructureFactorSums, OverTheZoneAreThoseOfUnitSpins) {
  const Geometry geometry = periodic_lattice("sc", {4, 3, 5});
  const std::vector<Configuration> replicas = random_replicas(geometry.sites(), 7, 40);
  StructureFactorSettings settings;
  settings.q = q_grid(geometry);
  const auto mean_over_zone = [&] {
    double sum = 0;
    for (const double s : correlate(geometry, settings, {replicas}).static_value) sum += s / 60;
    return sum;
  };
  settings.connected = false;
  EXPECT_NEAR(mean_over_zone(), 1, 1e-12);
  double expected = 1;
  for (std::size_t i = 0; i < 60; ++i) {
    Vec3<double> mean{0, 0, 0};
    for (const Configuration& spins : replicas) mean += (1.0 / 7) * spins[i];
    expected -= dot(mean, mean) / 60;
  }
  settings.connected = true;
  settings.unbiased = false;
  EXPECT_NEAR(mean_over_zone(), expected, 1e-12);
  settings.unbiased = true;
  EXPECT_NEAR(mean_over_zone(), expected * 7 / 6, 1e-12);
}

TEST(StructureFactorErrors, AreNotANumberForTooFewReplicas) {
  const Geometry geometry = periodic_lattice("chain", {6});
  StructureFactorSettings settings;
  settings.q = q_explicit(geometry, {{0.5, 0, 0}});
  const auto error = [&](Index replicas, bool connected) {
    settings.connected = connected;
    const auto r = correlate(geometry, settings, random_trajectory(geometry, 3, replicas, 50));
    EXPECT_TRUE(std::isfinite(r.intensity[0]));
    EXPECT_EQ(std::isnan(r.error[0]), std::isnan(r.static_error[0]));
    EXPECT_EQ(std::isnan(r.error[0]), std::isnan(r.intermediate_error[0]));
    return r.error[0];
  };
  EXPECT_TRUE(std::isnan(error(1, false)));
  EXPECT_GT(error(2, false), 0);
  EXPECT_TRUE(std::isnan(error(2, true)));
  EXPECT_GT(error(3, true), 0);
}

class StructureFactorUse : public testing::Test {
 protected:
  StructureFactorUse() {
    settings.q = q_explicit(geometry, {{0.5, 0, 0}, {0, 0, 0}});
    settings.samples = 2;
  }
  const Geometry geometry = periodic_lattice("chain", {6});
  const Replicas replicas{random_replicas(6, 3, 60)};
  StructureFactorSettings settings;
};

TEST_F(StructureFactorUse, ConnectedNeedsTwoReplicas) {
  EXPECT_THROW(StructureFactor(geometry, settings, 1), InputError);
  EXPECT_NO_THROW(StructureFactor(geometry, settings, 2));
  settings.connected = false;
  EXPECT_NO_THROW(StructureFactor(geometry, settings, 1));
}

TEST_F(StructureFactorUse, CountsItsSamples) {
  StructureFactor correlations(geometry, settings, 3);
  correlations.add(replicas.view(), 1);
  EXPECT_THROW(correlations.finish(1), InternalError);
  correlations.add(replicas.view(), 1);
  EXPECT_EQ(correlations.samples_added(), 2);
  EXPECT_THROW(correlations.add(replicas.view(), 1), InternalError);
  EXPECT_NO_THROW(correlations.finish(1));
}

TEST(DetailedBalance, FactorIsOneAtZeroAndBalancesPlusAndMinus) {
  EXPECT_EQ(detailed_balance_factor(0), 1);
  EXPECT_NEAR(detailed_balance_factor(1e-9), 1 + 0.5e-9, 1e-15);
  EXPECT_NEAR(detailed_balance_factor(-1e-300), 1, 1e-15);
  EXPECT_NEAR(detailed_balance_factor(2), 2 / (1 - std::exp(-2.0)), 1e-15);
  for (const double x : {1e-6, 0.3, 1.0, 7.0, 40.0})
    EXPECT_NEAR(detailed_balance_factor(-x) / (std::exp(-x) * detailed_balance_factor(x)), 1, 1e-9);
  EXPECT_EQ(detailed_balance_factor(2000), 2000);
  EXPECT_EQ(detailed_balance_factor(-2000), 0);
}

TEST(DetailedBalance, IsAppliedToAllOfTheSpectrum) {
  StructureFactorResult result;
  result.frequency = {-2, 0, 2};
  result.intensity = {1, 2, 3, 4, 5, 6};
  result.error = {6, 5, 4, 3, 2, 1};
  result.static_value = {7, 8};
  for (int n = 0; n < 18; ++n) result.components.push_back(n);
  const StructureFactorResult before = result;
  apply_detailed_balance(result, 0.5);
  for (std::size_t i = 0; i < 6; ++i) {
    const double factor = detailed_balance_factor(0.5 * before.frequency[i % 3]);
    EXPECT_EQ(result.intensity[i], factor * before.intensity[i]);
    EXPECT_EQ(result.error[i], factor * before.error[i]);
    for (std::size_t a = 0; a < 3; ++a)
      EXPECT_EQ(result.components[3 * i + a], factor * before.components[3 * i + a]);
  }
  EXPECT_EQ(result.static_value, before.static_value);
}

TEST_F(StructureFactorUse, RefusesSpinsOfAnotherSystem) {
  StructureFactor four(geometry, settings, 4);
  EXPECT_THROW(four.add(replicas.view(), 1), InternalError);
  StructureFactor longer(periodic_lattice("chain", {8}), settings, 3);
  EXPECT_THROW(longer.add(replicas.view(), 1), InternalError);
}

TEST_F(StructureFactorUse, SavesWhatItSaysAndLoadsOnlyThat) {
  StructureFactor correlations(geometry, settings, 3);
  EXPECT_TRUE(correlations.save().empty());
  correlations.add(replicas.view(), 1);
  correlations.add(replicas.view(), 1);
  std::vector<double> saved = correlations.save();
  // There are 2 wave vectors and 3 replicas. First come the amplitudes of the first sample and sums
  // of squares. Then the products of 2 samples follow, for each replica and for 3 components.
  EXPECT_EQ(saved.size(), 2u * 3u * (6 + 1) + 2u * 2u * (3 + 3) * 2u);
  EXPECT_GE(StructureFactor::bytes(settings, 3),
            2 * static_cast<double>(saved.size() * sizeof(double)));
  settings.samples = 1000;
  settings.origins = Origins::all;
  const double of_all_origins = StructureFactor::bytes(settings, 1000);
  settings.origins = Origins::some;
  EXPECT_LT(10 * StructureFactor::bytes(settings, 1000), of_all_origins);
  settings.samples = 2;
  StructureFactor other(geometry, settings, 3);
  other.load(saved);
  EXPECT_TRUE(same_bits(other.save(), saved));
  saved.pop_back();
  EXPECT_THROW(other.load(saved), InputError);
  saved.resize(saved.size() * 2 + 2);
  EXPECT_THROW(other.load(saved), InputError);
}

TEST_F(StructureFactorUse, GoesOnBetweenTwoOrigins) {
  settings.samples = 7;
  settings.origin_count = 3;  // samples 0, 2 and 4
  const Trajectory trajectory = random_trajectory(geometry, 7, 3, 40);
  StructureFactor whole(geometry, settings, 3), begun(geometry, settings, 3);
  for (std::size_t t = 0; t < 7; ++t) whole.add(Replicas(trajectory[t]).view(), 1);
  for (std::size_t t = 0; t < 4; ++t) begun.add(Replicas(trajectory[t]).view(), 1);
  StructureFactor resumed(geometry, settings, 3);
  resumed.load(begun.save());
  EXPECT_EQ(resumed.samples_added(), 4);
  for (std::size_t t = 4; t < 7; ++t) resumed.add(Replicas(trajectory[t]).view(), 1);
  EXPECT_TRUE(same_bits(resumed.save(), whole.save()));
  EXPECT_TRUE(same_bits(resumed.finish(1).intensity, whole.finish(1).intensity));
}

TEST_F(StructureFactorUse, TakesAllOriginsWhereTheyAreCheapAndSomeWhereNot) {
  settings.origins = Origins::automatic;
  settings.samples = 500;
  EXPECT_EQ(origins_text(settings, 8), "all");
  // 1000 replicas need 48 kB per sample and wave vector. If there are more than 11 wave vectors,
  // they exceed 256 MiB.
  settings.q = q_explicit(geometry, std::vector<Vec3<double>>(11, {0.5, 0, 0}));
  EXPECT_EQ(origins_text(settings, 1000), "all");
  settings.q = q_explicit(geometry, std::vector<Vec3<double>>(12, {0.5, 0, 0}));
  EXPECT_EQ(origins_text(settings, 1000), "6");
  settings.q = q_explicit(geometry, std::vector<Vec3<double>>(2000, {0.5, 0, 0}));
  EXPECT_EQ(origins_text(settings, 8), "16");
  // All origins after the first one together cost at most half as much as the first one.
  const double chosen = StructureFactor::bytes(settings, 8);
  settings.origins = Origins::some;
  EXPECT_LT(chosen, 1.5 * StructureFactor::bytes(settings, 8));
  settings.method = Method::real_space;
  EXPECT_EQ(origins_text(settings, 8), "fixed");
}

TEST_F(StructureFactorUse, KeepsFrequenciesUpToTheLargest) {
  settings.samples = 5;
  settings.interval = 0.5;
  const Trajectory trajectory = random_trajectory(geometry, 5, 3, 70);
  const StructureFactorResult all = correlate(geometry, settings, trajectory);
  ASSERT_EQ(all.frequency.size(), 9u);
  StructureFactorResult some = all;
  keep_frequencies(some, 1e3);
  EXPECT_TRUE(same_bits(some.intensity, all.intensity));
  keep_frequencies(some, 1.01 * all.frequency[6]);
  ASSERT_EQ(some.frequency.size(), 5u);
  const auto Q = static_cast<std::size_t>(settings.q.size());
  ASSERT_EQ(some.components.size(), Q * 5 * 3);
  for (std::size_t q = 0; q < Q; ++q)
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(some.frequency[k], all.frequency[k + 2]);
      EXPECT_EQ(some.intensity[q * 5 + k], all.intensity[q * 9 + k + 2]);
      EXPECT_EQ(some.error[q * 5 + k], all.error[q * 9 + k + 2]);
      for (std::size_t a = 0; a < 3; ++a)
        EXPECT_EQ(some.components[(q * 5 + k) * 3 + a], all.components[(q * 9 + k + 2) * 3 + a]);
    }
  EXPECT_TRUE(some.intermediate == all.intermediate);
  keep_frequencies(some, 0);
  EXPECT_EQ(some.frequency, std::vector<double>{0});
}

}  // namespace
