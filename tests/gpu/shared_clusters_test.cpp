// Cluster updates of a grid on ranks with GPUs give the bits of one rank on a CPU, by both methods.
// The ranks are threads here and share one GPU.
// Rooms: clusters, ising

#include "tests/named.hpp"
#include "tests/shared_clusters_support.hpp"

namespace larmor::gpu_shared_clusters_tests {

using namespace larmor::testing_support;

class SharedClustersOnGpu : public testing::TestWithParam<ClusterCase> {
 protected:
  void SetUp() override {
    if (first_usable_gpu() < 0) GTEST_SKIP() << "no GPU here";
  }
};

TEST_P(SharedClustersOnGpu, AreThoseOfOneRank) {
  const ClusterGraph graph = GetParam().make().graph;
  expect_clusters_of_one_rank(graph, Device::cuda(0), {2, 3, 5});
  expect_clusters_of_one_rank(graph, Device::cuda(0), {2}, ClusterMethod::label_equivalence);
}

INSTANTIATE_TEST_SUITE_P(Grids, SharedClustersOnGpu, testing::ValuesIn(shared_cluster_cases()),
                         by_name);

/// Slabs of many tiles. Some lengths are multiples of a tile, and some are not.
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
      {"four_axes", [] {
         return grid_system(ising_model, 2, {35, 18, 17, 9}, {true, true, true, true},
                            CouplingKind::ferromagnetic);
       }}};
}

INSTANTIATE_TEST_SUITE_P(LargeGrids, SharedClustersOnGpu, testing::ValuesIn(large_cases()),
                         by_name);

TEST_F(SharedClustersOnGpu, OfSeveralSamplesAreThoseOfOneRank) {
  expect_clusters_of_one_rank(grid_of_samples(3), Device::cuda(0), {2, 3});
}

}  // namespace larmor::gpu_shared_clusters_tests
