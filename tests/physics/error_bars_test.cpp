// Coverage of error bars: in 68.3 % of many simulated runs, value +- error contains the true mean.
// The runs are AR(1) processes, x' = a x + sqrt(1 - a^2) noise. Their autocorrelations a^t = exp(-t
// / tau) and moments (<x^2> = 1, <x^4> = 3) are known exactly.
// Rooms: core

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "larmor/core/statistics/statistics.hpp"

namespace larmor::error_bars_tests {
namespace {

constexpr double nominal = 0.6827;

/// Stationary AR(1) series with unit variance, [sample][replica].
class Ar1 {
 public:
  Ar1(double tau, std::uint64_t seed) : a_(std::exp(-1 / tau)), generator_(seed) {}

  void fill(std::vector<double>& series, std::size_t replicas) {
    const double b = std::sqrt(1 - a_ * a_);
    for (std::size_t i = 0; i < series.size(); ++i)
      series[i] =
          i < replicas ? normal_(generator_) : a_ * series[i - replicas] + b * normal_(generator_);
  }
  /// The integrated time: 1/2 plus the sum of a^t.
  double integrated_time() const { return (1 + a_) / (2 * (1 - a_)); }

 private:
  double a_;
  std::mt19937_64 generator_;
  std::normal_distribution<double> normal_;
};

struct Tally {
  int runs = 0, covered = 0, reliable = 0;
  double time = 0, value = 0;

  void add(const Estimate& e, double truth) {
    ++runs;
    covered += std::abs(e.value - truth) <= e.error;
    reliable += e.reliable;
    time += e.autocorrelation_time;
    value += e.value;
  }
  double coverage() const { return static_cast<double>(covered) / runs; }
  double mean_time() const { return time / runs; }
  double mean_value() const { return value / runs; }
};

TEST(error_bars_InDepth, cover_the_mean_of_long_series) {
  constexpr int runs = 5000;
  constexpr std::size_t samples = 20000;
  Ar1 process(10.0, 20240601);
  Tally stored, binned, kurtosis;
  std::vector<double> x(samples), x2(samples), x4(samples);
  const DerivedQuantity ratio = [](std::span<const double> m) { return m[1] / (m[0] * m[0]); };
  for (int run = 0; run < runs; ++run) {
    process.fill(x, 1);
    LogBinning binning;
    for (std::size_t i = 0; i < samples; ++i) {
      binning.add(x[i]);
      x2[i] = x[i] * x[i];
      x4[i] = x2[i] * x2[i];
    }
    stored.add(estimate(x), 0.0);
    binned.add(binning.estimate(), 0.0);
    kurtosis.add(jackknife({x2, x4}, 1, ratio), 3.0);
  }
  EXPECT_NEAR(stored.coverage(), nominal, 0.02);
  EXPECT_NEAR(binned.coverage(), nominal, 0.02);
  EXPECT_NEAR(kurtosis.coverage(), nominal, 0.02);
  // In about one run of ten, noise is taken for a slow decay. On average this costs a few percent
  // at most.
  EXPECT_NEAR(stored.mean_time() / process.integrated_time(), 1, 0.03);
  EXPECT_NEAR(binned.mean_time() / process.integrated_time(), 1, 0.06);
  EXPECT_EQ(stored.reliable, runs);
  EXPECT_EQ(binned.reliable, runs);
  EXPECT_EQ(kurtosis.reliable, runs);
  // One run scatters by about 0.09. The mean of 5000 runs scatters by 0.0013.
  EXPECT_NEAR(kurtosis.mean_value(), 3.0, 0.005);
}

struct Shape {
  double tau;
  std::size_t samples, replicas;

