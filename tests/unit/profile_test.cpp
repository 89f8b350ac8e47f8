// Rooms: core
#include "larmor/core/device/profile.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "larmor/core/device/parallel.hpp"

namespace larmor {
namespace {

void wait_milliseconds(int count) { std::this_thread::sleep_for(std::chrono::milliseconds(count)); }

/// (depth, name, calls) for every row.
std::vector<std::tuple<int, std::string, Index>> outline(const Profile& profile) {
  std::vector<std::tuple<int, std::string, Index>> rows;
  for (const ProfileRow& row : profile.regions) rows.emplace_back(row.depth, row.name, row.calls);
  return rows;
}

using Outline = std::vector<std::tuple<int, std::string, Index>>;

TEST(Profile, RegionsNestAndAddUp) {
  start_profile();
  EXPECT_TRUE(is_profiling());
  for (int n = 0; n < 3; ++n) {
    const Region sweep("sweep");
    wait_milliseconds(4);
    for (int k = 0; k < 2; ++k) {
      const Region energy("energy");
      wait_milliseconds(1);
    }
  }
  {
    const Region energy(std::string("energy"));
    wait_milliseconds(1);
  }
  const Profile profile = end_profile();
  EXPECT_FALSE(is_profiling());
  EXPECT_EQ(outline(profile), (Outline{{0, "sweep", 3}, {1, "energy", 6}, {0, "energy", 1}}));
  const double sweep = profile.regions[0].seconds, inside = profile.regions[1].seconds,
               alone = profile.regions[2].seconds;
  EXPECT_GE(inside, 6e-3);
  EXPECT_GE(sweep, inside + 12e-3);
  EXPECT_GE(alone, 1e-3);
  EXPECT_GE(profile.seconds, sweep + alone);
}

TEST(Profile, NothingIsRecordedWhenNobodyAsks) {
  { const Region before("before"); }
  start_profile();
  end_profile();
  { const Region after("after"); }
  EXPECT_TRUE(end_profile().regions.empty());
  start_profile();
  EXPECT_TRUE(end_profile().regions.empty());
}

TEST(Profile, ARegionMayOutliveTheRecording) {
  start_profile();
  {
    const Region across("across");
    EXPECT_TRUE(end_profile().regions.empty());
    start_profile();
    const Region inside("inside");
  }
  EXPECT_EQ(outline(end_profile()), (Outline{{0, "inside", 1}}));
}

TEST(Profile, ParallelSectionsBelongToTheRegionAroundThem) {
  start_profile();
  {
    const Region sweep("sweep");
    parallel_for(2, 100, [](Index) { const Region block("block"); });
    std::thread([] { const Region other("other thread"); }).join();
  }
  EXPECT_EQ(outline(end_profile()), (Outline{{0, "sweep", 1}}));
}

TEST(Profile, AnExceptionLeavesItsRegions) {
  start_profile();
  try {
    const Region outer("outer");
    const Region inner("inner");
    throw 1;
  } catch (int) {
  }
  { const Region next("next"); }
  const Profile profile = end_profile();
  ASSERT_EQ(profile.regions.size(), 3u);
  for (const ProfileRow& row : profile.regions) EXPECT_EQ(row.depth, row.name == "inner" ? 1 : 0);
}

TEST(Profile, KernelsHaveShortNames) {
  EXPECT_EQ(short_type_name("larmor::spins::isa_cuda::(anonymous namespace)::StoreField<"
                            "(larmor::spins::BondClass)1>"),
            "StoreField");
  EXPECT_EQ(short_type_name("larmor::A<larmor::B<1>, (larmor::C)2>"), "A");
  EXPECT_EQ(short_type_name("Rk4Stage<bond_class, 2>"), "Rk4Stage");
  EXPECT_EQ(short_type_name("plain"), "plain");
}

}  // namespace
}  // namespace larmor
