// Ladders of samples on a GPU equal those of the CPU, bit for bit. Groups of words stay in shared
// memory or do not. Skips without a GPU.
// Rooms: ising

#include "larmor/ising/multispin/samples/sample_ladders.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/ladder_outcome.hpp"
#include "tests/named.hpp"

namespace larmor::gpu_sample_ladders_tests {

using namespace larmor::ising;
using tempering::LadderLayout;
using testing_support::LadderOutcome;
using testing_support::outcome_of;
using testing_support::rising_ladder;

constexpr std::uint64_t seed = 0x1adde75eed0123abull;

struct System {
  SampleGraph graph;
  LadderLayout layout;
  bool stays_in_shared_memory;
  SampleCouplings couplings = {1, true, 9};
  Rule rule = Rule::metropolis;
};
using Case = testing_support::Named<std::function<System()>>;

class SampleLaddersOnGpu : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

SampleLadders made(const System& system, const Device& device) {
  SampleLadders ladders(system.graph, system.couplings, system.layout, seed, device, system.rule);
  ladders.samples().randomise(2);
  ladders.set_ladder(rising_ladder(system.layout.rungs, 0.7, 1.15));
  return ladders;
}

void expect_equal(const LadderOutcome& gpu, const LadderOutcome& cpu) {
  EXPECT_EQ(gpu.rungs, cpu.rungs);
  EXPECT_EQ(gpu.words, cpu.words);
  EXPECT_EQ(gpu.labels, cpu.labels);
  EXPECT_EQ(gpu.accepted, cpu.accepted);
  EXPECT_EQ(gpu.from_first, cpu.from_first);
  EXPECT_EQ(gpu.from_last, cpu.from_last);
  EXPECT_EQ(gpu.round_trips, cpu.round_trips);
  ASSERT_EQ(gpu.spins, cpu.spins);
}

TEST_P(SampleLaddersOnGpu, HaveTheBitsOfTheCpu) {
  const System system = GetParam().value();
  const auto outcome = [&](const Device& device) {
    SampleLadders ladders = made(system, device);
    if (device.backend == Backend::cuda) {
      EXPECT_EQ(ladders.stays_in_shared_memory(), system.stays_in_shared_memory);
    }
    UpdateCounter steps;
    steps = (std::uint64_t{1} << 24) - 5;
    ladders.run(7, 1, steps);
    ladders.run(6, 3, steps);
    ladders.run(2, 0, steps);
    // When temperatures change, rungs keep their replicas.
    ladders.set_ladder(rising_ladder(system.layout.rungs, 0.9, 1.2));
    ladders.run(4, 1, steps);
    return outcome_of(ladders);
  };
  expect_equal(outcome(Device::cuda(0)), outcome(Device::cpu(2)));
}

TEST_P(SampleLaddersOnGpu, StatesGoFromOneDeviceToTheOther) {
  const System system = GetParam().value();
  SampleLadders gpu = made(system, Device::cuda(0)), cpu = made(system, Device::cpu(2));
  UpdateCounter steps, again;
  gpu.run(3, 1, steps);
  cpu.set_state(gpu.state());
  again = std::uint64_t{steps};
  gpu.run(2, 1, steps);
  cpu.run(2, 1, again);
  expect_equal(outcome_of(gpu), outcome_of(cpu));
  gpu.set_state(cpu.state());
  gpu.run(3, 1, steps);
  cpu.run(3, 1, again);
  expect_equal(outcome_of(gpu), outcome_of(cpu));
}

std::function<System()> grid(std::vector<Index> size, LadderLayout layout, bool stays = true,
                             SampleCouplings couplings = {1, true, 9},
                             Rule rule = Rule::metropolis) {
  return [=] { return System{grid_graph({size, {}}), layout, stays, couplings, rule}; };
}

INSTANTIATE_TEST_SUITE_P(
    Graphs, SampleLaddersOnGpu,
    testing::Values(
        Case{"cube_8", grid({8, 8, 8}, {6, 2, 128})},
        Case{"cube_16", grid({16, 16, 16}, {24, 1, 64})},
        Case{"cube_16_few_rungs", grid({16, 16, 16}, {5, 1, 64})},
        Case{"sizes_that_are_no_powers", grid({6, 10, 4}, {7, 3, 64})},
        Case{"negative_coupling", grid({4, 6, 8}, {4, 1, 64}, true, {-0.8, true, 9})},
        Case{"square_12_20", grid({12, 20}, {8, 2, 64})},
        Case{"four_axes", grid({4, 6, 4, 8}, {4, 1, 128})},
        Case{"two_rungs", grid({4, 4, 4}, {2, 1, 64})},
        Case{"many_rungs", grid({4, 4, 4}, {60, 1, 64})},
        Case{"more_groups_than_run_side_by_side", grid({4, 4, 4}, {24, 2, 64 * 30})},
        Case{"more_positions_than_threads_take_at_once", grid({24, 24, 24}, {3, 1, 64})},
        Case{"more_than_a_block_holds", grid({32, 32, 32}, {3, 1, 64}, false)},
        Case{"odd_cube", grid({5, 5, 5}, {4, 2, 64}, false)},
        Case{"edges_of_two", grid({4, 2, 4}, {4, 1, 64}, false)},
        Case{"heat_bath", grid({8, 8, 8}, {4, 1, 64}, false, {1, true, 9}, Rule::heat_bath)},
        Case{"ferromagnet", grid({8, 8, 8}, {4, 1, 64}, false, {1})},
        Case{
            "open_boundaries",
            [] { return System{grid_graph({{6, 7, 4}, {true, false, true}}), {4, 1, 64}, false}; }}),
    testing_support::by_name);

TEST_F(SampleLaddersOnGpu, OverlapsOfCopiesAreCounted) {
  const Device gpu = Device::cuda(0);
  testing_support::expect_overlaps_of_copies(gpu, {4, 6, 4}, {3, 3, 128});
  testing_support::expect_overlaps_of_copies(gpu, {3, 5}, {5, 2, 64});
  testing_support::expect_spins_at_their_rungs(gpu);
}

TEST_F(SampleLaddersOnGpu, ManySweepsAreDone) {
  // The sweeps between exchanges, and in total, are more than a launch has.
  const System system = grid({4, 4, 4}, {3, 1, 64})();
  for (const auto& [sweeps, every] : {std::pair<Index, Index>{2600, 1}, {2600, 1300}, {2600, 0}}) {
    const auto outcome = [&, sweeps = sweeps, every = every](const Device& device) {
      SampleLadders ladders = made(system, device);
      UpdateCounter steps;
      ladders.run(sweeps, every, steps);
      return outcome_of(ladders);
    };
    expect_equal(outcome(Device::cuda(0)), outcome(Device::cpu(2)));
  }
}

TEST_F(SampleLaddersOnGpu, InfiniteAndLowTemperaturesHaveTheBitsOfTheCpu) {
  const System system = grid({8, 8, 8}, {4, 1, 64})();
  const auto outcome = [&](const Device& device) {
    SampleLadders ladders = made(system, device);
    ladders.set_ladder({1e-3, 0.2, 40, INFINITY});
    UpdateCounter steps;
    ladders.run(6, 1, steps);
    return outcome_of(ladders);
  };
  expect_equal(outcome(Device::cuda(0)), outcome(Device::cpu(2)));
}

}  // namespace larmor::gpu_sample_ladders_tests
