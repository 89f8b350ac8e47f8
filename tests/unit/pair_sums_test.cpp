// Forecasts for sums over pairs of sites.
// Rooms: correlations

#include <gtest/gtest.h>

#include "larmor/core/device/device.hpp"
#include "larmor/correlations/pairs/cpu/tile_sums.hpp"
#include "larmor/correlations/pairs/make_pair_sums.hpp"

namespace {

using namespace larmor;
using namespace larmor::correlations::real_space;

TEST(PairSums, ForecastTheirMatricesAndTheSumsOfEveryPiece) {
  Device device;
  device.threads = 3;
  constexpr Index sites = 20'000, numbers = 30, bins = 5000;
  const auto bytes = [&](const PairSumsSize& size) {
    return pair_sums_bytes(device, size, PairPrecision::full);
  };
  const double matrices = bytes({sites, numbers});
  EXPECT_GE(matrices, 2 * 8.0 * sites * numbers);
  EXPECT_LT(bytes({sites, numbers, 0, 0, true}), matrices);
  const double of_bins = bytes({sites, numbers, 0, bins}) - matrices;
  EXPECT_GE(of_bins, 8.0 * static_cast<double>(tile_sum_blocks(sites, bins) * bins));
  const double of_phases = bytes({sites, numbers, 7}) - matrices;
  EXPECT_GE(of_phases, 8.0 * static_cast<double>((sites + tile_sum_blocks(sites, 14)) * 14));
}

}  // namespace
