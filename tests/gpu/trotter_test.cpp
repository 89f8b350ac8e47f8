// Slices of imaginary time on a GPU against those on the CPU, bit for bit.
// Rooms: trotter

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/trotter/instance_exchange.hpp"
#include "larmor/trotter/trotter_sampler.hpp"

namespace larmor::gpu_trotter_tests {

using namespace larmor::trotter;

class TrotterOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

SystemGraph torus(int length, bool is_cubic = false) {
  SystemGraph graph{is_cubic ? length * length * length : length * length, {}};
  const auto next = [&](int i, int stride) {
    const int x = i / stride % length;
    return i + ((x + 1) % length - x) * stride;
  };
  for (int i = 0; i < graph.sites; ++i) {
    graph.bonds.push_back({i, next(i, 1)});
    graph.bonds.push_back({i, next(i, length)});
    if (is_cubic) graph.bonds.push_back({i, next(i, length * length)});
  }
  return graph;
}

/// All pairs of some sites.
SystemGraph complete_graph(int sites) {
  SystemGraph graph{sites, {}};
  for (int i = 0; i < sites; ++i)
    for (int j = 0; j < i; ++j) graph.bonds.push_back({i, j});
  return graph;
}

enum class Couplings { uniform, signs, transverse_fields, uneven };

std::vector<Instance> instances_of(const SystemGraph& graph, Couplings couplings, int count) {
  std::vector<Instance> instances;
  for (int p = 0; p < count; ++p) {
    Instance instance{1.3 + 0.1 * p, std::vector<double>(graph.bonds.size(), 0.8),
                      std::vector<double>(static_cast<std::size_t>(graph.sites), 1.1),
                      std::vector<double>(static_cast<std::size_t>(graph.sites), 0.0)};
    for (std::size_t b = 0; b < instance.J.size(); ++b) {
      const double wave = std::sin(2.1 * static_cast<double>(b) + p);
      if (couplings == Couplings::signs) instance.J[b] = wave < 0 ? -0.8 : 0.8;
      if (couplings == Couplings::uneven) instance.J[b] = wave;
    }
    for (std::size_t i = 0; i < instance.Gamma.size(); ++i) {
      const double wave = std::cos(1.3 * static_cast<double>(i) + p);
      if (couplings != Couplings::uniform && couplings != Couplings::signs)
        instance.Gamma[i] += 0.5 * wave;
      if (couplings == Couplings::uneven) instance.h[i] = 0.2 * wave;
    }
    instances.push_back(instance);
  }
  return instances;
}

std::vector<std::uint32_t> updated(const Device& device, const SystemGraph& graph,
                                   const std::vector<Instance>& instances,
                                   const TrotterSettings& settings, bool with_lines) {
  const TrotterModel model(device, graph, instances, settings);
  TrotterState state(model);
  state.randomise(4);
  TrotterSampler sampler(model, 8, UpdateCounter());
  sampler.sweep(state, 20);
  if (with_lines) sampler.line_sweep(state, 3);
  sampler.sweep(state, 1);
  return state.save();
}

void expect_equal_bits(const SystemGraph& graph, Couplings couplings, int instances,
                       const TrotterSettings& settings, bool with_lines = true) {
  const std::vector<Instance> all = instances_of(graph, couplings, instances);
  EXPECT_EQ(updated(Device::cpu(4), graph, all, settings, with_lines),
            updated(Device::cuda(0), graph, all, settings, with_lines));
}

TEST_F(TrotterOnGpu, HasTheBitsOfTheCpuForEveryNumberOfSlices) {
  for (const Index slices : {2, 8, 12, 32, 64, 128, 200})
    for (const Couplings couplings :
         {Couplings::uniform, Couplings::signs, Couplings::transverse_fields, Couplings::uneven})
      expect_equal_bits(torus(6), couplings, 5, {.slices = slices, .copies = 7});
}

TEST_F(TrotterOnGpu, HasTheBitsOfTheCpuForEveryWidthAndRule) {
  for (const auto rule : {ising::Rule::metropolis, ising::Rule::glauber}) {
    expect_equal_bits(torus(4, true), Couplings::signs, 3,
                      {.slices = 64, .copies = 2, .rule = rule});
    expect_equal_bits(complete_graph(9), Couplings::signs, 3,
                      {.slices = 16, .copies = 4, .rule = rule});
    expect_equal_bits(complete_graph(20), Couplings::uneven, 3,
                      {.slices = 64, .copies = 2, .rule = rule});
    expect_equal_bits(complete_graph(3), Couplings::uniform, 1,
                      {.slices = 4, .copies = 100, .rule = rule});
  }
}

TEST_F(TrotterOnGpu, HasTheBitsOfTheCpuForLargeLattices) {
  // Too large for the shared memory of a block, and few groups of many words.
  expect_equal_bits(torus(256), Couplings::uniform, 1, {.slices = 128, .copies = 1}, false);
  expect_equal_bits(torus(128), Couplings::uneven, 1, {.slices = 64, .copies = 1}, false);
  expect_equal_bits(torus(200), Couplings::transverse_fields, 1, {.slices = 64, .copies = 2});
}

TEST_F(TrotterOnGpu, HasTheBitsOfTheCpuForManySamples) {
  expect_equal_bits(torus(8), Couplings::signs, 300, {.slices = 64, .copies = 2});
  expect_equal_bits(torus(8), Couplings::uneven, 300, {.slices = 64, .copies = 2});
}

TEST_F(TrotterOnGpu, HasTheTotalsOfTheCpu) {
  for (const Index slices : {8, 64, 96, 200}) {
    const SystemGraph graph = torus(40);
    const std::vector<Instance> instances = instances_of(graph, Couplings::uneven, 4);
    std::vector<ReplicaTotals> found;
    std::vector<std::vector<ExchangeWeights>> weights;
    std::vector<std::vector<std::int64_t>> products, tallies;
    std::vector<std::vector<std::int32_t>> overlaps;
    for (const Device& device : {Device::cpu(4), Device::cuda(0)}) {
      const TrotterModel model(device, graph, instances, {.slices = slices, .copies = 5});
      TrotterState state(model);
      state.randomise(4);
      TotalsOfReplicas totals(model);
      found.push_back(totals.measure(state));
      weights.push_back(totals.weights(state, {4, 1}));
      products.push_back(totals.products_in_time(state, std::vector<std::int32_t>{0, 1, 3, 4}));
      overlaps.push_back(totals.overlaps(state));
      SiteTally tally(model);
      tally.add(state);
      tally.add(state);
      tallies.push_back(tally.counts());
    }
    EXPECT_EQ(found[0].slice, found[1].slice);
    for (std::size_t r = 0; r < found[0].energy.size(); ++r) {
      EXPECT_EQ(found[0].energy[r].energy, found[1].energy[r].energy);
      EXPECT_EQ(found[0].energy[r].derivative, found[1].energy[r].derivative);
      EXPECT_EQ(weights[0][r].own, weights[1][r].own);
      EXPECT_EQ(weights[0][r].other, weights[1][r].other);
    }
    EXPECT_EQ(products[0], products[1]);
    EXPECT_EQ(overlaps[0], overlaps[1]);
    EXPECT_EQ(tallies[0], tallies[1]);
  }
}

TEST_F(TrotterOnGpu, ExchangesTheReplicasOfTheCpu) {
  for (const Index slices : {8, 64, 96}) {
    const SystemGraph graph = torus(6);
    std::vector<Instance> instances(4, instances_of(graph, Couplings::uneven, 1).front());
    for (std::size_t p = 0; p < instances.size(); ++p)
      instances[p].beta += 0.05 * static_cast<double>(p);
    std::vector<std::vector<std::uint32_t>> saved;
    for (const Device& device : {Device::cpu(4), Device::cuda(0)}) {
      const TrotterModel model(device, graph, instances,
                               {.slices = slices, .copies = 21, .has_local_updates = false});
      TrotterState state(model);
      state.randomise(4);
      TotalsOfReplicas totals(model);
      UpdateCounter steps;
      TrotterSampler sampler(model, 8, steps);
      InstanceExchange exchange(4, 21, 4, 5, 2);
      for (int n = 0; n < 6; ++n) {
        sampler.line_sweep(state, 1);
        exchange.propose(state, totals, n % 2, steps);
      }
      EXPECT_GT(exchange.counts().accepted[1], 0);
      saved.push_back(state.save());
    }
    EXPECT_EQ(saved[0], saved[1]);
  }
}

}  // namespace larmor::gpu_trotter_tests
