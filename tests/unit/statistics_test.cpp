// Rooms: core
#include "larmor/core/statistics/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "larmor/core/error.hpp"

namespace larmor {
namespace {

/// The stationary series x' = a x + sqrt(1 - a^2) noise, [sample][replica].
std::vector<double> ar1(double a, std::size_t samples, std::size_t replicas, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<double> x(samples * replicas);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = i < replicas ? normal(generator)
                        : a * x[i - replicas] + std::sqrt(1 - a * a) * normal(generator);
  return x;
}

LogBinning binned(const std::vector<double>& x, std::size_t replicas) {
  LogBinning binning(static_cast<Index>(replicas));
  for (std::size_t i = 0; i < x.size(); i += replicas)
    binning.add(std::span(x).subspan(i, replicas));
  return binning;
}

/// Means over several runs, which scatter less than the result of one run.
struct MeanOfRuns {
  double error = 0, time = 0;

  void add(const Estimate& e, double runs) {
    error += e.error / runs;
    time += e.autocorrelation_time / runs;
  }
};

TEST(statistics, independent_samples_have_the_textbook_error) {
  constexpr int runs = 20;
  MeanOfRuns stored, in_bins;
  for (int run = 0; run < runs; ++run) {
    const auto x = ar1(0, 10000, 1, 100 + run);
    const Estimate a = estimate(x), b = binned(x, 1).estimate();
    EXPECT_EQ(a.samples, 10000);
    EXPECT_EQ(b.samples, 10000);
    EXPECT_TRUE(a.reliable);
    EXPECT_TRUE(b.reliable);
    stored.add(a, runs);
    in_bins.add(b, runs);
  }
  for (const MeanOfRuns& mean : {stored, in_bins}) {
    EXPECT_NEAR(mean.error, 0.01, 0.0003);
    EXPECT_NEAR(mean.time, 0.5, 0.03);
  }
}

TEST(statistics, correlated_samples_have_their_exact_autocorrelation_time) {
  // The exact values are tau_int = (1 + a) / (2 (1 - a)) and error = sqrt(2 tau_int / n).
  constexpr int runs = 10;
  for (const double a : {-0.9, -0.3, 0.5, 0.99}) {
    MeanOfRuns stored, in_bins;
    for (int run = 0; run < runs; ++run) {
      const auto x = ar1(a, 200000, 1, 200 + run);
      stored.add(estimate(x), runs);
      in_bins.add(binned(x, 1).estimate(), runs);
    }
    const double tau = (1 + a) / (2 * (1 - a));
    EXPECT_NEAR(stored.time / tau, 1, 0.1) << a;
    EXPECT_NEAR(in_bins.time / tau, 1, 0.15) << a;
    EXPECT_NEAR(stored.error / std::sqrt(2 * tau / 200000), 1, 0.05) << a;
  }
}

TEST(statistics, constant_series_are_certain) {
  const std::vector<double> x(1000, -1.1);
  for (const Estimate& e : {estimate(x), estimate_replicas(x, 10), binned(x, 10).estimate()}) {
    EXPECT_EQ(e.value, -1.1);
    EXPECT_EQ(e.error, 0);
    EXPECT_EQ(e.autocorrelation_time, 0.5);
    EXPECT_TRUE(e.reliable);
  }
}

TEST(statistics, what_cannot_be_known_is_nan) {
  const std::vector<double> none, one{2.0}, broken{1, 2, std::nan(""), 4, 5, 6, 7, 8, 9, 10};
  EXPECT_TRUE(std::isnan(estimate(none).value));
  EXPECT_EQ(estimate(one).value, 2.0);
  const DerivedQuantity square = [](std::span<const double> m) { return m[0] * m[0]; };
  for (const auto& x : {none, one, broken})
    for (const Estimate& e : {estimate(x), binned(x, 1).estimate(), jackknife({x}, 1, square)}) {
      EXPECT_TRUE(std::isnan(e.error));
      EXPECT_EQ(e.samples, static_cast<Index>(x.size()));
      EXPECT_FALSE(e.reliable);
    }
}

TEST(statistics, a_large_offset_costs_no_accuracy) {
  auto x = ar1(0.5, 5000, 1, 3);
  const double error = estimate(x).error;
  for (double& v : x) v += 1e8;
  EXPECT_NEAR(estimate(x).error / error, 1, 1e-5);
  EXPECT_NEAR(binned(x, 1).estimate().error / error, 1, 0.2);
}

TEST(statistics, too_short_series_say_so) {
  const double a = std::exp(-1 / 1000.0);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto x = ar1(a, 5000, 1, seed);
    EXPECT_FALSE(estimate(x).reliable);
    EXPECT_FALSE(binned(x, 1).estimate().reliable);
  }
}

TEST(statistics, replicas_that_disagree_set_the_error_and_are_not_trusted) {
  // The series is fast noise around four constant levels, as if each replica were trapped in
  // another valley.
  auto x = ar1(0, 5000, 4, 5);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1 * x[i] + 0.02 * static_cast<double>(i % 4);
  const double scatter = 0.02 * std::sqrt(5.0 / 3) / 2;
  for (const Estimate& e : {estimate_replicas(x, 4), binned(x, 4).estimate()}) {
    EXPECT_GT(e.error, 0.9 * scatter);
    EXPECT_LT(e.error, 1.5 * scatter);
    EXPECT_FALSE(e.reliable);
  }
}

TEST(statistics, the_interval_widens_for_few_replicas) {
  // Two constant replicas at 0 and 1 have the mean 1/2 and the standard error 1/2. Student's factor
  // is 1.84 for one degree of freedom.
  std::vector<double> x;
  for (int i = 0; i < 40; ++i) x.insert(x.end(), {0.0, 1.0});
  EXPECT_DOUBLE_EQ(estimate_replicas(x, 2).value, 0.5);
  EXPECT_NEAR(estimate_replicas(x, 2).error, 0.5 * 1.84, 0.02);
}

TEST(statistics, binning_agrees_with_the_stored_series) {
  const auto x = ar1(0.8, 4096, 8, 6);
  const Estimate a = estimate_replicas(x, 8), b = binned(x, 8).estimate();
  EXPECT_NEAR(a.value, b.value, 1e-13);
  EXPECT_NEAR(a.error / b.error, 1, 0.15);
  EXPECT_EQ(a.samples, b.samples);
}

TEST(statistics, binning_continues_bit_for_bit_from_its_state) {
  const auto x = ar1(0.8, 1001, 3, 7);
  LogBinning whole = binned(x, 3);
  const std::vector<double> early(x.begin(), x.begin() + 3 * 437);
  LogBinning resumed(binned(early, 3).state());
  for (std::size_t i = early.size(); i < x.size(); i += 3) resumed.add(std::span(x).subspan(i, 3));
  EXPECT_EQ(whole.state(), resumed.state());
  EXPECT_EQ(whole.state().mean.size(), 10u * 3u);
}

TEST(statistics, merged_replicas_equal_replicas_added_together) {
  const auto x = ar1(0.8, 777, 5, 8);
  LogBinning left(2), right(3);
  for (std::size_t i = 0; i < x.size(); i += 5) {
    left.add(std::span(x).subspan(i, 2));
    right.add(std::span(x).subspan(i + 2, 3));
  }
  left.merge(right);
  EXPECT_EQ(left.state(), binned(x, 5).state());
}

TEST(statistics, misuse_is_an_error) {
  const std::vector<double> x(10, 1.0), y(9, 1.0);
  const DerivedQuantity first = [](std::span<const double> m) { return m[0]; };
  EXPECT_THROW(estimate_replicas(x, 3), InternalError);
  EXPECT_THROW(estimate_replicas(x, 0), InternalError);
  EXPECT_THROW(LogBinning(0), InternalError);
  EXPECT_THROW(LogBinning(2).add(1.0), InternalError);
  EXPECT_THROW(binned(x, 1).merge(binned(y, 1)), InternalError);
  EXPECT_THROW(jackknife({}, 1, first), InternalError);
  EXPECT_THROW(jackknife({x, y}, 1, first), InternalError);
  LogBinning::State damaged = binned(x, 1).state();
  damaged.pending.pop_back();
  EXPECT_THROW(LogBinning{damaged}, InputError);
}

TEST(statistics, jackknife_of_a_mean_is_the_mean) {
  const auto x = ar1(0.9, 20003, 1, 9);
  const DerivedQuantity mean = [](std::span<const double> m) { return m[0]; };
  const Estimate plain = estimate(x), blocks = jackknife({x}, 1, mean);
  EXPECT_NEAR(blocks.value, plain.value, 1e-12);
  EXPECT_NEAR(blocks.error / plain.error, 1, 0.2);
  EXPECT_EQ(blocks.autocorrelation_time, plain.autocorrelation_time);
  EXPECT_TRUE(blocks.reliable);
}

TEST(statistics, jackknife_removes_the_bias_of_a_variance) {
  // For independent samples in blocks, the variance is about n / (n - 1) times the naive variance.
  // For blocks of one sample, it is exactly this.
  const auto x = ar1(0, 20, 1, 10);
  std::vector<double> x2;
  double sum = 0, sum2 = 0;
  for (const double v : x) {
    x2.push_back(v * v);
    sum += v;
    sum2 += v * v;
  }
  const DerivedQuantity variance = [](std::span<const double> m) { return m[1] - m[0] * m[0]; };
  const double exact = (sum2 - sum * sum / 20) / 19;
  EXPECT_NEAR(jackknife({x, x2}, 1, variance).value, exact, 1e-12);
}

TEST(statistics, jackknife_propagates_errors_through_a_function) {
  // For f = exp(mean), the error is exp(1) times the error of the mean.
  auto x = ar1(0.5, 4000, 4, 11);
  for (double& v : x) v = 1 + 0.1 * v;
  const DerivedQuantity f = [](std::span<const double> m) { return std::exp(m[0]); };
  const Estimate e = jackknife({x}, 4, f);
  EXPECT_NEAR(e.error / (std::exp(1) * estimate_replicas(x, 4).error), 1, 0.15);
  EXPECT_LT(std::abs(e.value - std::exp(1)), 4 * e.error);
}

}  // namespace
}  // namespace larmor
