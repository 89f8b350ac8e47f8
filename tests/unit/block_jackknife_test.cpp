// Jackknife errors that leave out blocks of replicas.
// Rooms: core

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/statistics/replicas.hpp"

namespace {

using namespace larmor;

TEST(BlockJackknife, LeavesEnoughReplicas) {
  for (const Index least : {1, 2, 3})
    for (Index replicas = 1; replicas <= 40; ++replicas)
      for (Index asked = 2; asked <= 45; ++asked) {
        const Index blocks = jackknife_blocks(asked, replicas, least);
        if (replicas <= least) {
          EXPECT_EQ(blocks, 0);
          continue;
        }
        EXPECT_LE(blocks, replicas);
        EXPECT_GE(blocks, std::min(asked, replicas));
        for (Index b = 0; b < blocks; ++b) {
          const Index out = (b + 1) * replicas / blocks - b * replicas / blocks;
          EXPECT_GE(replicas - out, least) << asked << " of " << replicas;
        }
      }
}

TEST(BlockJackknife, TakesNoMoreThanAreNeeded) {
  EXPECT_EQ(jackknife_blocks(2, 3, 2), 3);
  EXPECT_EQ(jackknife_blocks(2, 4, 2), 2);
  EXPECT_EQ(jackknife_blocks(2, 4, 3), 4);
  EXPECT_EQ(jackknife_blocks(8, 100, 3), 8);
  for (const Index few : {0, 1}) EXPECT_EQ(jackknife_blocks(few, 100, 1), 0);
}

TEST(BlockJackknife, GivesTheErrorOfAMean) {
  const std::vector<double> values{1.5, -0.25, 3, 0.5, 2.25};
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double x : values) sum += x;
  for (const double x : values) squares += (x - sum / n) * (x - sum / n);
  std::vector<double> left;
  for (const double x : values) left.push_back((sum - x) / (n - 1));
  EXPECT_NEAR(jackknife_error(left), std::sqrt(squares / (n * (n - 1))), 1e-15);
}

TEST(BlockJackknife, IsUnknownWithoutBlocks) { EXPECT_TRUE(std::isnan(jackknife_error({}))); }

}  // namespace
