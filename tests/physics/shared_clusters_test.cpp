// Several ranks that share the clusters of a grid give the bits of one rank. The ranks are threads
// here.
// Rooms: clusters, ising

#include <limits>

#include "larmor/core/error.hpp"
#include "tests/named.hpp"
#include "tests/shared_clusters_support.hpp"

namespace larmor::shared_clusters_tests {

using namespace larmor::testing_support;

class SharedClusters : public testing::TestWithParam<ClusterCase> {};

TEST_P(SharedClusters, AreThoseOfOneRank) {
  const ClusterGraph graph = GetParam().make().graph;
  expect_clusters_of_one_rank(graph, Device::cpu(1), {1, 2, 3, 5});
  expect_clusters_of_one_rank(graph, Device::cpu(2), {2});
}

INSTANTIATE_TEST_SUITE_P(Grids, SharedClusters, testing::ValuesIn(shared_cluster_cases()), by_name);

TEST(SharedClusters, OfSeveralSamplesAreThoseOfOneRank) {
  expect_clusters_of_one_rank(grid_of_samples(3), Device::cpu(1), {2, 3});
}

TEST(SharedClusters, OfOneStateAreOneCluster) {
  const ClusterGraph graph =
      grid_system(ising_model, 2, {40, 30}, {true, true}, CouplingKind::ferromagnetic).graph;
  on_ranks(3, [&](const Communicator& world, auto&) {
    ClusterUpdate update(graph, 1, 1, Device::cpu(1), 0, ClusterMethod::union_find, &world);
    update.set_inverse_temperatures(std::vector<double>{std::numeric_limits<double>::infinity()});
    Array<std::uint8_t> states(Device::cpu(1), update.own_sites());
    update.swendsen_wang(states, 0, MeasureClusters::sums_and_histogram);
    const ClusterSums sums = update.sums()[0];
    EXPECT_EQ(sums.clusters, 1u);
    EXPECT_EQ(sums.largest, 1200u);
    EXPECT_EQ(sums.histogram[10], 1u);
    EXPECT_EQ(sums.order_squared(1200), 1);
  });
}

TEST(SharedClusters, LabelsLeadToTheLeast) {
  using clusters::LabelPair;
  using clusters::replica_label;
  const auto label = [](Index replica, std::uint64_t site) { return replica_label(replica, site); };
  const std::uint64_t last = 0xffffffffu;  // the last of 2^32 sites
  const std::vector<LabelPair> pairs{{label(0, 9), label(0, 4)},    {label(0, last), label(0, 9)},
                                     {label(1, 9), label(1, 7)},    {label(0, 6), label(0, 5)},
                                     {label(0, 4), label(0, last)}, {label(1, 8), label(1, 7)}};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  for (const auto& [before, after] : clusters::merged_labels(pairs))
    found.push_back({before, after});
  std::sort(found.begin(), found.end());
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected{
      {label(0, 4), label(0, 4)}, {label(0, 5), label(0, 5)},    {label(0, 6), label(0, 5)},
      {label(0, 9), label(0, 4)}, {label(0, last), label(0, 4)}, {label(1, 7), label(1, 7)},
      {label(1, 8), label(1, 7)}, {label(1, 9), label(1, 7)}};
  EXPECT_EQ(found, expected);
}

TEST(SharedClusters, OfWhatIsNotSharedAreRefused) {
  const auto make = [](const ClusterGraph& graph, bool wolff) {
    on_ranks(2, [&](const Communicator& world, auto&) {
      ClusterUpdate update(graph, 1, 1, Device::cpu(1), 0, ClusterMethod::union_find, &world);
      Array<std::uint8_t> states(Device::cpu(1), update.own_sites());
      if (wolff) update.wolff(states, 0, 1);
    });
  };
  const auto grid = [](const std::vector<Index>& lengths) {
    return grid_system(ising_model, 2, lengths, std::vector<bool>(lengths.size(), true),
                       CouplingKind::ferromagnetic)
        .graph;
  };
  EXPECT_THROW(make(grid({10}), false), InputError);
  EXPECT_THROW(make(grid({10, 1}), false), InputError);
  EXPECT_THROW(make(random_system(ising_model, 2, 10, 9, CouplingKind::ferromagnetic).graph, false),
               InputError);
  EXPECT_THROW(make(grid({10, 2}), true), InputError);
  EXPECT_NO_THROW(make(grid({10, 2}), false));
}

}  // namespace larmor::shared_clusters_tests
