// Forecasts for more ranks than the machine has.
// Rooms: spins

#include "bench/communication_model.hpp"

#include <gtest/gtest.h>

namespace larmor::bench {
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
  // Each of two exchanges takes 20 us. The updates before each take 50 us, and then 5 us.
  EXPECT_NEAR(seconds_of(step, 1e6, 0, link), 100e-6 + 5e-6, 1e-12);
  EXPECT_NEAR(seconds_of(step, 1e5, 0, link), 40e-6 + 5e-6, 1e-12);
  // Sites that are sent are updated first. If all sites are sent, no update hides the exchange.
  EXPECT_NEAR(seconds_of(step, 1e6, 0.2, link), 100e-6 + 5e-6, 1e-12);
  EXPECT_NEAR(seconds_of(step, 1e6, 1, link), 140e-6 + 5e-6, 1e-12);
}

TEST(CommunicationModel, IsNotNegative) {
  const Link no_latency = fitted({{1e5, 1e-6}, {1e6, 2e-5}});
  EXPECT_EQ(no_latency.latency, 0);
  EXPECT_GT(no_latency.bandwidth, 0);
  const Link no_bytes = fitted({{1e5, 2e-5}, {1e6, 1e-5}});
  EXPECT_GT(no_bytes.latency, 0);
  EXPECT_EQ(no_bytes.seconds(1e9), no_bytes.latency);
}

}  // namespace
}  // namespace larmor::bench
