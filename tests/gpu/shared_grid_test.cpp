// Ranks with GPUs that share a grid of bits give the results of one rank on a CPU, bit for bit. The
// ranks are threads here and share one GPU.
// Rooms: ising

#include "tests/named.hpp"
#include "tests/shared_grid_support.hpp"

namespace larmor::ising::gpu_shared_grid_tests {
namespace {

using Case = testing_support::Named<GridShape>;

class SharedGridOnGpu : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (first_usable_gpu() < 0) GTEST_SKIP() << "no GPU here";
  }
};

TEST_P(SharedGridOnGpu, HasTheBitsOfOneRank) {
  expect_grid_of_one_rank(GetParam().value, Device::cuda(0), {2, 3, 5});
}

TEST_P(SharedGridOnGpu, HasTheBitsOfTheCpu) {
  const Couplings glass{1, true, 3, {9, 9, 4, 9, 1ull << 20}};
  constexpr Rule rule = Rule::metropolis;
  const GridOutcome expected =
      outcome_of_sweeps(GetParam().value, glass, rule, Device::cpu(2), nullptr);
  testing_support::on_ranks(2, [&](const Communicator& world, auto&) {
    EXPECT_TRUE(outcome_of_sweeps(GetParam().value, glass, rule, Device::cuda(0), &world) ==
                expected);
  });
}

// The largest grids have an interior that is updated during the exchange.
INSTANTIATE_TEST_SUITE_P(Grids, SharedGridOnGpu,
                         testing::Values(Case{"torus_64_2", {{64, 2}, {}}},
                                         Case{"torus_192_64", {{192, 64}, {}}},
                                         Case{"torus_1024_16384", {{1024, 16384}, {}}},
                                         Case{"sheet_64_5", {{64, 5}, {false, false}}},
                                         Case{"tube_320_7", {{320, 7}, {true, false}}},
                                         Case{"tube_2048_8191", {{2048, 8191}, {true, false}}},
                                         Case{"bulk_64_4_6", {{64, 4, 6}, {}}},
                                         Case{"bulk_128_256_512", {{128, 256, 512}, {}}},
                                         Case{"four_axes_64_2_4_6", {{64, 2, 4, 6}, {}}}),
                         testing_support::by_name);

}  // namespace
}  // namespace larmor::ising::gpu_shared_grid_tests
