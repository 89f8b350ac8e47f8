// Progress of stages that end on convergence.
// Rooms: study

#include "larmor/study/stages/convergence.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace larmor::study {
namespace {

TEST(ConvergenceEstimate, IsMeasuredByLogarithms) {
  ConvergenceEstimate estimate;
  estimate.note({1, 1e-8}, 0);
  EXPECT_EQ(estimate.fraction(), 0);
  estimate.note({1e-2, 1e-8}, 1);
  EXPECT_NEAR(estimate.fraction(), 0.25, 1e-12);
  estimate.note({1e-4, 1e-8}, 2);
  EXPECT_NEAR(estimate.fraction(), 0.5, 1e-12);
  estimate.note({1e-9, 1e-8}, 3);
  EXPECT_EQ(estimate.fraction(), 1);
}

TEST(ConvergenceEstimate, NeverGoesBack) {
  ConvergenceEstimate estimate;
  estimate.note({1, 1e-8}, 0);
  estimate.note({1e-4, 1e-8}, 1);
  estimate.note({10, 1e-8}, 2);
  EXPECT_NEAR(estimate.fraction(), 0.5, 1e-12);
  estimate.note({std::nan(""), 1e-8}, 3);
  EXPECT_LE(estimate.fraction(), 1);
}

TEST(ConvergenceEstimate, OfOneThatHasConvergedIsWhole) {
  ConvergenceEstimate estimate;
  estimate.note({0, 1e-8}, 0);
  EXPECT_EQ(estimate.fraction(), 1);
}

TEST(ConvergenceEstimate, FindsTheEndOfAnExponential) {
  ConvergenceEstimate estimate;
  // The residual reaches 1e-8 after 80 s.
  for (int n = 0; n <= 500; ++n) estimate.note({std::pow(10, -0.01 * n), 1e-8}, 0.1 * n);
  EXPECT_NEAR(estimate.fraction(), 5.0 / 8, 1e-9);
  ASSERT_TRUE(estimate.seconds_left());
  EXPECT_NEAR(*estimate.seconds_left(), 30, 0.2);
}

TEST(ConvergenceEstimate, DoesNotForetellWhatThePastDoesNotTell) {
  ConvergenceEstimate estimate;
  EXPECT_FALSE(estimate.seconds_left());
  for (int n = 0; n < 5; ++n) estimate.note({std::pow(10, -n), 1e-8}, n);
  EXPECT_FALSE(estimate.seconds_left()) << "of few samples";
  ConvergenceEstimate stuck;
  for (int n = 0; n < 100; ++n) stuck.note({0.7, 1e-8}, n);
  EXPECT_FALSE(stuck.seconds_left()) << "without a fall";
  ConvergenceEstimate jumping;
  for (int n = 0; n < 100; ++n) jumping.note({n < 95 ? 0.7 : 1e-5, 1e-8}, n);
  EXPECT_FALSE(jumping.seconds_left()) << "from a jump";
  ConvergenceEstimate slow;
  for (int n = 0; n < 100; ++n) slow.note({std::pow(10, -0.01 * n), 1e-8}, n);
  EXPECT_FALSE(slow.seconds_left()) << "many times as far as it has come";
}

TEST(ConvergenceEstimate, GoesByPartsWhereThereAreSeveral) {
  ConvergenceEstimate estimate;
  // The stage has five intervals of two seconds each.
  for (Index part = 0; part < 5; ++part) {
    estimate.note({1, 1e-8, part, 20}, 2.0 * static_cast<double>(part));
    EXPECT_NEAR(estimate.fraction(), static_cast<double>(part) / 20, 1e-12);
    EXPECT_EQ(estimate.seconds_left().has_value(), part >= 3);
    estimate.note({1e-4, 1e-8, part, 20}, 2.0 * static_cast<double>(part) + 1);
    EXPECT_NEAR(estimate.fraction(), (static_cast<double>(part) + 0.5) / 20, 1e-12);
  }
  estimate.note({1, 1e-8, 5, 20}, 10);
  EXPECT_NEAR(*estimate.seconds_left(), 30, 1e-9);
}

}  // namespace
}  // namespace larmor::study
