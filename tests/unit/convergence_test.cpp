// Progress of stages that end on convergence.

#include "larmor/study/stages/convergence.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace larmor::study {
namespace {

TEST(WayToConvergence, IsMeasuredByLogarithms) {
  WayToConvergence way;
  way.note({1, 1e-8}, 0);
  EXPECT_EQ(way.share(), 0);
  way.note({1e-2, 1e-8}, 1);
  EXPECT_NEAR(way.share(), 0.25, 1e-12);
  way.note({1e-4, 1e-8}, 2);
  EXPECT_NEAR(way.share(), 0.5, 1e-12);
  way.note({1e-9, 1e-8}, 3);
  EXPECT_EQ(way.share(), 1);
}

TEST(WayToConvergence, NeverGoesBack) {
  WayToConvergence way;
  way.note({1, 1e-8}, 0);
  way.note({1e-4, 1e-8}, 1);
  way.note({10, 1e-8}, 2);
  EXPECT_NEAR(way.share(), 0.5, 1e-12);
  way.note({std::nan(""), 1e-8}, 3);
  EXPECT_LE(way.share(), 1);
}

TEST(WayToConvergence, OfOneThatHasConvergedIsWhole) {
  WayToConvergence way;
  way.note({0, 1e-8}, 0);
  EXPECT_EQ(way.share(), 1);
}

TEST(WayToConvergence, FindsTheEndOfAnExponential) {
  WayToConvergence way;
  // Reaches 1e-8 after 80 s.
  for (int n = 0; n <= 500; ++n) way.note({std::pow(10, -0.01 * n), 1e-8}, 0.1 * n);
  EXPECT_NEAR(way.share(), 5.0 / 8, 1e-9);
  ASSERT_TRUE(way.seconds_left());
  EXPECT_NEAR(*way.seconds_left(), 30, 0.2);
}

TEST(WayToConvergence, DoesNotForetellWhatThePastDoesNotTell) {
  WayToConvergence way;
  EXPECT_FALSE(way.seconds_left());
  for (int n = 0; n < 5; ++n) way.note({std::pow(10, -n), 1e-8}, n);
  EXPECT_FALSE(way.seconds_left()) << "of few samples";
  WayToConvergence stuck;
  for (int n = 0; n < 100; ++n) stuck.note({0.7, 1e-8}, n);
  EXPECT_FALSE(stuck.seconds_left()) << "without a fall";
  WayToConvergence jumping;
  for (int n = 0; n < 100; ++n) jumping.note({n < 95 ? 0.7 : 1e-5, 1e-8}, n);
  EXPECT_FALSE(jumping.seconds_left()) << "from a jump";
  WayToConvergence slow;
  for (int n = 0; n < 100; ++n) slow.note({std::pow(10, -0.01 * n), 1e-8}, n);
  EXPECT_FALSE(slow.seconds_left()) << "many times as far as it has come";
}

TEST(WayToConvergence, GoesByPartsWhereThereAreSeveral) {
  WayToConvergence way;
  // Five intervals of two seconds each.
  for (Index part = 0; part < 5; ++part) {
    way.note({1, 1e-8, part, 20}, 2.0 * static_cast<double>(part));
    EXPECT_NEAR(way.share(), static_cast<double>(part) / 20, 1e-12);
    EXPECT_EQ(way.seconds_left().has_value(), part >= 3);
    way.note({1e-4, 1e-8, part, 20}, 2.0 * static_cast<double>(part) + 1);
    EXPECT_NEAR(way.share(), (static_cast<double>(part) + 0.5) / 20, 1e-12);
  }
  way.note({1, 1e-8, 5, 20}, 10);
  EXPECT_NEAR(*way.seconds_left(), 30, 1e-9);
}

}  // namespace
}  // namespace larmor::study
