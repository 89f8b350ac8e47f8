// Packs over replicas, compared with PottsUpdate and PottsEnergy site by site. States, changes and
// sums are equal bit by bit.
// Rooms: ising

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "larmor/ising/potts/potts_sampler.hpp"
#include "larmor/ising/potts/potts_sums.hpp"
#include "tests/named.hpp"

namespace larmor::replica_lanes_tests {

using namespace larmor::ising;

constexpr std::uint64_t seed = 11;
constexpr Index first_replica = 3;

/// A periodic rectangle with couplings of both signs. The couplings to the right are twice as
/// large.
PottsDefinition rectangle(Index width, Index height, bool ising = true) {
  PottsDefinition definition;
  definition.sites = width * height;
  definition.ising = ising;
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width; ++x) {
      const double sign = (x * x + 3 * x * y + y) % 5 < 2 ? -1 : 1;
      definition.bonds.push_back({x + width * y, (x + 1) % width + width * y, sign});
      definition.bonds.push_back({x + width * y, x + width * ((y + 1) % height), -0.5 * sign});
    }
  return definition;
}

/// Gives the model couplings of any size, whose sums are rounded in single precision.
PottsDefinition uneven(PottsDefinition definition) {
  for (std::size_t n = 0; n < definition.bonds.size(); ++n)
    definition.bonds[n].J = std::sin(1.7 * static_cast<double>(n)) + 0.01;
  return definition;
}

/// Gives each group of `of_sample` replicas its own couplings.
PottsDefinition of_samples(PottsDefinition definition, Index of_sample) {
  definition.of_replica = [of_sample](Index bond, Index replica) {
    return std::sin(static_cast<double>(37 * bond + 11 * (replica / of_sample)));
  };
  definition.largest = 2;
  return definition;
}

/// Gives each group of `of_sample` replicas its own signs of one coupling.
PottsDefinition of_signs(PottsDefinition definition, Index of_sample) {
  definition.of_replica = [of_sample, bonds = definition.bonds](Index bond, Index replica) {
    const bool turned = (7 * bond + 5 * (replica / of_sample)) % 3 == 0;
    return turned ? -2 * bonds[static_cast<std::size_t>(bond)].J : 0;
  };
  definition.values = {-1, 1, 0.5, 0};
  return definition;
}

PottsDefinition in_fields(PottsDefinition definition) {
  definition.fields = {0.25, -0.5, 1};
  return definition;
}

struct Setting {
  PottsDefinition definition;
  Index replicas;
  int threads = 1;
  Index sweeps = 5;
  std::function<double(Index)> kT = [](Index r) {
    return 0.4 + 0.15 * static_cast<double>(r % 20);
  };
};

struct Outcome {
  std::vector<std::uint8_t> states;
  std::vector<double> changes, sums;
};

PottsModel model_of(const Setting& setting) {
  PottsModel model(Device::cpu(setting.threads), setting.definition,
                   {first_replica, setting.replicas, setting.replicas + 5});
  std::vector<double> field;
  for (Index r = 0; r < setting.replicas && !setting.definition.fields.empty(); ++r)
    field.push_back(setting.definition.fields[static_cast<std::size_t>(r % 3)]);
  if (!field.empty()) model.set_fields(field);
  return model;
}

PottsState start(const PottsModel& model) {
  PottsState state(model, UpdateCounter());
  state.randomise(seed);
  return state;
}

/// Updates and energies that the sampler computes, in two calls as in stages.
Outcome by_sampler(const Setting& setting, Rule rule) {
  const PottsModel model = model_of(setting);
  PottsState state = start(model);
  EXPECT_EQ(state.lanes() != nullptr, setting.replicas >= lane_kernels().least_replicas);
  PottsSampler sampler(model, rule, seed);
  std::vector<double> temperatures;
  for (Index r = 0; r < setting.replicas; ++r) temperatures.push_back(setting.kT(r));
  sampler.set_temperatures(temperatures);
  sampler.run(state, 1);
  sampler.run(state, setting.sweeps - 1);
  return {state.canonical(setting.replicas), sampler.accepted(),
          PottsSums(model).begin(state).take()};
}

/// Updates and energies site by site. Each probability is computed without a table.
Outcome by_sites(const Setting& setting, Rule rule) {
  const PottsModel model = model_of(setting);
  PottsState state = start(model);
  std::vector<double> beta;
  for (Index r = 0; r < setting.replicas; ++r) beta.push_back(1 / setting.kT(r));
  std::vector<std::uint64_t> changes(beta.size());
  PottsUpdate update{state.view()};
  update.view.beta = beta.data();
  update.view.rule = rule;
  update.view.accepted = changes.data();
  update.view.key = {seed, state.step,
                     rule == Rule::heat_bath ? Stream::heat_bath : Stream::metropolis,
                     static_cast<std::uint64_t>(first_replica)};
  for (Index sweep = 0; sweep < setting.sweeps; ++sweep, ++update.view.key.step)
    for (Index r = 0; r < setting.replicas; ++r)
      for (Index quad = 0; quad < model.positions() / positions_of_key; ++quad) update(quad, r);
  Outcome outcome{state.canonical(setting.replicas), {changes.begin(), changes.end()}, {}};
  for (Index r = 0; r < setting.replicas; ++r) {
    double of_states[2] = {};
    Index energy = 0;
    for (Index p = 0; p < model.positions(); ++p) {
      energy += PottsEnergy{update.view}(p, r);
      if (update.view.site[p] >= 0) ++of_states[update.view.state[r * model.positions() + p]];
    }
    outcome.sums.insert(outcome.sums.end(),
                        {static_cast<double>(energy), of_states[0], of_states[1]});
  }
  return outcome;
}

