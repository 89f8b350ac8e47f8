// Cluster updates, compared with a slow search that uses their random bonds, and with exact
// averages.
// Rooms: clusters, ising

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/ising/clusters/cluster_update.hpp"
#include "tests/cluster_systems.hpp"
#include "tests/named.hpp"

namespace larmor::clusters_tests {

using namespace larmor::ising;
using namespace larmor::testing_support;

constexpr std::uint64_t seed = 99;

/// The slow method, a depth-first search from each site. @param broken factor of the bond
/// probabilities
struct Reference {
  const ClusterSystem& system;
  std::vector<double> beta;
  double broken = 1;

  bool active(const ReferenceBond& bond, std::uint64_t step, std::uint64_t replica,
              const std::uint8_t* spins) const {
    const bool is_ising = system.graph.model() == StateModel::ising;
    if ((spins[bond.i] == spins[bond.j]) != (bond.coupling > 0)) return false;
    const double exponent = (is_ising ? 2 : 1) * std::abs(bond.coupling) * beta[replica];
    const double p = broken * (1 - std::exp(-exponent));
    const RandomKey key{seed, step, Stream::cluster_bond};
    const std::uint64_t word = philox(key, bond.call, replica).w[bond.word];
    return static_cast<double>(word) < std::floor(p * 4294967296.0 + 0.5);
  }

  /// Least site of the cluster of each site, for one replica.
  std::vector<std::uint32_t> labels(std::uint64_t step, std::uint64_t replica,
                                    const std::uint8_t* spins) const {
    const auto sites = static_cast<std::size_t>(system.graph.sites());
    std::vector<std::vector<std::uint32_t>> joined(sites);
    for (const ReferenceBond& bond : system.bonds) {
      if (!active(bond, step, replica, spins)) continue;
      joined[bond.i].push_back(bond.j);
      joined[bond.j].push_back(bond.i);
    }
    constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::uint32_t> label(sites, none), waiting;
    for (std::uint32_t first = 0; first < sites; ++first) {
      if (label[first] != none) continue;
      waiting = {first};
      label[first] = first;
      while (!waiting.empty()) {
        const std::uint32_t site = waiting.back();
        waiting.pop_back();
        for (const std::uint32_t other : joined[site])
          if (label[other] == none) {
            label[other] = first;
            waiting.push_back(other);
          }
      }
    }
    return label;
  }

  static ClusterSums sums_of(const std::vector<std::uint32_t>& label) {
    std::vector<std::uint64_t> size(label.size());
    for (const std::uint32_t root : label) ++size[root];
    ClusterSums sums;
    for (const std::uint64_t s : size) {
      if (s == 0) continue;
      ++sums.clusters;
      sums.sites += s;
      sums.squares += s * s;
      sums.largest = std::max(sums.largest, s);
      ++sums.histogram[static_cast<std::size_t>(std::log2(static_cast<double>(s)) + 1e-9)];
    }
    return sums;
  }

  void swendsen_wang(std::uint64_t step, std::uint64_t replica, std::uint8_t* spins) const {
    const std::vector<std::uint32_t> label = labels(step, replica, spins);
    const RandomKey key{seed, step, Stream::cluster_state};
    for (std::size_t site = 0; site < label.size(); ++site) {
      const std::uint64_t word = philox(key, std::uint64_t{label[site]}, replica).w[0];
      if (system.graph.model() == StateModel::ising) {
        if (word >= 0x80000000u) spins[site] = spins[site] == 0 ? 1 : 0;
      } else {
        spins[site] = static_cast<std::uint8_t>(
            word * static_cast<std::uint64_t>(system.graph.states()) / 4294967296u);
      }
    }
  }

