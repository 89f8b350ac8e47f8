// Rooms: core
#include "larmor/core/maths/math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "larmor/core/maths/pack.hpp"

namespace {

using namespace larmor;

TEST(Math, ExponentialIsGoodToTwoUlps) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> wide(-700, 700), narrow(-2, 0);
  for (int i = 0; i < 100000; ++i) {
    const double x = i % 2 ? wide(generator) : narrow(generator);
    EXPECT_NEAR(exponential(x) / std::exp(x), 1.0, 4.5e-16) << x;
  }
}

TEST(Math, ExponentialOfHopelessArgumentsIsTinyAndOfLargeOnesLarge) {
  EXPECT_LT(exponential(-1e6), 1e-300);
  EXPECT_GE(exponential(-1e6), 0.0);
  EXPECT_GT(exponential(1e6), 1e300);
}

TEST(Math, LogarithmIsGoodToTwoUlps) {
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<double> uniform(0, 1), exponent(-300, 300);
  for (int i = 0; i < 100000; ++i) {
    const double u = uniform(generator);
    const double x = i % 3 == 0   ? u
                     : i % 3 == 1 ? 1 + 1e-4 * (u - 0.5)
                                  : std::pow(10, exponent(generator));
    if (x == 1) continue;
    EXPECT_NEAR(logarithm(x) / std::log(x), 1.0, 7e-16) << x;
  }
  EXPECT_EQ(logarithm(1.0), 0.0);
}

TEST(Math, SineAndCosineOfTurns) {
  for (int i = 0; i <= 100000; ++i) {
    const double u = i / 100000.0;
    double s, c;
    sine_cosine_turns(u, s, c);
    EXPECT_NEAR(s, std::sin(2 * std::numbers::pi * u), 1e-15);
    EXPECT_NEAR(c, std::cos(2 * std::numbers::pi * u), 1e-15);
  }
}

TEST(MathInFloat, IsGoodToAFewUlps) {
  std::mt19937_64 generator(4);
  std::uniform_real_distribution<double> wide(-85, 85), uniform(0, 1), exponent(-37, 37);
  for (int i = 0; i < 100000; ++i) {
    const auto x = static_cast<float>(i % 2 ? wide(generator) : uniform(generator));
    EXPECT_NEAR(exponential(x) / std::exp(static_cast<double>(x)), 1.0, 2.4e-7) << x;
    const auto u = static_cast<float>(uniform(generator));
    const auto y = static_cast<float>(i % 3 == 0   ? uniform(generator)
                                      : i % 3 == 1 ? 1 + 1e-3 * (uniform(generator) - 0.5)
                                                   : std::pow(10, exponent(generator)));
    if (y != 1) EXPECT_NEAR(logarithm(y) / std::log(static_cast<double>(y)), 1.0, 3.6e-7) << y;
    float s, c;
    sine_cosine_turns(u, s, c);
    EXPECT_NEAR(s, std::sin(2 * std::numbers::pi * static_cast<double>(u)), 2e-7);
    EXPECT_NEAR(c, std::cos(2 * std::numbers::pi * static_cast<double>(u)), 2e-7);
  }
  EXPECT_LT(exponential(-1e6f), 1e-37f);
  EXPECT_GE(exponential(-1e6f), 0.0f);
  EXPECT_GT(exponential(1e6f), 1e37f);
}

TEST(MathInFloat, LanesComputeWhatScalarsCompute) {
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<float> uniform(0, 1);
  using Floats = PackOf<float>;
  for (int i = 0; i < 1000; ++i) {
    Floats u;
    for (int l = 0; l < lane_count; ++l) u.set(l, uniform(generator));
    Floats s, c;
    sine_cosine_turns(u, s, c);
    const Floats e = exponential(u - Floats(3.0f)), n = logarithm(u), r = square_root(u);
    const Pack wide = converted<Pack>(u);
    for (int l = 0; l < lane_count; ++l) {
      float scalar_s, scalar_c;
      sine_cosine_turns(u.lane(l), scalar_s, scalar_c);
      EXPECT_EQ(s.lane(l), scalar_s);
      EXPECT_EQ(c.lane(l), scalar_c);
      EXPECT_EQ(e.lane(l), exponential(u.lane(l) - 3.0f));
      EXPECT_EQ(n.lane(l), logarithm(u.lane(l)));
      EXPECT_EQ(r.lane(l), std::sqrt(u.lane(l)));
      EXPECT_EQ(wide.lane(l), static_cast<double>(u.lane(l)));
    }
  }
}

TEST(Math, AnglesAreAccurateAllTheWayRound) {
  for (int i = 0; i <= 4000; ++i) {
    const double angle = std::numbers::pi * i / 4000;
    // Both arguments have any size, and one of them may be nearly zero.
    for (const double size : {1.0, 3e-9, 2e5})
      EXPECT_NEAR(angle_of(size * std::sin(angle), size * std::cos(angle)), angle, 5e-16) << angle;
  }
  EXPECT_EQ(angle_of(0.0, 2.0), 0.0);
  EXPECT_NEAR(angle_of(1e-300, 1.0), 1e-300, 1e-315);
  EXPECT_EQ(angle_of(0.0, -1.0), std::numbers::pi);
  EXPECT_NEAR(angle_of(0.3f, -0.4f), std::atan2(0.3f, -0.4f), 1e-6);
  const Pack y(0.7), x(-0.2);
  EXPECT_EQ(angle_of(y, x).lane(3), angle_of(0.7, -0.2));
}

TEST(Math, LanesComputeWhatScalarsCompute) {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 1000; ++i) {
    Pack u;
    for (int l = 0; l < lane_count; ++l) u.set(l, uniform(generator));
    Pack s, c;
    sine_cosine_turns(u, s, c);
    const Pack e = exponential(u - Pack(3.0)), n = logarithm(u), r = square_root(u);
    for (int l = 0; l < lane_count; ++l) {
      double scalar_s, scalar_c;
      sine_cosine_turns(u.lane(l), scalar_s, scalar_c);
      EXPECT_EQ(s.lane(l), scalar_s);
      EXPECT_EQ(c.lane(l), scalar_c);
      EXPECT_EQ(e.lane(l), exponential(u.lane(l) - 3.0));
      EXPECT_EQ(n.lane(l), logarithm(u.lane(l)));
      EXPECT_EQ(r.lane(l), std::sqrt(u.lane(l)));
    }
  }
}

}  // namespace
