// Samples of Ising spins on a GPU equal those of the CPU, bit for bit. Skips without a GPU.
// Rooms: ising

#include "larmor/ising/multispin/samples/bit_samples.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/named.hpp"

namespace larmor::gpu_bit_samples_tests {

using namespace larmor::ising;

using Case = testing_support::Named<std::function<SampleGraph()>>;

class BitSamplesOnGpu : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

struct Outcome {
  std::vector<std::uint64_t> packed;
  BitSamples::Sums sums, overlaps;
};

constexpr Index words = 5;

Outcome outcome(const SampleGraph& graph, const SampleCouplings& couplings, Rule rule,
                const Device& device) {
  // The halves of these words have numbers on both sides of 2^16.
  constexpr Index first = (1 << 15) - 2;
  SampleCouplings of_study = couplings;
  if (couplings.random_signs) {
    of_study.first_sample.assign(first, 0);
    for (const std::uint64_t n : {3, 3, 100, 3, 9999}) of_study.first_sample.push_back(n);
  }
  BitSamples samples(graph, of_study, {first, words, first + words}, 20, device, rule);
  samples.randomise(11);
  samples.set_temperatures({0.5, 2.3, 6.0, 0, 1.1});
  UpdateCounter steps;
  steps = (std::uint64_t{1} << 24) - 4;
  samples.sweep(5, steps);
  samples.sweep(2, steps);
  return {samples.packed(), samples.sums(),
          samples.overlaps({{0, 1}, {4, 4}, {2, 0}, {3, 1}, {1, 3}, {0, 3}, {4, 2}})};
}

TEST_P(BitSamplesOnGpu, HaveTheBitsOfTheCpu) {
  const SampleGraph graph = GetParam().value();
  const SampleCouplings uniform{1}, negative{-0.7}, glass{1, true, 3};
  for (const SampleCouplings& couplings : {uniform, negative, glass})
    for (const Rule rule : {Rule::metropolis, Rule::heat_bath, Rule::glauber}) {
      SCOPED_TRACE("J " + std::to_string(couplings.J) + ", rule " +
                   std::to_string(static_cast<int>(rule)));
      const Outcome cpu = outcome(graph, couplings, rule, Device::cpu(2)),
                    gpu = outcome(graph, couplings, rule, Device::cuda(0));
      ASSERT_EQ(gpu.packed, cpu.packed);
      EXPECT_EQ(gpu.sums.bonds, cpu.sums.bonds);
      EXPECT_EQ(gpu.sums.spins, cpu.sums.spins);
      EXPECT_EQ(gpu.overlaps.bonds, cpu.overlaps.bonds);
      EXPECT_EQ(gpu.overlaps.spins, cpu.overlaps.spins);
    }
}

std::function<SampleGraph()> grid(std::vector<Index> size, std::vector<bool> periodic = {}) {
  return [=] { return grid_graph({size, periodic}); };
}

/// Sites with many different numbers of bonds, up to 32. Some bonds are negative in all samples.
SampleGraph irregular_graph() {
  SampleGraph graph;
  graph.sites = 300;
  for (Index i = 0; i < graph.sites; ++i)
    for (Index n = 1; n <= i % 17 && i + n * n < graph.sites; ++n)
      graph.bonds.push_back({i, i + n * n, n % 3 == 0 ? -1 : 1});
  return graph;
}

/// Nearest neighbours in a face-centred cubic lattice of n^3 rhombohedral cells.
SampleGraph close_packed(Index n) {
  SampleGraph graph;
  graph.sites = n * n * n;
  const auto site = [n](Index x, Index y, Index z) {
    return (x + n) % n + n * ((y + n) % n + n * ((z + n) % n));
  };
  for (Index z = 0; z < n; ++z)
    for (Index y = 0; y < n; ++y)
      for (Index x = 0; x < n; ++x)
        for (const Index j : {site(x + 1, y, z), site(x, y + 1, z), site(x, y, z + 1),
                              site(x + 1, y - 1, z), site(x, y + 1, z - 1), site(x - 1, y, z + 1)})
          graph.bonds.push_back({site(x, y, z), j});
  return graph;
}

INSTANTIATE_TEST_SUITE_P(
    Graphs, BitSamplesOnGpu,
    testing::Values(Case{"chain_50", grid({50}, {false})}, Case{"square_6_5", grid({6, 5})},
                    Case{"cube_3", grid({3, 3, 3})}, Case{"cube_8", grid({8, 8, 8})},
                    Case{"cube_16", grid({16, 16, 16})},
                    Case{"open_10_12_9", grid({10, 12, 9}, {false, true, false})},
                    Case{"more_than_a_block_holds", grid({32, 32, 34})},
                    Case{"open_and_more", grid({31, 33, 32}, {false, false, true})},
                    Case{"four_axes", grid({4, 6, 4, 2})},
                    Case{"close_packed_6", [] { return close_packed(6); }},
                    Case{"irregular", irregular_graph}),
    testing_support::by_name);

TEST_F(BitSamplesOnGpu, ManyWordsAndManySweepsAreDone) {
  // There are more words than rows of blocks, and more sweeps than a launch has. More half-words
  // are undecided than a block stores.
  const auto packed = [](const Device& device, const SampleGraph& graph, Index count,
                         Index sweeps) {
    BitSamples samples(graph, {}, count, 5, device, Rule::heat_bath);
    samples.randomise(1);
    samples.set_temperatures({1000.0});
    UpdateCounter steps;
    samples.sweep(sweeps, steps);
    const BitSamples::Sums sums = samples.sums();
    std::vector<std::uint64_t> all = samples.packed();
    for (std::size_t n = 0; n < sums.bonds.size(); ++n)
      all.push_back(static_cast<std::uint64_t>(sums.bonds[n] << 20 | (sums.spins[n] & 0xfffff)));
    return all;
  };
  const SampleGraph small = grid_graph({{2, 2}, {}}), large = grid_graph({{24, 24, 24}, {}});
  EXPECT_EQ(packed(Device::cuda(0), small, 70000, 2), packed(Device::cpu(2), small, 70000, 2));
  EXPECT_EQ(packed(Device::cuda(0), small, 3, 600), packed(Device::cpu(2), small, 3, 600));
  EXPECT_EQ(packed(Device::cuda(0), large, 8, 3), packed(Device::cpu(2), large, 8, 3));
}

}  // namespace larmor::gpu_bit_samples_tests
