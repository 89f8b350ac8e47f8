// Rooms: correlations
#include "larmor/correlations/spectra/static_structure_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "larmor/core/error.hpp"

namespace larmor::correlations {
namespace {

constexpr Index wave_vectors = 5, replicas = 3, samples = 300;
constexpr Index numbers = wave_vectors * replicas * 6;

/// Amplitudes with an autocorrelation time of about three samples.
std::vector<std::vector<double>> series() {
  std::mt19937_64 random(4);
  std::normal_distribution<double> noise;
  std::vector<std::vector<double>> all;
  std::vector<double> A(numbers);
  for (Index n = 0; n < samples; ++n) {
    for (double& x : A) x = 0.7 * x + noise(random);
    all.push_back(A);
  }
  return all;
}

std::size_t at(Index q, Index replica) {
  return static_cast<std::size_t>(6 * (q * replicas + replica));
}

StaticStructureFactor summed(const StaticSettings& settings, Index first, Index count) {
  StaticStructureFactor sums(settings);
  const auto all = series();
  for (Index n = first; n < first + count; ++n) sums.add(all[static_cast<std::size_t>(n)], 2);
  return sums;
}

TEST(StaticStructureFactor, ErrorsAreThoseOfLogarithmicBinning) {
  const auto result = summed({wave_vectors, replicas, true, false}, 0, samples).finish(2, false, 2);
  EXPECT_EQ(result.samples, samples * replicas);
  for (Index q = 0; q < wave_vectors; ++q) {
    LogBinning trace(replicas), xy(replicas);
    for (const auto& A : series()) {
      std::vector<double> traces, mixed;
      for (Index r = 0; r < replicas; ++r) {
        const double* a = A.data() + at(q, r);
        traces.push_back((a[0] * a[0] + a[1] * a[1]) + (a[2] * a[2] + a[3] * a[3]) +
                         (a[4] * a[4] + a[5] * a[5]));
        mixed.push_back(a[1] * a[2] - a[0] * a[3]);
      }
      trace.add(traces);
      xy.add(mixed);
    }
    const auto row = static_cast<std::size_t>(q);
    const Estimate of_trace = trace.estimate(), of_xy = xy.estimate();
    EXPECT_NEAR(result.value[row], of_trace.value / 2, 1e-12);
    EXPECT_NEAR(result.error[row], of_trace.error / 2, 1e-12);
    EXPECT_NEAR(result.autocorrelation_time[row], of_trace.autocorrelation_time, 1e-10);
    EXPECT_GT(of_trace.autocorrelation_time, 0.8);
    const std::size_t ab = 9 * row + 1, ba = 9 * row + 3;
    EXPECT_NEAR(result.tensor[ab].imag(), of_xy.value / 2, 1e-12);
    EXPECT_NEAR(result.tensor_error[ab].imag(), of_xy.error / 2, 1e-12);
    EXPECT_EQ(result.tensor[ba], std::conj(result.tensor[ab]));
    EXPECT_EQ(result.tensor_error[ba], result.tensor_error[ab]);
  }
}

class EitherKind : public testing::TestWithParam<bool> {
 protected:
  StaticSettings settings{wave_vectors, replicas, true, GetParam()};
};

TEST_P(EitherKind, GoesOnWithTheSameBits) {
  const StaticStructureFactor begun = summed(settings, 0, 77);
  StaticStructureFactor resumed(settings);
  resumed.load(begun.save(), begun.samples());
  const auto all = series();
  for (Index n = 77; n < samples; ++n) resumed.add(all[static_cast<std::size_t>(n)], 1);
  EXPECT_EQ(resumed.save(), summed(settings, 0, samples).save());
}

TEST_P(EitherKind, WhatDoesNotFitIsRefused) {
  StaticStructureFactor sums = summed(settings, 0, 10);
  const std::vector<double> saved = sums.save();
  EXPECT_THROW(
      StaticStructureFactor({wave_vectors, replicas + 1, true, GetParam()}).load(saved, 10),
      InputError);
  EXPECT_THROW(StaticStructureFactor({wave_vectors, replicas, false, GetParam()}).load(saved, 10),
               InputError);
  EXPECT_THROW(sums.add(std::vector<double>(numbers - 1), 1), InternalError);
  sums.clear();
  EXPECT_TRUE(sums.save().empty());
  EXPECT_THROW(sums.finish(1, false, 1), InternalError);
}

INSTANTIATE_TEST_SUITE_P(StaticStructureFactor, EitherKind, testing::Bool(),
                         [](const auto& info) { return info.param ? "Connected" : "Plain"; });

}  // namespace
}  // namespace larmor::correlations