  friend void PrintTo(const Shape& shape, std::ostream* out) {
    *out << "time " << shape.tau << ", " << shape.samples << " x " << shape.replicas << " samples";
  }
};

/// Series that are from much longer to much shorter than tau, with few and with many replicas.
class CoverageOfReplicas : public testing::TestWithParam<Shape> {};

TEST_P(CoverageOfReplicas, is_nominal) {
  constexpr int runs = 4000;  // binomial scatter 0.0074
  const auto [tau, samples, replicas] = GetParam();
  Ar1 process(tau, 77);
  Tally stored, binned, squared;
  std::vector<double> x(samples * replicas), x2(x.size());
  // The variance <x>^2 - <x^2> is exactly -1. The variance of the mean biases its naive estimate.
  const DerivedQuantity variance = [](std::span<const double> m) { return m[0] * m[0] - m[1]; };
  const auto count = static_cast<Index>(replicas);
  for (int run = 0; run < runs; ++run) {
    process.fill(x, replicas);
    LogBinning binning(count);
    for (std::size_t i = 0; i < samples; ++i)
      binning.add(std::span(x).subspan(i * replicas, replicas));
    for (std::size_t i = 0; i < x.size(); ++i) x2[i] = x[i] * x[i];
    stored.add(estimate_replicas(x, count), 0.0);
    binned.add(binning.estimate(), 0.0);
    squared.add(jackknife({x, x2}, count, variance), -1.0);
  }
  EXPECT_NEAR(stored.coverage(), nominal, 0.03);
  EXPECT_NEAR(binned.coverage(), nominal, 0.03);
  EXPECT_NEAR(squared.coverage(), nominal, 0.03);
}

INSTANTIATE_TEST_SUITE_P(error_bars, CoverageOfReplicas,
                         testing::Values(Shape{10, 1000, 1}, Shape{10, 200, 8}, Shape{10, 30, 100},
                                         Shape{100, 20, 50}, Shape{0.3, 50, 10}),
                         [](const auto& tested) {
                           return std::to_string(tested.param.samples) + "_samples_x" +
                                  std::to_string(tested.param.replicas);
                         });

/// White noise that hides a slow decay of small weight, as it occurs for an estimator from random
/// clusters.
struct SlowDecay {
  double weight, tau;
  std::size_t samples, replicas;

  friend void PrintTo(const SlowDecay& slow, std::ostream* out) {
    *out << "weight " << slow.weight << ", time " << slow.tau << ", " << slow.samples << " x "
         << slow.replicas << " samples";
  }
};

class SlowDecayUnderNoise : public testing::TestWithParam<SlowDecay> {};

TEST_P(SlowDecayUnderNoise, is_in_the_error) {
  constexpr int runs = 2000;  // binomial scatter 0.0104
  const auto [weight, tau, samples, replicas] = GetParam();
  Ar1 slow(tau, 91), noise(1e-3, 92);
  const double time = 0.5 * (1 - weight) + weight * slow.integrated_time();
  std::vector<double> x(samples * replicas), white(x.size());
  const double truth = std::sqrt(2 * time / static_cast<double>(x.size()));
  const auto count = static_cast<Index>(replicas);
  Tally stored, binned;
  double of_stored = 0, of_binned = 0;
  for (int run = 0; run < runs; ++run) {
    slow.fill(x, replicas);
    noise.fill(white, replicas);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = std::sqrt(weight) * x[i] + std::sqrt(1 - weight) * white[i];
    LogBinning binning(count);
    for (std::size_t i = 0; i < samples; ++i)
      binning.add(std::span(x).subspan(i * replicas, replicas));
    const Estimate a = estimate_replicas(x, count), b = binning.estimate();
    stored.add(a, 0.0);
    binned.add(b, 0.0);
    of_stored += a.error / truth / runs;
    of_binned += b.error / truth / runs;
  }
  EXPECT_NEAR(of_stored, 1, 0.1);
  EXPECT_NEAR(of_binned, 1, 0.1);
  EXPECT_NEAR(stored.coverage(), nominal, 0.05);
  EXPECT_NEAR(binned.coverage(), nominal, 0.05);
}

INSTANTIATE_TEST_SUITE_P(error_bars, SlowDecayUnderNoise,
                         testing::Values(SlowDecay{0.2, 8, 1000, 2}, SlowDecay{0.1, 15, 2000, 1},
                                         SlowDecay{0.1, 15, 200, 32},
                                         SlowDecay{0.05, 40, 10000, 1}),
                         [](const auto& tested) {
                           return std::to_string(tested.param.samples) + "_samples_x" +
                                  std::to_string(tested.param.replicas);
                         });

}  // namespace
}  // namespace larmor::error_bars_tests
