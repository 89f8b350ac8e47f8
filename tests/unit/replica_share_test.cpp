// Trajectories of replicas do not depend on the process that computes them: a share of the replicas
// has the bits that these replicas have in the whole study.
// Rooms: spins

#include <gtest/gtest.h>

#include "larmor/study/model_kind/ranks.hpp"
#include "tests/replica_share_support.hpp"

namespace larmor::spins {
namespace {

TEST(ReplicaShare, GoesTheWayOfAll) {
  for (const Precision precision : {Precision::double_numbers, Precision::single_numbers}) {
    Device device = Device::cpu(2);
    device.precision = precision;
    for (const char* system : systems_of_shares) expect_shares_are_alike(system, device);
  }
}

TEST(Ranks, OneRankHasAll) {
  const study::Ranks one(20);
  EXPECT_TRUE(one.is_root());
  EXPECT_EQ(one.share().count, 20);
  EXPECT_EQ(one.padded_replicas().own, 24);
  EXPECT_EQ(one.blocks().all, 3);
  const std::vector<double> values{1, 2, 3};
  EXPECT_EQ(one.gathered(values, {0, 3, 3}), values);
  EXPECT_EQ(one.own_of(values, {0, 3, 3}), values);
  EXPECT_EQ(one.joined(values), values);
  EXPECT_TRUE(one.all(true));
  EXPECT_FALSE(one.all(false));
  EXPECT_EQ(study::Ranks(1).padded_replicas().own, 1);
}

}  // namespace
}  // namespace larmor::spins
