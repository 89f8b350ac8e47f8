// Rooms: study
#include "larmor/study/models/quantum/stages/world_line_averages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "larmor/core/error.hpp"

namespace larmor::study {
namespace {

/// The stationary series x' = a x + sqrt(1 - a^2) noise of several replicas.
class CorrelatedSeries {
 public:
  CorrelatedSeries(double a, std::size_t replicas) : a_(a), x_(replicas) {
    for (double& x : x_) x = normal_(generator_);
  }
  const std::vector<double>& next() {
    for (double& x : x_) x = a_ * x + std::sqrt(1 - a_ * a_) * normal_(generator_);
    return x_;
  }

 private:
  double a_;
  std::mt19937_64 generator_{7};
  std::normal_distribution<double> normal_;
  std::vector<double> x_;
};

TEST(ReplicaSeries, OfLongBinsHasTheErrorAndTimeOfItsSamples) {
  constexpr Index replicas = 3, samples = 40000;
  constexpr double a = 0.8;
  CorrelatedSeries series(a, replicas);
  ReplicaSeries binned(replicas);
  std::vector<double> all;
  for (Index n = 0; n < samples; ++n) {
    const std::vector<double>& values = series.next();
    binned.add(values);
    all.insert(all.end(), values.begin(), values.end());
  }
  ASSERT_LT(std::ssize(binned.bins()), ReplicaSeries::most_bins * replicas);
  const Estimate found = binned.average(), expected = estimate_replicas(all, replicas);
  EXPECT_NEAR(found.value, expected.value, 1e-3);
  EXPECT_NEAR(found.error / expected.error, 1, 0.15);
  EXPECT_NEAR(found.autocorrelation_time / ((1 + a) / (1 - a) / 2), 1, 0.15);
  EXPECT_EQ(found.samples, samples * replicas);
}

TEST(ReplicaSeries, GoesOnAfterASaveWithEqualBits) {
  CorrelatedSeries series(0.5, 2);
  ReplicaSeries whole(2), loaded(2);
  for (Index n = 0; n < 9001; ++n) {
    const std::vector<double>& values = series.next();
    whole.add(values);
    loaded.add(values);
    // Also in the middle of a bin.
    if (n % 1234 != 0) continue;
    std::vector<double> saved;
    loaded.save(saved);
    saved.push_back(42);
    loaded = ReplicaSeries(2);
    const std::span<const double> rest = loaded.load(saved);
    ASSERT_EQ(rest.size(), 1u);
    EXPECT_EQ(rest.front(), 42);
  }
  EXPECT_EQ(whole.bins(), loaded.bins());
  EXPECT_EQ(whole.average().error, loaded.average().error);
  EXPECT_EQ(whole.average().autocorrelation_time, loaded.average().autocorrelation_time);
}

TEST(ReplicaSeries, RefusesADamagedCheckpoint) {
  ReplicaSeries series(2);
  series.add(std::vector<double>{1, 2});
  std::vector<double> saved;
  series.save(saved);
  EXPECT_THROW(ReplicaSeries(2).load(std::span(saved).first(saved.size() - 1)), InputError);
  saved[6] = 1e12;
  EXPECT_THROW(ReplicaSeries(2).load(saved), InputError);
}

TEST(BlockedNumbers, HaveTheMeansOfBlocksOfTime) {
  constexpr Index samples = 2 * BlockedNumbers::most_blocks;
  BlockedNumbers blocks(2, samples);
  ASSERT_EQ(blocks.blocks(), BlockedNumbers::most_blocks);
  // Two replicas, whose mean is the number of the sample.
  for (Index sample = 0; sample < samples; ++sample) {
    for (const double offset : {-1.0, 1.0})
      blocks.add(sample, std::vector<double>{static_cast<double>(sample) + offset, 5});
    EXPECT_EQ(blocks.ends_block(sample), sample % 2 == 1);
    EXPECT_EQ(blocks.block_begin(sample), sample - sample % 2);
  }
  const std::vector<double> means = blocks.of_number(0);
  for (Index block = 0; block < blocks.blocks(); ++block)
    EXPECT_DOUBLE_EQ(means[static_cast<std::size_t>(block)],
                     2.0 * static_cast<double>(block) + 0.5);
  EXPECT_DOUBLE_EQ(blocks.average(0).value, samples / 2 - 0.5);
  EXPECT_EQ(blocks.average(1).value, 5);
  EXPECT_EQ(blocks.average(1).error, 0);
  std::vector<double> saved;
  blocks.save(saved);
  BlockedNumbers loaded(2, samples);
  EXPECT_TRUE(loaded.load(saved).empty());
  EXPECT_EQ(loaded.of_number(0), means);
}

TEST(BlockedNumbers, OfUnequalBlocksHaveTheMeanOfAllSamples) {
  constexpr Index samples = 1000;
  BlockedNumbers one(1, samples), sums(1, samples);
  double sum = 0, of_block = 0;
  for (Index sample = 0; sample < samples; ++sample) {
    const double value = std::sin(static_cast<double>(sample * sample));
    one.add(sample, std::vector<double>{value});
    sum += value;
    of_block += value;
    if (!sums.ends_block(sample)) continue;
    sums.add(sample, std::vector<double>{of_block},
             static_cast<double>(sample + 1 - sums.block_begin(sample)));
    of_block = 0;
  }
  EXPECT_NEAR(one.average(0).value, sum / samples, 1e-14);
  EXPECT_EQ(one.of_number(0), sums.of_number(0));
}

TEST(BlockedNumbers, HaveErrorsOfCorrelatedSeries) {
  // Blocks of about one autocorrelation time. Their scatter gives about half of the error.
  constexpr Index samples = 4096;
  constexpr int series = 100;
  constexpr double a = 31.0 / 33, time = (1 + a) / (1 - a) / 2;
  CorrelatedSeries values(a, series);
  std::vector<BlockedNumbers> blocks(series, BlockedNumbers(1, samples));
  for (Index sample = 0; sample < samples; ++sample) {
    const std::vector<double>& next = values.next();
    for (std::size_t n = 0; n < series; ++n) blocks[n].add(sample, std::span(&next[n], 1));
  }
  double squares = 0, errors = 0;
  for (const BlockedNumbers& of_series : blocks) {
    const Estimate found = of_series.average(0);
    squares += found.value * found.value / (found.error * found.error) / series;
    errors += found.error / series;
  }
  EXPECT_NEAR(errors / std::sqrt(2 * time / samples), 1, 0.15);
  EXPECT_NEAR(squares, 1, 0.8);
}

}  // namespace
}  // namespace larmor::study