class ReplicaPacks : public testing::TestWithParam<testing_support::Named<Rule>> {
 protected:
  void expect_same(const Setting& setting) const {
    const Outcome lanes = by_sampler(setting, GetParam().value);
    const Outcome sites = by_sites(setting, GetParam().value);
    EXPECT_EQ(lanes.states, sites.states);
    EXPECT_EQ(lanes.changes, sites.changes);
    EXPECT_EQ(lanes.sums, sites.sums);
  }
};

TEST_P(ReplicaPacks, OfAnyNumberHaveTheStatesOfSites) {
  for (const Index replicas : {1, 3, 8, 17, 64, 65})
    for (const int threads : {1, 3, 16}) {
      SCOPED_TRACE(std::to_string(replicas) + " replicas, " + std::to_string(threads) + " threads");
      expect_same({in_fields(rectangle(9, 7)), replicas, threads});
      expect_same({uneven(rectangle(9, 7)), replicas, threads});
    }
}

TEST_P(ReplicaPacks, OfLatticesInPiecesHaveTheStatesOfSites) {
  for (const Index replicas : {3, 17}) {
    expect_same({in_fields(rectangle(192, 161)), replicas, 4, 3});
    expect_same({uneven(rectangle(151, 170)), replicas, 4, 3});
  }
}

/// The updates are so many that single precision leaves some lanes undecided.
TEST_P(ReplicaPacks, DecideMillionsOfUpdatesAsSitesDo) {
  expect_same({uneven(rectangle(40, 41)), 64, 2, 40});
}

TEST_P(ReplicaPacks, OfPottsModelsHaveTheStatesOfSites) {
  expect_same({in_fields(rectangle(13, 6, false)), 11});
}

/// If few neighbouring replicas have equal couplings, each lane has its own couplings.
TEST_P(ReplicaPacks, HaveTheCouplingsOfTheirSamples) {
  for (const Index of_sample : {1, 3, 5, 12})
    for (const Index replicas : {2, 17, 24}) {
      expect_same({of_samples(rectangle(9, 8), of_sample), replicas, 2});
      expect_same({in_fields(of_signs(rectangle(9, 8), of_sample)), replicas, 2});
    }
  expect_same({of_samples(rectangle(130, 131), 1), 11, 4, 3});
}

/// The graphs are a ring, and a graph with sites of zero, one and many bonds.
TEST_P(ReplicaPacks, OfGraphsWithLazySweepsHaveTheStatesOfSites) {
  PottsDefinition ring, star;
  ring.ising = star.ising = true;
  ring.sites = star.sites = 41;
  for (Index i = 0; i < 41; ++i) ring.bonds.push_back({i, (i + 1) % 41, 1});
  for (Index i = 1; i < 38; ++i) star.bonds.push_back({0, i, 0.3});
  expect_same({ring, 19, 2, 40});
  expect_same({in_fields(star), 19, 2, 40});
}

TEST_P(ReplicaPacks, OfInfiniteTemperatureAndOfNearlyNoneHaveTheStatesOfSites) {
  const auto hot_and_cold = [](Index r) { return r % 3 == 0 ? INFINITY : std::pow(10.0, 2.0 - r); };
  expect_same({in_fields(rectangle(16, 12)), 9, 1, 30, hot_and_cold});
  expect_same({uneven(rectangle(16, 12)), 4, 1, 30, hot_and_cold});
}

/// At these temperatures, single precision would leave every update undecided.
TEST_P(ReplicaPacks, AreLeftToSitesAtTheLowestTemperatures) {
  const Setting setting{uneven(rectangle(16, 12)), 4, 1, 4,
                        [](Index r) { return r == 2 ? 1e-6 : 1; }};
  const PottsModel model = model_of(setting);
  PottsState state = start(model);
  const std::vector<double> beta{1, 1, 1e6, 1};
  PottsView view = state.view();
  view.beta = beta.data();
  view.rule = GetParam().value;
  EXPECT_FALSE(state.lanes()->sweep(view, 1));
  expect_same(setting);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, ReplicaPacks,
    testing::Values(testing_support::Named<Rule>{"metropolis", Rule::metropolis},
                    testing_support::Named<Rule>{"glauber", Rule::glauber},
                    testing_support::Named<Rule>{"heat_bath", Rule::heat_bath}),
    testing_support::by_name);

TEST(ReplicaLanesFit, ModelsOfTwoStatesOnACpu) {
  PottsDefinition definition = rectangle(4, 4, false);
  EXPECT_TRUE(LaneBlocks::fit(PottsModel(Device::cpu(1), definition, 8)));
  definition.states = 3;
  EXPECT_FALSE(LaneBlocks::fit(PottsModel(Device::cpu(1), definition, 8)));
}

}  // namespace larmor::replica_lanes_tests
