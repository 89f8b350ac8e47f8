#pragma once
// Clusters of a grid that several ranks share, compared with those of one rank, on any device. The
// ranks are threads here.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "larmor/ising/clusters/cluster_update.hpp"
#include "tests/cluster_systems.hpp"
#include "tests/ranks_in_threads.hpp"

namespace larmor::testing_support {

/// All numbers that cluster updates change.
struct ClusterOutcome {
  States states;  ///< the whole grid (replica, site)
  std::vector<std::uint32_t> labels;
  std::vector<ClusterSums> sums;
  std::vector<StateSums> measured;

  friend bool operator==(const ClusterOutcome&, const ClusterOutcome&) = default;
};

/// @param world ranks that share the grid; null: one rank
inline ClusterOutcome cluster_outcome(const ClusterGraph& graph, const std::vector<double>& beta,
                                      const Device& device, ClusterMethod method,
                                      const Communicator* world) {
  const auto replicas = std::ssize(beta);
  const Index sites = graph.sites();
  ClusterUpdate update(graph, replicas, 23, device, 2, method, world);
  update.set_inverse_temperatures(beta);
  const States all = random_states(replicas * sites, graph.states());
  const Index first = update.first_site(), own = update.own_sites();
  States here;
  for (Index replica = 0; replica < replicas; ++replica)
    here.insert(here.end(), all.begin() + replica * sites + first,
                all.begin() + replica * sites + first + own);
  Array<std::uint8_t> states(device, here);
  ClusterOutcome found;
  found.labels = update.labels(states, 17);
  for (std::uint64_t step = 0; step < 5; ++step) {
    // A measurement of clusters must not change the state.
    const auto measured = step == 1   ? MeasureClusters::no
                          : step == 2 ? MeasureClusters::sums
                                      : MeasureClusters::sums_and_histogram;
    update.swendsen_wang(states, step, measured);
    const std::vector<ClusterSums> sums = update.sums();
    found.sums.insert(found.sums.end(), sums.begin(), sums.end());
  }
  found.measured = update.measure(states);
  here = states.to_host();
  found.states.assign(static_cast<std::size_t>(replicas * sites), 0);
  for (Index replica = 0; replica < replicas; ++replica) {
    std::copy_n(here.begin() + replica * own, own, found.states.begin() + replica * sites + first);
    // Each rank has zeros outside its slab. Thus the sum over ranks gives all states. They are
    // below 256.
    if (world == nullptr) continue;
    std::vector<double> numbers(found.states.begin() + replica * sites,
                                found.states.begin() + (replica + 1) * sites);
    world->sum(numbers.data(), numbers.size());
    std::transform(numbers.begin(), numbers.end(), found.states.begin() + replica * sites,
                   [](double state) { return static_cast<std::uint8_t>(state); });
  }
  return found;
}

/// @param numbers_of_ranks numbers for which the grid has enough planes
inline void expect_clusters_of_one_rank(const ClusterGraph& graph, const Device& device,
                                        const std::vector<int>& numbers_of_ranks,
                                        ClusterMethod method = ClusterMethod::union_find) {
  const std::vector<double> beta{0.3, 0.9, 2.0};
  const ClusterOutcome expected =
      cluster_outcome(graph, beta, Device::cpu(1), ClusterMethod::union_find, nullptr);
  for (const int ranks : numbers_of_ranks) {
    if (ranks > graph.grid().lengths.back()) continue;
    testing_support::on_ranks(ranks, [&](const Communicator& world, auto&) {
      const ClusterOutcome found = cluster_outcome(graph, beta, device, method, &world);
      EXPECT_EQ(found.labels, expected.labels) << ranks << " ranks";
      EXPECT_EQ(found.states, expected.states) << ranks << " ranks";
      EXPECT_EQ(found.sums, expected.sums) << ranks << " ranks";
      EXPECT_EQ(found.measured, expected.measured) << ranks << " ranks";
    });
  }
}

/// Grids for several ranks. Two ranks are neighbours on both sides, or slabs have one plane.
/// Clusters wind through all ranks more than once. Rows start within groups of random words.
inline std::vector<ClusterCase> shared_cluster_cases() {
  return {
      {"square",
       [] {
         return grid_system(ising_model, 2, {64, 48}, {true, true}, CouplingKind::ferromagnetic);
       }},
      {"square_odd",
       [] {
         return grid_system(ising_model, 2, {13, 7}, {true, true}, CouplingKind::ferromagnetic);
       }},
      {"square_two_high",
       [] {
         return grid_system(ising_model, 2, {33, 2}, {true, true}, CouplingKind::both_signs);
       }},
      {"square_of_many_blocks",
       [] {
         return grid_system(ising_model, 2, {97, 101}, {true, true}, CouplingKind::ferromagnetic);
       }},
      {"square_open",
       [] {
         return grid_system(ising_model, 2, {50, 31}, {false, false},
                            CouplingKind::antiferromagnetic);
       }},
      {"square_potts",
       [] {
         return grid_system(potts_model, 3, {70, 9}, {true, false}, CouplingKind::ferromagnetic);
       }},
      {"cubic_both_signs",
       [] {
         return grid_system(ising_model, 2, {5, 3, 7}, {true, false, true},
                            CouplingKind::both_signs);
       }},
      {"cubic_potts_10",
       [] {
         return grid_system(potts_model, 10, {9, 8, 5}, {true, true, true},
                            CouplingKind::ferromagnetic);
       }},
      {"four_axes", [] {
         return grid_system(potts_model, 3, {5, 2, 3, 6}, {true, true, false, true},
                            CouplingKind::all_different);
       }}};
}

}  // namespace larmor::testing_support
