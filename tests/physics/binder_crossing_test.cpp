// Rooms: study
#include "larmor/study/scan/binder_crossing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace larmor::study::binder_crossing_tests {
namespace {

constexpr double critical = 1.4429;
constexpr double error = 2e-3;
const std::vector<double> temperatures{1.38, 1.40, 1.42, 1.44, 1.46, 1.48, 1.50};

BinderCurve curve(const std::function<double(double)>& value) {
  BinderCurve curve;
  for (const double T : temperatures) {
    curve.temperature.push_back(T);
    curve.value.push_back(value(T));
    curve.error.push_back(error);
  }
  return curve;
}

/// A curve of finite-size scaling, U(t L^(1/nu)), with the exponents of the Heisenberg model.
BinderCurve of_size(double L) {
  return curve([L](double T) {
    return 0.62 - 0.1 * std::tanh((T / critical - 1) * std::pow(L, 1 / 0.711));
  });
}

TEST(BinderCrossing, OfStraightLinesIsWhereTheyMeet) {
  const BinderCurve small = curve([](double T) { return 0.62 - (T - critical); });
  const BinderCurve large = curve([](double T) { return 0.62 - 3 * (T - critical); });
  const auto crossing = binder_crossing(small, large);
  ASSERT_TRUE(crossing.has_value());
  EXPECT_NEAR(crossing->temperature, critical, 1e-9);
  // At one temperature, the difference has sqrt(2) times the error of a curve. It falls by 2 per
  // unit of temperature. The root from six temperatures is slightly better than the root from one.
  const double of_one = std::sqrt(2.0) * error / 2;
  EXPECT_GT(crossing->error, of_one / std::sqrt(6.0));
  EXPECT_LT(crossing->error, of_one);
}

TEST(BinderCrossing, OfScalingFunctionsIsTheCriticalTemperature) {
  const auto crossing = binder_crossing(of_size(6), of_size(12));
  ASSERT_TRUE(crossing.has_value());
  EXPECT_NEAR(crossing->temperature, critical, 5e-4);
}

TEST(BinderCrossing, OfUnequalErrorsFollowsTheExactValues) {
  const BinderCurve small = curve([](double) { return 0.62; });
  BinderCurve large = curve([](double T) { return 0.62 - 2 * (T - critical); });
  for (std::size_t n = 0; n < 2; ++n) {
    large.value[n] += 0.02;
    large.error[n] = 10;
  }
  large.value.back() += 0.02;
  large.error.back() = 10;
  const auto crossing = binder_crossing(small, large);
  ASSERT_TRUE(crossing.has_value());
  EXPECT_NEAR(crossing->temperature, critical, 1e-5);
}

TEST(BinderCrossing, ErrorsCoverTheTruthInTwoRunsOfThree) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(0, error);
  int covered = 0;
  constexpr int runs = 400;
  for (int run = 0; run < runs; ++run) {
    BinderCurve small = of_size(6), large = of_size(12);
    for (double& value : small.value) value += normal(random);
    for (double& value : large.value) value += normal(random);
    const auto crossing = binder_crossing(small, large);
    ASSERT_TRUE(crossing.has_value());
    if (std::abs(crossing->temperature - critical) < crossing->error) ++covered;
  }
  EXPECT_NEAR(covered / static_cast<double>(runs), 0.683, 3.89 * std::sqrt(0.683 * 0.317 / runs));
}

TEST(BinderCrossing, TheOrderOfTemperaturesAndThoseOfOneCurveAloneDoNotMatter) {
  const BinderCurve small = of_size(6);
  BinderCurve large = of_size(12);
  const auto whole = binder_crossing(small, large);
  ASSERT_TRUE(whole.has_value());
  std::swap(large.temperature[0], large.temperature[5]);
  std::swap(large.value[0], large.value[5]);
  large.temperature.push_back(1.43);
  large.value.push_back(0.1);
  large.error.push_back(error);
  const auto other = binder_crossing(small, large);
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->temperature, whole->temperature);
  EXPECT_EQ(other->error, whole->error);
}

TEST(BinderCrossing, ValuesWithoutAnErrorAreLeftOut) {
  const BinderCurve small = of_size(6);
  BinderCurve large = of_size(12);
  large.value[2] = 0.1;
  large.error[2] = std::numeric_limits<double>::quiet_NaN();
  const auto crossing = binder_crossing(small, large);
  ASSERT_TRUE(crossing.has_value());
  EXPECT_NEAR(crossing->temperature, critical, 1e-3);
  large.error.assign(large.error.size(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(binder_crossing(small, large).has_value());
}

TEST(BinderCrossing, CurvesThatDoNotCrossClearlyHaveNone) {
  const BinderCurve small = curve([](double T) { return 0.62 - T; });
  EXPECT_FALSE(binder_crossing(small, curve([](double T) { return 0.64 - T; })).has_value());
  EXPECT_FALSE(binder_crossing(small, small).has_value());
  // The noise also changes the sign of the difference.
  BinderCurve noisy = small;
  for (std::size_t n = 0; n < noisy.value.size(); ++n) noisy.value[n] += n < 3 ? 5e-4 : -5e-4;
  EXPECT_FALSE(binder_crossing(small, noisy).has_value());
  EXPECT_FALSE(binder_crossing({}, {}).has_value());
}

}  // namespace
}  // namespace larmor::study::binder_crossing_tests
