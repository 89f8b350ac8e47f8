// What is told of more ranks than there are.

#include "cli/communication_model.hpp"

#include <gtest/gtest.h>

namespace larmor::cli {
namespace {

TEST(CommunicationModel, FindsLatencyAndBandwidth) {
  std::vector<Exchange> measured;
  for (const double bytes : {5e4, 2e5, 1e6, 1.2e7})
    measured.push_back({bytes, 15e-6 + bytes / 150e9});
  const Link link = fitted(measured);
  EXPECT_NEAR(link.latency, 15e-6, 1e-12);
  EXPECT_NEAR(link.bandwidth, 150e9, 1e3);
  EXPECT_NEAR(link.seconds(3e6), 35e-6, 1e-12);
}

TEST(CommunicationModel, HalosCostWhatUpdatesDoNotHide) {
  const SlabStep step{1e-10, 2, 2e6, 5e-6};
  const Link link{10e-6, 1e11};
  // Two exchanges of 20 us beside updates of 50 us each, then beside updates of 5 us.
  EXPECT_NEAR(seconds_of(step, 1e6, link), 100e-6 + 5e-6, 1e-12);
  EXPECT_NEAR(seconds_of(step, 1e5, link), 40e-6 + 5e-6, 1e-12);
}

}  // namespace
}  // namespace larmor::cli
