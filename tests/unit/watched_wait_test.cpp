// Waits that end when their condition can no longer become true.
// Rooms: core

#include <gtest/gtest.h>

#include <chrono>

#include "larmor/core/device/gpu_waits.hpp"
#include "larmor/core/error.hpp"

namespace larmor::cuda {
namespace {

TEST(WatchedWait, EndsWithWhatItWaitsFor) {
  int asked = 0, checked = 0;
  const WaitWatch watch([&] { ++checked; });
  wait_watched([&] { return ++asked == 5; });
  EXPECT_EQ(asked, 5);
  EXPECT_GE(checked, 1);
}

TEST(WatchedWait, EndsWhenAWatchSaysThatNothingComes) {
  const auto start = std::chrono::steady_clock::now();
  const WaitWatch watch([&] {
    if (std::chrono::steady_clock::now() - start > std::chrono::milliseconds(30))
      throw MachineError("lost");
  });
  EXPECT_THROW(wait_watched([] { return false; }), MachineError);
}

/// A rank that is lost may have released the wait for it. The watch then knows that this end of the
/// wait is wrong.
TEST(WatchedWait, DoesNotTrustAnEndThatAWatchKnowsToBeWrong) {
  const WaitWatch watch([] { throw MachineError("lost"); });
  EXPECT_THROW(wait_watched([] { return true; }), MachineError);
}

TEST(WatchedWait, ForgetsWatchesThatAreGone) {
  EXPECT_FALSE(waits_are_watched());
  {
    const WaitWatch watch([] { throw MachineError("lost"); });
    EXPECT_TRUE(waits_are_watched());
  }
  EXPECT_FALSE(waits_are_watched());
  EXPECT_NO_THROW(wait_watched([] { return true; }));
}

}  // namespace
}  // namespace larmor::cuda
