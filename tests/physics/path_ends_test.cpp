// The ends of paths. If an end is stationary and not a minimum, it relaxes further. If it is a
// minimum, it keeps its bits.
// Rooms: spins

#include "larmor/spins/landscape/path_ends.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "test_system.hpp"

namespace larmor::path_ends_tests {

using namespace larmor::spins;
using testing_support::TestSystem;

constexpr const char* easy_axis =
    "[lattice]\ntype='chain'\nsize=[6]\n[[exchange]]\nshell=1\nJ=1\n[[anisotropy]]\nK=0.3\n";

struct Ends : TestSystem {
  PathEnds ends;

  explicit Ends(const char* text) : TestSystem(text), ends(model, settings(), device) {}

  static MinimiserSettings settings() {
    MinimiserSettings settings;
    settings.tolerance = 1e-10;
    return settings;
  }
  SiteVectors aligned(const Vec3<double>& e) const {
    SiteVectors v;
    copy_spins(state, 0, v);
    const std::size_t n = v.size() / 3;
    for (std::size_t i = 0; i < n; ++i) {
      if (v[i] == 0 && v[n + i] == 0 && v[2 * n + i] == 0) continue;
      v[i] = e.x;
      v[n + i] = e.y;
      v[2 * n + i] = e.z;
    }
    return v;
  }
  void relax() {
    while (!ends.done()) ends.run(7, 1);
  }
};

TEST(PathEnds, AMaximumIsLeftAndAMinimumKeepsItsBits) {
  Ends system(easy_axis);
  const SiteVectors down = system.aligned({0, 0, -1});
  system.ends.start(system.aligned({1, 0, 0}), down);
  system.relax();
  EXPECT_TRUE(system.ends.converged());
  EXPECT_NEAR(system.ends.fall()[0], 6 * 0.3, 1e-9);
  EXPECT_EQ(system.ends.fall()[1], 0);
  const std::vector<SiteVectors> now = copy_all_spins(system.ends.states());
  for (std::size_t i = 12; i < 18; ++i) EXPECT_NEAR(std::abs(now[0][i]), 1, 1e-12);
  // The stored torque of the end belongs to its new state.
  EXPECT_GT(system.ends.torques()[0], 0);
  EXPECT_LT(system.ends.torques()[0], Ends::settings().tolerance);
  EXPECT_EQ(now[1], down);
}

TEST(PathEnds, ThatTurnFreelyKeepTheirBits) {
  // Every direction has an equal energy, and some sites are empty.
  Ends system(
      "[lattice]\ntype='square'\nsize=[6,6]\n[[alloy]]\nby='vacancy'\nfraction=0.2\n"
      "[[exchange]]\nshell=1\nJ=1\n");
  const SiteVectors first = system.aligned({0.6, 0, 0.8}), last = system.aligned({0, 1, 0});
  system.ends.start(first, last);
  system.relax();
  EXPECT_TRUE(system.ends.converged());
  EXPECT_GT(system.ends.steps(), 0);
  EXPECT_EQ(system.ends.fall(), (std::array<double, 2>{0, 0}));
  EXPECT_EQ(copy_all_spins(system.ends.states()), (std::vector<SiteVectors>{first, last}));
}

TEST(PathEnds, GoOnWithTheSameBits) {
  Ends whole(easy_axis);
  whole.ends.start(whole.aligned({0, 0.8, 0.6}), whole.aligned({1, 0, 0}));
  int blocks = 0;
  for (; !whole.ends.done(); ++blocks) whole.ends.run(3, 5);
  ASSERT_GT(blocks, 4);
  for (int cut = 0; cut <= blocks; ++cut) {
    Ends first(easy_axis), second(easy_axis);
    first.ends.start(first.aligned({0, 0.8, 0.6}), first.aligned({1, 0, 0}));
    for (int n = 0; n < cut; ++n) first.ends.run(3, 5);
    second.ends.load(first.ends.save());
    while (!second.ends.done()) second.ends.run(3, 5);
    EXPECT_EQ(second.ends.save(), whole.ends.save()) << cut;
  }
  EXPECT_GT(whole.ends.fall()[1], 0);
}

TEST(PathEnds, ThatAreStoppedGoBackToWhereTheyHadSettled) {
  Ends system(easy_axis);
  const SiteVectors along = system.aligned({1, 0, 0}), down = system.aligned({0, 0, -1});
  system.ends.start(along, down);
  system.ends.run(1, 1);
  EXPECT_FALSE(system.ends.done());
  EXPECT_NE(copy_all_spins(system.ends.states())[0], along);
  system.ends.stop();
  EXPECT_TRUE(system.ends.done());
  EXPECT_TRUE(system.ends.converged());
  EXPECT_EQ(copy_all_spins(system.ends.states()), (std::vector<SiteVectors>{along, down}));
}

TEST(PathEnds, ThatAreStoppedOnTheirWayHaveNotConverged) {
  Ends system(easy_axis);
  system.ends.start(system.aligned({0, 0.8, 0.6}), system.aligned({0, 0, -1}));
  system.ends.run(2, 1);
  system.ends.stop();
  EXPECT_FALSE(system.ends.converged());
  EXPECT_GT(system.ends.torques()[0], 1e-3);
  EXPECT_EQ(system.ends.torques()[1], 0);
}

}  // namespace larmor::path_ends_tests