  /// @return the size of the cluster that the update flips
  std::uint64_t wolff(std::uint64_t step, std::uint64_t replica, std::uint8_t* spins) const {
    const RandomKey key{seed, step, Stream::wolff_seed};
    const auto words = philox(key, std::uint64_t{0}, replica);
    const auto sites = static_cast<long double>(system.graph.sites());
    const auto first =
        static_cast<std::size_t>((static_cast<long double>(words.w[0]) +
                                  static_cast<long double>(words.w[1]) / 4294967296.0L) /
                                 4294967296.0L * sites);
    const auto q = static_cast<std::uint64_t>(system.graph.states());
    const std::uint64_t turn = 1 + words.w[2] * (q - 1) / 4294967296u;
    const std::vector<std::uint32_t> label = labels(step, replica, spins);
    std::uint64_t size = 0;
    for (std::size_t site = 0; site < label.size(); ++site) {
      if (label[site] != label[first]) continue;
      spins[site] = static_cast<std::uint8_t>((spins[site] + turn) % q);
      ++size;
    }
    return size;
  }

  StateSums measure(const std::uint8_t* spins) const {
    StateSums sums;
    sums.counts.assign(static_cast<std::size_t>(system.graph.states()), 0);
    for (Index site = 0; site < system.graph.sites(); ++site) ++sums.counts[spins[site]];
    return sums;
  }
  double energy(const std::uint8_t* spins) const {
    double sum = 0;
    for (const ReferenceBond& bond : system.bonds) {
      const bool equal = spins[bond.i] == spins[bond.j];
      if (system.graph.model() == StateModel::ising)
        sum -= bond.coupling * (equal ? 1 : -1);
      else
        sum -= equal ? bond.coupling : 0;
    }
    return sum;
  }
};

class EveryGraph : public testing::TestWithParam<ClusterCase> {};

constexpr Index replicas = 3;
const std::vector<double> betas{0.3, 0.9, 2.0};

TEST_P(EveryGraph, SwendsenWangIsTheSlowSearch) {
  const ClusterSystem system = GetParam().make();
  const Index sites = system.graph.sites();
  const Reference reference{system, betas};
  ClusterUpdate update(system.graph, replicas, seed, Device::cpu(1));
  update.set_inverse_temperatures(betas);
  States expected = random_states(replicas * sites, system.graph.states());
  Array<std::uint8_t> states(Device{}, expected);
  for (std::uint64_t step = 40; step < 43; ++step) {
    const std::vector<std::uint32_t> labels = update.labels(states, step);
    update.swendsen_wang(states, step, MeasureClusters::sums_and_histogram);
    const std::vector<ClusterSums> sums = update.sums();
    for (Index r = 0; r < replicas; ++r) {
      std::uint8_t* const spins = expected.data() + r * sites;
      const auto replica = static_cast<std::uint64_t>(r);
      const std::vector<std::uint32_t> label = reference.labels(step, replica, spins);
      ASSERT_TRUE(std::equal(label.begin(), label.end(), labels.begin() + r * sites));
      EXPECT_EQ(sums[static_cast<std::size_t>(r)], Reference::sums_of(label));
      reference.swendsen_wang(step, replica, spins);
    }
    ASSERT_EQ(states.to_host(), expected);
  }
}

TEST_P(EveryGraph, WolffIsTheClusterOfItsSeed) {
  const ClusterSystem system = GetParam().make();
  const Index sites = system.graph.sites();
  const Reference reference{system, betas};
  ClusterUpdate update(system.graph, replicas, seed, Device::cpu(1));
  update.set_inverse_temperatures(betas);
  States expected = random_states(replicas * sites, system.graph.states());
  Array<std::uint8_t> states(Device{}, expected);
  constexpr Index clusters = 4;
  update.wolff(states, 60, clusters, MeasureClusters::sums);
  const std::vector<ClusterSums> sums = update.sums();
  for (Index r = 0; r < replicas; ++r) {
    ClusterSums own;
    for (Index n = 0; n < clusters; ++n)
      own.add_cluster(reference.wolff(60 + static_cast<std::uint64_t>(n),
                                      static_cast<std::uint64_t>(r), expected.data() + r * sites),
                      false);
    EXPECT_EQ(sums[static_cast<std::size_t>(r)], own);
  }
  EXPECT_EQ(states.to_host(), expected);
}

TEST_P(EveryGraph, EnergyAndCountsAreThoseOfTheStates) {
  const ClusterSystem system = GetParam().make();
  const Index sites = system.graph.sites();
  const Reference reference{system, betas};
  const ClusterUpdate update(system.graph, replicas, seed, Device::cpu(1));
  const States all = random_states(replicas * sites, system.graph.states());
  const Array<std::uint8_t> states(Device{}, all);
  const std::vector<StateSums> sums = update.measure(states);
  for (Index r = 0; r < replicas; ++r) {
    const std::uint8_t* const spins = all.data() + r * sites;
    const StateSums& own = sums[static_cast<std::size_t>(r)];
    EXPECT_EQ(own.counts, reference.measure(spins).counts);
    const double energy = reference.energy(spins);
    EXPECT_NEAR(system.graph.energy(own.satisfied), energy, 1e-9 * (1 + std::abs(energy)));
  }
}

INSTANTIATE_TEST_SUITE_P(Graphs, EveryGraph, testing::ValuesIn(cluster_cases()), by_name);

// Threads share the rows of a grid or the bonds of a graph.
class SharedReplica : public testing::TestWithParam<ClusterCase> {};

TEST_P(SharedReplica, HasTheSameBitsOnTwoThreads) {
  const ClusterSystem system = GetParam().make();
  const States first = random_states(system.graph.sites(), system.graph.states());
  const auto outcome = [&](int threads, Index own_replicas) {
    States all;
    for (Index r = 0; r < own_replicas; ++r) all.insert(all.end(), first.begin(), first.end());
    ClusterUpdate update(system.graph, own_replicas, seed, Device::cpu(threads));
    update.set_inverse_temperatures(
        std::vector<double>(static_cast<std::size_t>(own_replicas), 0.65));
    Array<std::uint8_t> states(Device{}, all);
    std::vector<ClusterSums> sums;
    for (std::uint64_t step = 0; step < 4; ++step) {
      update.swendsen_wang(states, step, MeasureClusters::sums_and_histogram);
      const std::vector<ClusterSums> of_step = update.sums();
      sums.insert(sums.end(), of_step.begin(), of_step.end());
    }
    return std::tuple(states.to_host(), sums, update.labels(states, 9), update.measure(states));
  };
  EXPECT_EQ(outcome(1, 1), outcome(2, 1));
  EXPECT_EQ(outcome(1, 5), outcome(2, 5));
}

TEST_P(SharedReplica, UpdatesOfOneCallAreThoseOneByOne) {
  const ClusterSystem system = GetParam().make();
  const States first = random_states(system.graph.sites(), system.graph.states());
  for (const Index replicas : {1, 5}) {
    States all;
    for (Index r = 0; r < replicas; ++r) all.insert(all.end(), first.begin(), first.end());
    ClusterUpdate update(system.graph, replicas, seed, Device::cpu(2));
    update.set_inverse_temperatures(std::vector<double>(static_cast<std::size_t>(replicas), 0.65));
    Array<std::uint8_t> together(Device{}, all), one_by_one(Device{}, all);
    update.swendsen_wang(together, 3, 4, MeasureClusters::sums_and_histogram);
    const std::vector<ClusterSums> sums = update.sums();
    for (std::uint64_t step = 3; step < 7; ++step)
      update.swendsen_wang(one_by_one, step, MeasureClusters::sums_and_histogram);
    EXPECT_EQ(together.to_host(), one_by_one.to_host());
    EXPECT_EQ(sums, update.sums());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Graphs, SharedReplica,
    testing::Values(ClusterCase{"square",
                                [] {
                                  return grid_system(ising_model, 2, {301, 203}, {true, true},
                                                     CouplingKind::ferromagnetic);
                                }},
                    ClusterCase{"cubic",
                                [] {
                                  return grid_system(potts_model, 3, {37, 35, 41},
                                                     {true, true, false},
                                                     CouplingKind::ferromagnetic);
                                }},
                    ClusterCase{"four_axes",
                                [] {
                                  return grid_system(ising_model, 2, {15, 14, 13, 17},
                                                     {true, true, true, true},
                                                     CouplingKind::both_signs);
                                }},
                    ClusterCase{"graph",
                                [] {
                                  return random_system(ising_model, 2, 40000, 60000,
                                                       CouplingKind::both_signs);
                                }}),
    by_name);

TEST(ClusterUpdates, ReplicasOfAProcessAreThoseOfTheStudy) {
  const ClusterSystem system =
      grid_system(potts_model, 4, {11, 6}, {true, true}, CouplingKind::ferromagnetic);
  const Index sites = system.graph.sites();
  const States all = random_states(5 * sites, 4);
  const std::vector<double> five{0.2, 0.5, 0.8, 1.2, 1.6};
  ClusterUpdate together(system.graph, 5, seed, Device::cpu(1));
  together.set_inverse_temperatures(five);
  Array<std::uint8_t> states(Device{}, all);
  ClusterUpdate last_two(system.graph, 2, seed, Device::cpu(1), 3);
  last_two.set_inverse_temperatures(std::span(five).subspan(3));
  Array<std::uint8_t> own(Device{}, std::span(all).subspan(static_cast<std::size_t>(3 * sites)));
  together.swendsen_wang(states, 7);
  last_two.swendsen_wang(own, 7);
  together.wolff(states, 8, 3);
  last_two.wolff(own, 8, 3);
  const States found = states.to_host();
  EXPECT_TRUE(std::equal(found.begin() + 3 * sites, found.end(), own.to_host().begin()));
}

TEST(ClusterUpdates, SamplesAreUpdatedAsGraphsOfTheirOwn) {
  for (ClusterGraph (*const make)(Index, Index) : {grid_of_samples, graph_of_samples}) {
    const ClusterGraph graph = make(3, -1);
    const Index sites = graph.sites();
    const int q = graph.states();
    const std::vector<double> beta{0.4, 0.9, 0.6};
    const States all = random_states(3 * sites, q);
    ClusterUpdate together(graph, 3, seed, Device::cpu(1));
    together.set_inverse_temperatures(beta);
    Array<std::uint8_t> states(Device{}, all);
    together.swendsen_wang(states, 4, MeasureClusters::sums_and_histogram);
    const std::vector<ClusterSums> sums = together.sums();
    together.wolff(states, 5, 2);
    const States found = states.to_host();
    const std::vector<StateSums> measured = together.measure(states);
    for (Index sample = 0; sample < 3; ++sample) {
      const auto s = static_cast<std::size_t>(sample);
      const ClusterGraph of_sample = make(3, sample);
      ClusterUpdate alone(of_sample, 1, seed, Device::cpu(1), sample);
      alone.set_inverse_temperatures(std::span(beta).subspan(s, 1));
      Array<std::uint8_t> own(Device{}, std::span(all).subspan(s * static_cast<std::size_t>(sites),
                                                               static_cast<std::size_t>(sites)));
      alone.swendsen_wang(own, 4, MeasureClusters::sums_and_histogram);
      EXPECT_EQ(alone.sums()[0], sums[s]);
      alone.wolff(own, 5, 2);
      EXPECT_TRUE(std::ranges::equal(own.to_host(),
                                     std::span(found).subspan(s * static_cast<std::size_t>(sites),
                                                              static_cast<std::size_t>(sites))));
      const double energy = of_sample.energy(alone.measure(own)[0].satisfied);
      EXPECT_NEAR(graph.energy(measured[s].satisfied, sample), energy, 1e-8);
    }
  }
}

TEST(ClusterUpdates, RefuseWhatMakesNoClusters) {
  const RegularGrid square{{4, 4}, {true, true}};
  const std::vector<double> one{1.0}, negative{-1.0}, three(3, 1.0), nothing{std::nan("")};
  EXPECT_THROW(ClusterGraph::on_grid(potts_model, 3, square, negative), InputError);
  EXPECT_THROW(ClusterGraph::on_grid(potts_model, 1, square, one), InputError);
  EXPECT_THROW(ClusterGraph::on_grid(potts_model, 257, square, one), InputError);
  EXPECT_THROW(ClusterGraph::on_grid(ising_model, 3, square, one), InputError);
  EXPECT_THROW(ClusterGraph::on_grid(ising_model, 2, square, three), InputError);
  EXPECT_THROW(ClusterGraph::on_grid(ising_model, 2, square, nothing), InputError);
  EXPECT_THROW(ClusterGraph::on_grid(ising_model, 2, {{4, 0}, {true, true}}, one), InputError);
  EXPECT_THROW(ClusterGraph::on_grid(ising_model, 2, {{1 << 20, 1 << 20}, {true, true}}, one),
               InputError);
  EXPECT_THROW(ClusterGraph::on_grid(ising_model, 2, {{2, 2, 2, 2, 2}, std::vector<bool>(5)}, one),
               InputError);
  const std::vector<lattice::CoupledPair> loop{{1, 1, 1.0}}, outside{{0, 4, 1.0}},
      without{{0, 1, 0.0}};
  EXPECT_THROW(ClusterGraph::of_bonds(ising_model, 2, 4, loop), InputError);
  EXPECT_THROW(ClusterGraph::of_bonds(ising_model, 2, 4, outside), InputError);
  EXPECT_THROW(ClusterGraph::of_bonds(potts_model, 3, 4, without), InputError);
  const ClusterGraph graph = ClusterGraph::on_grid(ising_model, 2, square, one);
  EXPECT_THROW(ClusterUpdate(graph, 0, seed, Device::cpu(1)), InputError);
  EXPECT_THROW(ClusterUpdate(grid_of_samples(3), 2, seed, Device::cpu(1)), InternalError);
  EXPECT_THROW(ClusterGraph::on_grid(ising_model, 2, square, std::vector<double>(32, 1.0), 2),
               InputError)
      << "two samples of half the bonds";
  const std::vector<lattice::CoupledPair> two{{0, 1, 1.0}, {1, 2, 1.0}};
  EXPECT_THROW(ClusterGraph::of_bonds(ising_model, 2, 4, two, three), InputError);
  ClusterUpdate update(graph, 2, seed, Device::cpu(1));
  EXPECT_THROW(update.set_inverse_temperatures(one), InputError);
  EXPECT_THROW(update.set_inverse_temperatures(std::vector<double>{1.0, -0.1}), InputError);
}

TEST(ClusterUpdates, AtZeroTemperatureSatisfiedBondsHoldAndAtInfiniteNone) {
  const ClusterSystem system =
      grid_system(ising_model, 2, {16, 16}, {true, true}, CouplingKind::ferromagnetic);
  ClusterUpdate update(system.graph, 2, seed, Device::cpu(1));
  update.set_inverse_temperatures(std::vector<double>{std::numeric_limits<double>::infinity(), 0});
  Array<std::uint8_t> states(Device{}, 2 * 256);
  update.swendsen_wang(states, 0, MeasureClusters::sums);
  EXPECT_EQ(update.sums()[0].clusters, 1u);
  EXPECT_EQ(update.sums()[0].largest, 256u);
  EXPECT_EQ(update.sums()[1].clusters, 256u);
}

/// Averages of energy, order parameter and its square, per site.
struct Averages {
  double energy = 0, order = 0, order_squared = 0;
};

Averages exact_averages(const ClusterSystem& system, double beta) {
  const Index sites = system.graph.sites();
  const int q = system.graph.states();
  const Reference reference{system, {}};
  States spins(static_cast<std::size_t>(sites));
  Averages sum;
  double total = 0;
  for (bool more = true; more;) {
    const double energy = reference.energy(spins.data());
    const double weight = std::exp(-beta * (energy + static_cast<double>(system.bonds.size())));
    const double squared = reference.measure(spins.data()).order_squared();
    total += weight;
    sum.energy += weight * energy / static_cast<double>(sites);
    sum.order += weight * std::sqrt(squared);
    sum.order_squared += weight * squared;
    more = false;
    for (std::uint8_t& spin : spins) {
      if (++spin < q) {
        more = true;
        break;
      }
      spin = 0;
    }
  }
  return {sum.energy / total, sum.order / total, sum.order_squared / total};
}

/// The mean of the time averages of the replicas, and its error.
struct Estimate {
  double sum = 0, squares = 0, count = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
    ++count;
  }
  double mean() const { return sum / count; }
  double sigma() const { return std::sqrt((squares / count - mean() * mean()) / (count - 1)); }
};

struct Estimates {
  Estimate energy, order, order_squared, improved, difference;
};

enum class Algorithm { swendsen_wang, wolff };

constexpr Index wolff_clusters = 2;

/// @param broken factor of the bond probabilities; if it is not 1, the reference does the updates
Estimates estimates(const ClusterSystem& system, double beta, Algorithm algorithm,
                    Index own_replicas, int steps, double broken = 1) {
  const Index sites = system.graph.sites();
  const auto count = static_cast<std::size_t>(own_replicas);
  ClusterUpdate update(system.graph, own_replicas, seed, Device::cpu(1));
  update.set_inverse_temperatures(std::vector<double>(count, beta));
  Array<std::uint8_t> states(Device{}, random_states(own_replicas * sites, system.graph.states()));
  const Reference reference{system, std::vector<double>(count, beta), broken};
  const bool by_reference = broken != 1;
  std::vector<Averages> own(count);
  std::vector<double> improved(count);
  constexpr int warm_up = 20;
  for (int step = 0; step < warm_up + steps; ++step) {
    if (by_reference) {
      for (std::size_t r = 0; r < count; ++r)
        reference.swendsen_wang(static_cast<std::uint64_t>(step), r,
                                states.data() + static_cast<Index>(r) * sites);
    } else if (algorithm == Algorithm::wolff) {
      update.wolff(states, static_cast<std::uint64_t>(wolff_clusters * step), wolff_clusters,
                   MeasureClusters::sums);
    } else {
      update.swendsen_wang(states, static_cast<std::uint64_t>(step), MeasureClusters::sums);
    }
    if (step < warm_up) continue;
    const std::vector<StateSums> sums = update.measure(states);
    const std::vector<ClusterSums> clusters = update.sums();
    for (std::size_t r = 0; r < count; ++r) {
      const double squared = sums[r].order_squared();
      own[r].energy += system.graph.energy(sums[r].satisfied) / static_cast<double>(sites);
      own[r].order += std::sqrt(squared);
      own[r].order_squared += squared;
      if (!by_reference)
        improved[r] += algorithm == Algorithm::wolff ? clusters[r].wolff_order_squared(sites)
                                                     : clusters[r].order_squared(sites);
    }
  }
  Estimates found;
  for (std::size_t r = 0; r < count; ++r) {
    found.energy.add(own[r].energy / steps);
    found.order.add(own[r].order / steps);
    found.order_squared.add(own[r].order_squared / steps);
    found.improved.add(improved[r] / steps);
    found.difference.add((improved[r] - own[r].order_squared) / steps);
  }
  return found;
}

/// The deviation from the exact value, in units of the error.
double deviation(const Estimate& estimate, double exact) {
  return (estimate.mean() - exact) / estimate.sigma();
}

ClusterSystem square_ising() {
  std::vector<double> one{1.0};
  ClusterSystem system =
      grid_system(ising_model, 2, {4, 4}, {true, true}, CouplingKind::ferromagnetic);
  for (ReferenceBond& bond : system.bonds) bond.coupling = 1;
  system.graph = ClusterGraph::on_grid(ising_model, 2, {{4, 4}, {true, true}}, one);
  return system;
}
ClusterSystem square_potts() {
  std::vector<double> one{1.0};
  ClusterSystem system =
      grid_system(potts_model, 3, {3, 3}, {true, true}, CouplingKind::ferromagnetic);
  for (ReferenceBond& bond : system.bonds) bond.coupling = 1;
  system.graph = ClusterGraph::on_grid(potts_model, 3, {{3, 3}, {true, true}}, one);
  return system;
}

struct ExactCase {
  const char* name;
  ClusterSystem (*make)();
  double temperature;
  Algorithm algorithm;
};
void PrintTo(const ExactCase& c, std::ostream* out) { *out << c.name; }

class ClusterAverages : public testing::TestWithParam<ExactCase> {};

TEST_P(ClusterAverages, AreExact) {
  const ExactCase& c = GetParam();
  const ClusterSystem system = c.make();
  const Averages exact = exact_averages(system, 1 / c.temperature);
  const int steps = c.algorithm == Algorithm::wolff ? 700 : 1400;
  const Estimates found = estimates(system, 1 / c.temperature, c.algorithm, 1000, steps);
  for (const Estimate* estimate : {&found.energy, &found.order, &found.order_squared})
    EXPECT_LT(estimate->sigma(), 1e-3);
  EXPECT_LT(std::abs(deviation(found.energy, exact.energy)), 4);
  EXPECT_LT(std::abs(deviation(found.order, exact.order)), 4);
  EXPECT_LT(std::abs(deviation(found.order_squared, exact.order_squared)), 4);
  EXPECT_LT(std::abs(deviation(found.improved, exact.order_squared)), 4);
  EXPECT_LT(std::abs(deviation(found.difference, 0)), 4);
  // The improved estimator has the smaller error.
  if (c.algorithm == Algorithm::swendsen_wang) {
    EXPECT_LT(found.improved.sigma(), found.order_squared.sigma());
  }
}

const double ising_critical = 2 / std::log(1 + std::sqrt(2.0));
const double potts_critical = 1 / std::log(1 + std::sqrt(3.0));

INSTANTIATE_TEST_SUITE_P(
    Algorithms, ClusterAverages,
    testing::Values(
        ExactCase{"ising_critical", square_ising, ising_critical, Algorithm::swendsen_wang},
        ExactCase{"potts", square_potts, potts_critical, Algorithm::swendsen_wang},
        ExactCase{"ising_critical_wolff", square_ising, ising_critical, Algorithm::wolff},
        ExactCase{"potts_wolff", square_potts, potts_critical, Algorithm::wolff}),
    by_name);
INSTANTIATE_TEST_SUITE_P(
    Depth, ClusterAverages,
    testing::Values(ExactCase{"ising_cold", square_ising, 2.0, Algorithm::swendsen_wang},
                    ExactCase{"ising_warm", square_ising, 2.5, Algorithm::swendsen_wang},
                    ExactCase{"ising_cold_wolff", square_ising, 2.0, Algorithm::wolff},
                    ExactCase{"ising_warm_wolff", square_ising, 2.5, Algorithm::wolff}),
    by_name);

TEST(ClusterAveragesOfABrokenUpdate, AreNoticed) {
  const ClusterSystem system = square_ising();
  const Averages exact = exact_averages(system, 1 / ising_critical);
  const Estimates found =
      estimates(system, 1 / ising_critical, Algorithm::swendsen_wang, 1000, 300, 0.99);
  EXPECT_GT(std::abs(deviation(found.energy, exact.energy)), 6);
  EXPECT_GT(std::abs(deviation(found.order_squared, exact.order_squared)), 6);
}

}  // namespace larmor::clusters_tests
