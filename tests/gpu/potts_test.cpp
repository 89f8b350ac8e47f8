// States of Ising and Potts models on a GPU equal those of the CPU.
// Rooms: ising

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "larmor/ising/potts/potts_sampler.hpp"
#include "larmor/ising/potts/potts_sums.hpp"
#include "tests/named.hpp"

namespace larmor::gpu_potts_tests {

using namespace larmor::ising;

constexpr Index first_replica = 3;

/// A periodic rectangle, whose sites have bonds to the right and upwards.
PottsDefinition rectangle(Index width, Index height, int states, bool ising) {
  PottsDefinition definition;
  definition.sites = width * height;
  definition.ising = ising;
  definition.states = states;
  definition.field = 0.25;
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width; ++x) {
      definition.bonds.push_back({x + width * y, (x + 1) % width + width * y, 1});
      definition.bonds.push_back({x + width * y, x + width * ((y + 1) % height), -0.5});
    }
  return definition;
}

/// All numbers that sweeps change. Each replica has its own temperature.
struct Outcome {
  std::vector<std::uint8_t> states;
  std::vector<double> accepted, sums, energies;
};

Outcome outcome(const Device& device, const PottsDefinition& definition, Index replicas,
                Rule rule) {
  const PottsModel model(device, definition, {first_replica, replicas, replicas + 5});
  PottsState state(model, UpdateCounter());
  state.randomise(7);
  PottsSampler sampler(model, rule, 7);
  std::vector<double> temperatures;
  for (Index r = 0; r < replicas; ++r) temperatures.push_back(0.7 + 0.2 * static_cast<double>(r));
  sampler.set_temperatures(temperatures);
  sampler.run(state, 3);
  sampler.run(state, 2);
  PottsSums sums(model);
  Array<double> energies(device, replicas);
  sums.store_energies(state, energies.data());
  return {state.canonical(replicas), sampler.accepted(), sums.begin(state).take(),
          energies.to_host()};
}

class PottsOnGpu : public testing::TestWithParam<testing_support::Named<Rule>> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
  void expect_same(const PottsDefinition& definition, Index replicas) const {
    const Outcome cpu = outcome(Device::cpu(2), definition, replicas, GetParam().value);
    const Outcome gpu = outcome(Device::cuda(), definition, replicas, GetParam().value);
    EXPECT_EQ(cpu.states, gpu.states);
    EXPECT_EQ(cpu.accepted, gpu.accepted);
    EXPECT_EQ(cpu.sums, gpu.sums);
    EXPECT_EQ(cpu.energies, gpu.energies);
  }
};

TEST_P(PottsOnGpu, SmallIsingModelsHaveTheStatesOfTheCpu) {
  expect_same(rectangle(5, 7, 2, true), 11);
}

TEST_P(PottsOnGpu, LargeIsingModelsHaveTheStatesOfTheCpu) {
  expect_same(rectangle(192, 160, 2, true), 2);
}

TEST_P(PottsOnGpu, PottsModelsHaveTheStatesOfTheCpu) {
  expect_same(rectangle(9, 7, 255, false), 3);
  expect_same(rectangle(150, 170, 5, false), 2);
}

/// There are too many local fields for a table, so kernels compute probabilities site by site.
TEST_P(PottsOnGpu, CouplingsOfAllSizesHaveTheStatesOfTheCpu) {
  PottsDefinition definition = rectangle(24, 23, 3, false);
  definition.of_replica = [](Index bond, Index replica) {
    return std::sin(static_cast<double>(37 * bond + 11 * replica));
  };
  definition.largest = 2;
  expect_same(definition, 6);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, PottsOnGpu,
    testing::Values(testing_support::Named<Rule>{"metropolis", Rule::metropolis},
                    testing_support::Named<Rule>{"glauber", Rule::glauber},
                    testing_support::Named<Rule>{"heat_bath", Rule::heat_bath}),
    testing_support::by_name);

}  // namespace larmor::gpu_potts_tests
