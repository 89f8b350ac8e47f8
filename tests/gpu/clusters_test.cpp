// Cluster updates on a GPU equal those of a CPU, bit for bit, by both methods. Skips without a GPU.
// Rooms: clusters, ising

#include <gtest/gtest.h>

#include <limits>

#include "larmor/ising/clusters/cluster_update.hpp"
#include "tests/cluster_systems.hpp"
#include "tests/named.hpp"

namespace larmor::gpu_clusters_tests {

using namespace larmor::testing_support;

class ClustersOnGpu : public testing::TestWithParam<ClusterCase> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

/// All numbers that updates on a device change.
struct Outcome {
  States swendsen_wang, wolff;
  std::vector<std::uint32_t> labels;
  std::vector<ClusterSums> sums, wolff_sums;
  std::vector<StateSums> measured;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome_on(const Device& device, const ClusterGraph& graph, std::vector<double> beta,
                   ClusterMethod method = ClusterMethod::union_find) {
  const auto replicas = std::ssize(beta);
  ClusterUpdate update(graph, replicas, 23, device, 2, method);
  update.set_inverse_temperatures(beta);
  Array<std::uint8_t> states(device, random_states(replicas * graph.sites(), graph.states()));
  Outcome found;
  found.labels = update.labels(states, 17);
  for (std::uint64_t step = 0; step < 5; ++step) {
    // A measurement of clusters must not change the state.
    update.swendsen_wang(states, step,
                         step % 2 == 0 ? MeasureClusters::sums_and_histogram : MeasureClusters::no);
    const std::vector<ClusterSums> sums = update.sums();
    found.sums.insert(found.sums.end(), sums.begin(), sums.end());
  }
  found.swendsen_wang = states.to_host();
  update.wolff(states, 5, 4, MeasureClusters::sums_and_histogram);
  found.wolff_sums = update.sums();
  found.wolff = states.to_host();
  found.measured = update.measure(states);
  return found;
}

void expect_same(const Outcome& found, const Outcome& expected) {
  EXPECT_EQ(found.labels, expected.labels);
  EXPECT_EQ(found.swendsen_wang, expected.swendsen_wang);
  EXPECT_EQ(found.sums, expected.sums);
  EXPECT_EQ(found.wolff, expected.wolff);
  EXPECT_EQ(found.wolff_sums, expected.wolff_sums);
  EXPECT_EQ(found.measured, expected.measured);
}

TEST_P(ClustersOnGpu, AreThoseOfACpu) {
  const ClusterGraph graph = GetParam().make().graph;
  const std::vector<double> beta{0.3, 0.9, 2.0};
  const Outcome expected = outcome_on(Device::cpu(1), graph, beta);
  expect_same(outcome_on(Device::cuda(), graph, beta), expected);
  expect_same(outcome_on(Device::cuda(), graph, beta, ClusterMethod::label_equivalence), expected);
}

TEST(ClustersOfSamplesOnGpu, HaveTheBitsOfACpu) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const std::vector<double> beta{0.4, 0.9, 0.6};
  for (const ClusterGraph& graph : {grid_of_samples(3), graph_of_samples(3)})
    for (const ClusterMethod method : {ClusterMethod::union_find, ClusterMethod::label_equivalence})
      expect_same(outcome_on(Device::cuda(), graph, beta, method),
                  outcome_on(Device::cpu(2), graph, beta));
}

INSTANTIATE_TEST_SUITE_P(Graphs, ClustersOnGpu, testing::ValuesIn(cluster_cases()), by_name);

/// Grids with many tiles in each direction. Some lengths are multiples of a tile, and some are not.
std::vector<ClusterCase> large_cases() {
  return {
      {"square",
       [] {
         return grid_system(ising_model, 2, {512, 512}, {true, true}, CouplingKind::ferromagnetic);
       }},
      {"square_odd",
       [] {
         return grid_system(potts_model, 3, {517, 331}, {true, false}, CouplingKind::ferromagnetic);
       }},
      {"cubic",
       [] {
         return grid_system(ising_model, 2, {65, 48, 51}, {true, true, true},
                            CouplingKind::both_signs);
       }},
      {"four_axes",
       [] {
         return grid_system(ising_model, 2, {35, 18, 17, 9}, {true, true, true, true},
                            CouplingKind::ferromagnetic);
       }},
      {"graph",
       [] { return random_system(ising_model, 2, 100000, 160000, CouplingKind::ferromagnetic); }}};
}

INSTANTIATE_TEST_SUITE_P(LargeGraphs, ClustersOnGpu, testing::ValuesIn(large_cases()), by_name);

class OneClusterOnGpu : public ClustersOnGpu {};

TEST_P(OneClusterOnGpu, SpansTheOrderedPhase) {
  const ClusterGraph graph = GetParam().make().graph;
  const Device device = Device::cuda();
  ClusterUpdate update(graph, 2, 1, device);
  update.set_inverse_temperatures(std::vector<double>(2, std::numeric_limits<double>::infinity()));
  Array<std::uint8_t> states(device, 2 * graph.sites());
  update.swendsen_wang(states, 0, MeasureClusters::sums);
  for (const ClusterSums& sums : update.sums())
    EXPECT_EQ(sums.largest, static_cast<std::uint64_t>(graph.sites()));
}

INSTANTIATE_TEST_SUITE_P(LargeGraphs, OneClusterOnGpu,
                         testing::Values(ClusterCase{"square",
                                                     [] {
                                                       return grid_system(
                                                           ising_model, 2, {1024, 1023},
                                                           {false, true},
                                                           CouplingKind::ferromagnetic);
                                                     }},
                                         ClusterCase{"cubic",
                                                     [] {
                                                       return grid_system(
                                                           ising_model, 2, {70, 65, 64},
                                                           {true, true, true},
                                                           CouplingKind::ferromagnetic);
                                                     }}),
                         by_name);

}  // namespace larmor::gpu_clusters_tests
