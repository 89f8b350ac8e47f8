// Transverse-field Ising models with slices of imaginary time, against explicit sums and matrices.
// Rooms: trotter

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "larmor/core/error.hpp"
#include "larmor/trotter/extrapolation.hpp"
#include "larmor/trotter/gap_fit.hpp"
#include "larmor/trotter/instance_exchange.hpp"
#include "larmor/trotter/replica_totals.hpp"
#include "tests/trotter_exact.hpp"
#include "tests/trotter_means.hpp"

namespace larmor::trotter_tests {

using namespace larmor::trotter;
using namespace larmor::testing_support;

SystemGraph ring(int sites) {
  SystemGraph graph{sites, {}};
  for (int i = 0; i + 1 < sites; ++i) graph.bonds.push_back({i, i + 1});
  if (sites > 2) graph.bonds.push_back({sites - 1, 0});
  return graph;
}

Instance uniform_instance(const SystemGraph& graph, double beta, double J, double Gamma,
                          double h = 0) {
  return {beta, std::vector<double>(graph.bonds.size(), J),
          std::vector<double>(static_cast<std::size_t>(graph.sites), Gamma),
          std::vector<double>(static_cast<std::size_t>(graph.sites), h)};
}

/// Couplings, fields and transverse fields that all differ.
Instance uneven_instance(const SystemGraph& graph, double beta) {
  Instance instance = uniform_instance(graph, beta, 0, 0);
  for (std::size_t b = 0; b < instance.J.size(); ++b)
    instance.J[b] = 0.9 * std::sin(2.1 * static_cast<double>(b) + 0.4);
  for (std::size_t i = 0; i < instance.h.size(); ++i) {
    instance.h[i] = 0.3 * std::cos(1.3 * static_cast<double>(i));
    instance.Gamma[i] = 0.8 + 0.3 * std::sin(0.7 * static_cast<double>(i));
  }
  return instance;
}

/// A state as a number: bit site * M + k is set if the spin is -1.
class NumberedStates {
 public:
  explicit NumberedStates(const TrotterModel& model) : model_(model) {}

  std::uint64_t number_of(const HostWords& words, Index replica) const {
    const auto [group, field] = model_.place(replica);
    std::uint64_t number = 0;
    for (Index site = 0; site < model_.sites(); ++site)
      for (int k = 0; k < model_.slices(); ++k) {
        const std::uint32_t word =
            words.line(group, site)[Index{model_.time().word_of(k)} * words.lanes];
        number |= std::uint64_t{(word >> model_.time().bit_of(k, field)) & 1u}
                  << (site * model_.slices() + k);
      }
    return number;
  }
  /// Saved words in which replica r has the state r.
  std::vector<std::uint32_t> all_states() const {
    std::vector<std::uint32_t> saved(
        static_cast<std::size_t>(model_.groups() * model_.sites() * model_.time().words));
    for (Index replica = 0; replica < model_.replicas(); ++replica) {
      const auto [group, field] = model_.place(replica);
      for (Index site = 0; site < model_.sites(); ++site)
        for (int k = 0; k < model_.slices(); ++k)
          if ((replica >> (site * model_.slices() + k) & 1) != 0)
            saved[static_cast<std::size_t>((group * model_.sites() + site) * model_.time().words +
                                           model_.time().word_of(k))] |=
                1u << model_.time().bit_of(k, field);
    }
    return saved;
  }

 private:
  const TrotterModel& model_;
};

/// The weight of a numbered state, from the action in words of spins.
double weight_of(const SystemGraph& graph, const Instance& instance, int slices,
                 std::uint64_t number) {
  const double dtau = instance.beta / slices;
  const auto spin = [&](Index site, int k) {
    return (number >> (site * slices + k % slices) & 1) != 0 ? -1.0 : 1.0;
  };
  double S = 0, prefactor = 1;
  for (int k = 0; k < slices; ++k) {
    for (std::size_t b = 0; b < graph.bonds.size(); ++b)
      S += dtau * instance.J[b] * spin(graph.bonds[b].i, k) * spin(graph.bonds[b].j, k);
    for (Index i = 0; i < graph.sites; ++i) {
      const auto site = static_cast<std::size_t>(i);
      S += dtau * instance.h[site] * spin(i, k) +
           time_coupling(dtau, instance.Gamma[site]) * spin(i, k) * spin(i, k + 1);
    }
  }
  for (const double Gamma : instance.Gamma)
    prefactor *= std::pow(0.5 * std::sinh(2 * dtau * Gamma), 0.5 * slices);
  return prefactor * std::exp(S);
}

TEST(TimeWords, HoldEverySliceOnceAndItsNeighbours) {
  for (const auto [slices, copies] : {std::pair<Index, Index>{2, 1},
                                      {2, 100},
                                      {4, 7},
                                      {6, 1},
                                      {6, 40},
                                      {8, 1},
                                      {12, 3},
                                      {16, 1},
                                      {20, 1},
                                      {20, 50},
                                      {32, 1},
                                      {62, 1},
                                      {64, 1},
                                      {64, 9},
                                      {72, 1},
                                      {96, 1},
                                      {96, 2},
                                      {128, 4},
                                      {200, 1},
                                      {256, 1}}) {
    const TimeWords time = time_words(slices, copies);
    ASSERT_EQ(time.slices(), slices);
    ASSERT_EQ(time.words % 2, 0);
    std::vector<std::uint32_t> words(static_cast<std::size_t>(time.words));
    // Random spins: the neighbours of each slice must be those of the list of spins.
    std::vector<std::vector<bool>> spins;
    std::uint64_t number = 12345;
    for (int field = 0; field < time.fields(); ++field) {
      spins.emplace_back();
      for (int k = 0; k < slices; ++k) {
        number = number * 6364136223846793005u + 1442695040888963407u;
        spins.back().push_back((number >> 63) != 0);
        if (spins.back().back())
          words[static_cast<std::size_t>(time.word_of(k))] |= 1u << time.bit_of(k, field);
      }
    }
    struct Words {
      const std::vector<std::uint32_t>& w;
      std::uint32_t at(int n) const { return w[static_cast<std::size_t>(n)]; }
    };
    for (int field = 0; field < time.fields(); ++field)
      for (int k = 0; k < slices; ++k) {
        const int w = time.word_of(k), bit = time.bit_of(k, field);
        const auto& line = spins[static_cast<std::size_t>(field)];
        const auto at = [&](Index slice) {
          return line[static_cast<std::size_t>((slice + slices) % slices)];
        };
        EXPECT_EQ((next_slices<std::uint32_t>(time, Words{words}, w) >> bit & 1u) != 0, at(k + 1));
        EXPECT_EQ((previous_slices<std::uint32_t>(time, Words{words}, w) >> bit & 1u) != 0,
                  at(k - 1));
      }
  }
}

TEST(TimeWords, AreAsFewAsTheCopiesAllow) {
  const auto words = [](Index slices, Index copies) {
    const TimeWords time = time_words(slices, copies);
    return time.words * ((copies + time.fields() - 1) / time.fields());
  };
  EXPECT_EQ(words(64, 1), 2);
  EXPECT_EQ(words(96, 1), 4);
  EXPECT_EQ(words(96, 2), 6);
  EXPECT_EQ(words(100, 1), 4);
  EXPECT_EQ(words(20, 1), 2);
  EXPECT_EQ(words(20, 3), 2);
  EXPECT_EQ(words(20, 16), 10);
  // 37 is a prime above 32, so a field has one bit.
  EXPECT_EQ(words(74, 1), 74);
  EXPECT_EQ(words(74, 32), 74);
}

/// The estimators, averaged over all states with their weights, are the derivatives of ln Z_M.
void expect_exact_estimators(const SystemGraph& graph, const Instance& instance, Index slices) {
  const TrotterModel model(Device{}, graph, {instance},
                           {.slices = slices, .copies = Index{1} << (graph.sites * slices)});
  TrotterState state(model);
  state.restore(NumberedStates(model).all_states());
  const HostWords words = state.host_words();
  double Z = 0, E = 0, E2 = 0, D = 0, m2 = 0, m4 = 0, chi = 0;
  std::vector<double> sx(instance.Gamma.size()), sz(sx.size()), bond(instance.J.size()),
      G(static_cast<std::size_t>(slices / 2 + 1)), local(G.size());
  for (Index replica = 0; replica < model.replicas(); ++replica) {
    const ReplicaSpins spins(model, words, replica);
    const double weight =
        weight_of(graph, instance, static_cast<int>(slices), static_cast<std::uint64_t>(replica));
    const SliceSums sums = spins.sums(graph);
    const EnergyTerms energy = energy_terms(instance, sums);
    Z += weight;
    E += weight * energy.energy;
    E2 += weight * energy.energy * energy.energy;
    D += weight * energy.derivative;
    const SliceMoments moments = magnetic_moments(sums);
    m2 += weight * moments.m2;
    m4 += weight * moments.m4;
    chi += weight * instance.beta * static_cast<double>(graph.sites) * moments.mean2;
    const std::vector<double> x = transverse_spins(instance, sums),
                              g = magnetic_correlation(sums.slice, graph.sites);
    const std::vector<std::int64_t> products = spins.local_products();
    for (std::size_t i = 0; i < sx.size(); ++i) {
      sx[i] += weight * x[i];
      sz[i] += weight * sums.site[i] / static_cast<double>(slices);
    }
    for (std::size_t b = 0; b < bond.size(); ++b) {
      bond[b] += weight * sums.bond[b] / static_cast<double>(slices);
      EXPECT_DOUBLE_EQ(spins.pair(graph.bonds[b].i, graph.bonds[b].j),
                       sums.bond[b] / static_cast<double>(slices));
    }
    for (std::size_t k = 0; k < G.size(); ++k) {
      G[k] += weight * g[k];
      local[k] +=
          weight * static_cast<double>(products[k]) / static_cast<double>(graph.sites * slices);
    }
  }
  const ExactTrotter exact = exact_trotter(graph, instance, slices);
  EXPECT_NEAR(std::log(Z), TrotterMatrix(graph, instance, slices).ln_Z(), 1e-12);
  EXPECT_NEAR(E / Z, exact.energy, 1e-9);
  EXPECT_NEAR(specific_heat(instance.beta, E / Z, E2 / Z, D / Z), exact.specific_heat, 1e-7);
  EXPECT_NEAR(m2 / Z, exact.m2, 1e-12);
  EXPECT_NEAR(m4 / Z, exact.m4, 1e-12);
  EXPECT_NEAR(chi / Z, exact.chi_zz, 1e-12);
  for (std::size_t i = 0; i < sx.size(); ++i) {
    EXPECT_NEAR(sx[i] / Z, exact.sx[i], 1e-9);
    EXPECT_NEAR(sz[i] / Z, exact.sz[i], 1e-9);
  }
  for (std::size_t b = 0; b < bond.size(); ++b) EXPECT_NEAR(bond[b] / Z, exact.bond[b], 1e-9);
  for (std::size_t k = 0; k < G.size(); ++k) {
    EXPECT_NEAR(G[k] / Z, exact.G[k], 1e-12);
    EXPECT_NEAR(local[k] / Z, exact.G_local[k], 1e-12);
  }
}

TEST(TrotterEstimators, AreDerivativesOfThePartitionFunction) {
  for (const Index slices : {2, 4, 8}) {
    const SystemGraph one{1, {}};
    expect_exact_estimators(one, uniform_instance(one, 1.7, 0, 0.7, 0.3), slices);
  }
  expect_exact_estimators(ring(2), uneven_instance(ring(2), 1.3), 6);
  expect_exact_estimators(ring(3), uneven_instance(ring(3), 0.9), 4);
  expect_exact_estimators(ring(4), uneven_instance(ring(4), 2.1), 2);
}

TEST(TrotterEstimators, OfOneSpinHaveTheClosedForm) {
  // One spin without a field along z: the Trotter formula has no error.
  const SystemGraph one{1, {}};
  for (const Index slices : {2, 6, 12}) {
    const double beta = 1.4, Gamma = 0.9;
    const Instance instance = uniform_instance(one, beta, 0, Gamma);
    EXPECT_NEAR(TrotterMatrix(one, instance, slices).ln_Z(), std::log(2 * std::cosh(beta * Gamma)),
                1e-12);
    expect_exact_estimators(one, instance, slices);
  }
}

enum class Update { local, line, cluster };

/// States of many independent replicas against their weights, by chi-square.
void expect_distribution(const SystemGraph& graph, const Instance& instance, Index slices,
                         Update update, ising::Rule rule = ising::Rule::metropolis) {
  constexpr Index copies = Index{1} << 16;
  const Index sweeps = update == Update::local ? 60 : 24;
  const TrotterModel model(Device::cpu(2), graph, {instance},
                           {.slices = slices, .copies = copies, .rule = rule});
  TrotterState state(model);
  state.randomise(5);
  TrotterSampler sampler(model, 11, UpdateCounter());
  if (update == Update::local) sampler.sweep(state, sweeps);
  if (update == Update::line) sampler.line_sweep(state, sweeps);
  if (update == Update::cluster) sampler.cluster_sweep(state, sweeps);
  const std::size_t states = std::size_t{1} << (graph.sites * slices);
  std::vector<double> weights(states);
  for (std::size_t n = 0; n < states; ++n) {
    // Without a transverse field, only states of equal slices have a weight.
    weights[n] = weight_of(graph, instance, static_cast<int>(slices), n);
  }
  const double Z = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> counts(states);
  const HostWords words = state.host_words();
  const NumberedStates numbers(model);
  for (Index replica = 0; replica < copies; ++replica)
    counts[numbers.number_of(words, replica)] += 1;
  double chi2 = 0, rare_count = 0, rare_expected = 0;
  Index cells = 0;
  for (std::size_t n = 0; n < states; ++n) {
    const double expected = weights[n] / Z * copies;
    if (expected < 10) {
      rare_count += counts[n];
      rare_expected += expected;
      continue;
    }
    chi2 += (counts[n] - expected) * (counts[n] - expected) / expected;
    ++cells;
  }
  if (rare_expected >= 10) {
    chi2 += (rare_count - rare_expected) * (rare_count - rare_expected) / rare_expected;
    ++cells;
  }
  const double freedom = static_cast<double>(cells - 1), width = 4 * std::sqrt(2 * freedom);
  EXPECT_GT(chi2, freedom - width);
  EXPECT_LT(chi2, freedom + width + 8);
  EXPECT_GT(cells, 15);
}

TEST(TrotterUpdates, LocalMovesHaveTheDistributionOfTheAction) {
  // Bonds of one size are counted, others added up.
  for (const auto rule : {ising::Rule::metropolis, ising::Rule::glauber}) {
    SystemGraph triangle = ring(3);
    Instance frustrated = uniform_instance(triangle, 1.2, 0.8, 0.9);
    frustrated.J[1] = -0.8;
    expect_distribution(triangle, frustrated, 4, Update::local, rule);
    expect_distribution(triangle, uneven_instance(triangle, 1.2), 4, Update::local, rule);
    expect_distribution(ring(4), uniform_instance(ring(4), 1.4, -1, 0.7), 2, Update::local, rule);
    const SystemGraph one{1, {}};
    expect_distribution(one, uniform_instance(one, 1.1, 0, 1.3), 8, Update::local, rule);
    expect_distribution(one, uniform_instance(one, 1.1, 0, 1.3, 0.4), 6, Update::local, rule);
  }
}

TEST(TrotterUpdates, PiecesOfWorldLinesHaveTheDistributionOfTheAction) {
  expect_distribution(ring(3), uneven_instance(ring(3), 1.2), 4, Update::line);
  expect_distribution(ring(2), uneven_instance(ring(2), 2.5), 6, Update::line);
  expect_distribution(ring(4), uniform_instance(ring(4), 1.4, -1, 0.7), 2, Update::line);
}

TEST(TrotterUpdates, ClustersHaveTheDistributionOfTheAction) {
  Instance instance = uneven_instance(ring(3), 1.2);
  for (std::size_t b = 0; b < 3; ++b) instance.J[b] = 0.4 + 0.2 * static_cast<double>(b);
  for (double& h : instance.h) h = std::abs(h);
  expect_distribution(ring(3), instance, 4, Update::cluster);
  Instance staggered = uniform_instance(ring(4), 1.5, -1, 0.9);
  expect_distribution(ring(4), staggered, 2, Update::cluster);
  Instance negative = uneven_instance(ring(2), 2.0);
  negative.J[0] = -0.9;
  negative.h = {0.3, -0.2};
  expect_distribution(ring(2), negative, 6, Update::cluster);
}

TEST(TrotterUpdates, RefuseWhatTheyCannotUpdate) {
  const SystemGraph graph = ring(3);
  const TrotterModel frustrated(Device{}, graph, {uniform_instance(graph, 1, -1, 1)},
                                {.slices = 8});
  TrotterState state(frustrated);
  TrotterSampler sampler(frustrated, 1, UpdateCounter());
  EXPECT_THROW(sampler.cluster_sweep(state, 1), InputError);
  Instance rigid = uniform_instance(graph, 1, 1, 1);
  rigid.Gamma[1] = 0;
  const TrotterModel with_rigid(Device{}, graph, {rigid}, {.slices = 8});
  TrotterState other(with_rigid);
  TrotterSampler of_rigid(with_rigid, 1, UpdateCounter());
  EXPECT_THROW(of_rigid.sweep(other, 1), InputError);
  EXPECT_THROW(time_words(7), InputError);
  rigid.Gamma[1] = -1;
  EXPECT_THROW(TrotterModel(Device{}, graph, {rigid}, {.slices = 8}), InputError);
}

/// Means of a run from random spins.
ReplicaMeans simulated(const TrotterModel& model,
                       const std::function<void(TrotterSampler&, TrotterState&)>& update,
                       Index equilibration, Index measurements) {
  TrotterState state(model);
  state.randomise(3);
  TrotterSampler sampler(model, 17, UpdateCounter());
  for (Index n = 0; n < equilibration; ++n) update(sampler, state);
  ReplicaMeans means(model.replicas());
  for (Index n = 0; n < measurements; ++n) {
    update(sampler, state);
    const HostWords words = state.host_words();
    for (Index replica = 0; replica < model.replicas(); ++replica)
      measure(means, replica, model.system(), model.instances()[0],
              ReplicaSpins(model, words, replica));
    means.count_measurement();
  }
  return means;
}

void compare(Distances& distances, const ReplicaMeans& means, const std::string& label,
             const Instance& instance, const ExactTrotter& exact) {
  means.compare(distances, label, "E", exact.energy);
  means.compare_specific_heat(distances, label, instance.beta, exact.specific_heat);
  means.compare(distances, label, "m2", exact.m2);
  means.compare(distances, label, "m4", exact.m4);
  means.compare(distances, label, "chi_zz", exact.chi_zz);
  for (std::size_t i = 0; i < exact.sx.size(); ++i) {
    means.compare(distances, label, "sx" + std::to_string(i), exact.sx[i]);
    means.compare(distances, label, "sz" + std::to_string(i), exact.sz[i]);
  }
  for (std::size_t k = 1; k < exact.G.size(); ++k) {
    means.compare(distances, label, "G" + std::to_string(k), exact.G[k]);
    means.compare(distances, label, "G_local" + std::to_string(k), exact.G_local[k]);
  }
}

void expect_agreement(const Distances& distances) {
  // Values of one run are correlated, so the limits of the mean square are wide.
  EXPECT_LT(distances.largest(), 4) << distances.text();
  EXPECT_LT(distances.mean_square(), 2) << distances.text();
  EXPECT_GT(distances.mean_square(), 0.3) << distances.text();
}

TEST(TrotterAverages, AreExactForAnyNumberOfSlices) {
  const SystemGraph graph = ring(4);
  const auto local = [](TrotterSampler& s, TrotterState& state) { s.sweep(state, 5); };
  const auto line = [](TrotterSampler& s, TrotterState& state) { s.line_sweep(state, 1); };
  Distances distances;
  for (const Index slices : {8, 10, 12, 64, 128}) {
    const Instance counted = uniform_instance(graph, 2, 0.8, 1.1);
    const Instance uneven = uneven_instance(graph, 2);
    for (const Instance& instance : {counted, uneven}) {
      const ExactTrotter exact = exact_trotter(graph, instance, slices);
      const TrotterModel model(Device::cpu(2), graph, {instance},
                               {.slices = slices, .copies = 128});
      const std::string label = "M = " + std::to_string(slices);
      compare(distances, simulated(model, local, 60, 60), label + " local", instance, exact);
      compare(distances, simulated(model, line, 30, 60), label + " line", instance, exact);
    }
  }
  expect_agreement(distances);
}

TEST(TrotterAverages, OfManySitesWithoutCouplingsAreThoseOfFreeSpins) {
  // Kinks of a line without couplings only move under Metropolis, unless some sweeps are lazy.
  SystemGraph graph = ring(60);
  Instance instance = uniform_instance(graph, 1, 0, 1);
  const TrotterModel model(Device::cpu(2), graph, {instance}, {.slices = 16, .copies = 64});
  TrotterState state(model);
  state.randomise(3);
  TrotterSampler sampler(model, 5, UpdateCounter());
  sampler.sweep(state, 400);
  double sum = 0, square = 0;
  constexpr int measurements = 400;
  for (int n = 0; n < measurements; ++n) {
    sampler.sweep(state, 20);
    const HostWords words = state.host_words();
    double sx = 0;
    for (Index replica = 0; replica < model.replicas(); ++replica)
      for (const double x :
           transverse_spins(instance, ReplicaSpins(model, words, replica).sums(graph)))
        sx += x / static_cast<double>(60 * model.replicas());
    sum += sx;
    square += sx * sx;
  }
  const double mean = sum / measurements;
  const double error = std::sqrt((square / measurements - mean * mean) / (measurements - 1));
  EXPECT_LT(error, 1e-3);
  EXPECT_NEAR(mean, std::tanh(1.0), 6 * error);
}

TEST(TrotterAverages, OfSitesWithoutATransverseFieldAreThoseOfAClassicalSpin) {
  const SystemGraph graph = ring(3);
  Instance instance = uneven_instance(graph, 1.5);
  instance.Gamma[1] = 0;
  const ExactTrotter exact = [&] {
    // The derivative by Gamma needs values on both sides of 0, where it vanishes.
    Instance limit = instance;
    ExactTrotter found = exact_trotter(graph, limit, 16);
    found.sx[1] = 0;
    return found;
  }();
  const TrotterModel model(Device::cpu(2), graph, {instance}, {.slices = 16, .copies = 512});
  Distances distances;
  compare(
      distances,
      simulated(
          model, [](TrotterSampler& s, TrotterState& state) { s.line_sweep(state, 2); }, 30, 60),
      "rigid", instance, exact);
  expect_agreement(distances);
}

TEST(TrotterAverages, HaveEqualBitsForAnyNumberOfThreads) {
  const SystemGraph graph = ring(7);
  for (const bool is_uneven : {false, true}) {
    std::vector<Instance> instances;
    for (int n = 0; n < 40; ++n) {
      Instance instance = is_uneven ? uneven_instance(graph, 1 + 0.05 * n)
                                    : uniform_instance(graph, 1 + 0.05 * n, 0.7, 0.9);
      instances.push_back(instance);
    }
    std::vector<std::vector<std::uint32_t>> saved;
    for (const int threads : {1, 3}) {
      const TrotterModel model(Device::cpu(threads), graph, instances, {.slices = 24, .copies = 6});
      TrotterState state(model);
      state.randomise(1);
      TrotterSampler sampler(model, 2, UpdateCounter());
      sampler.sweep(state, 20);
      sampler.line_sweep(state, 5);
      if (!is_uneven) sampler.cluster_sweep(state, 3);
      saved.push_back(state.save());
    }
    EXPECT_EQ(saved[0], saved[1]);
  }
}

TEST(TrotterAverages, OfLinesHaveEqualBitsForAnyShares) {
  // One thread updates whole groups. Three threads share the sites of a colour. Without local
  // moves, words have another layout.
  const SystemGraph graph = ring(301);
  std::vector<Instance> instances;
  for (int n = 0; n < 8; ++n) instances.push_back(uniform_instance(graph, 1 + 0.3 * n, 0.7, 0.9));
  std::vector<std::vector<std::uint32_t>> saved;
  for (const int threads : {1, 3})
    for (const bool has_local_updates : {true, false}) {
      const TrotterModel model(Device::cpu(threads), graph, instances,
                               {.slices = 24, .copies = 2, .has_local_updates = has_local_updates});
      EXPECT_EQ(model.lanes(), has_local_updates ? lanes_of_cpu : 1);
      TrotterState state(model);
      state.randomise(1);
      TrotterSampler sampler(model, 2, UpdateCounter());
      sampler.line_sweep(state, 5);
      sampler.cluster_sweep(state, 2);
      saved.push_back(state.save());
      if (!has_local_updates) EXPECT_THROW(sampler.sweep(state, 1), InternalError);
    }
  for (std::size_t n = 1; n < saved.size(); ++n) EXPECT_EQ(saved[0], saved[n]);
}

TEST(TrotterAverages, OfLazySweepsHaveTheirTables) {
  // Without couplings, sites are rings in time, which need lazy sweeps.
  SystemGraph graph = ring(40);
  for (int i = 0; i < 40; ++i) graph.bonds.push_back({i, (i + 7) % 40});
  for (const double J : {0.0, 0.7}) {
    const TrotterModel model(Device{}, graph, {uniform_instance(graph, 1, J, 1)}, {.slices = 16});
    EXPECT_EQ(model.needs_lazy_sweeps(), J == 0);
    EXPECT_NE(model.view().thresholds[0], nullptr);
    EXPECT_EQ(model.view().thresholds[1] != nullptr, J == 0);
  }
}

TEST(TrotterAverages, ContinueFromSavedSpinsAndStep) {
  const SystemGraph graph = ring(5);
  const TrotterModel model(Device{}, graph, {uneven_instance(graph, 1), uneven_instance(graph, 2)},
                           {.slices = 8, .copies = 3});
  TrotterState state(model);
  state.randomise(1);
  UpdateCounter steps;
  TrotterSampler sampler(model, 2, steps);
  sampler.sweep(state, 7);
  const std::vector<std::uint32_t> saved = state.save();
  UpdateCounter later;
  later = static_cast<std::uint64_t>(steps);
  TrotterState resumed(model);
  resumed.restore(saved);
  TrotterSampler again(model, 2, later);
  sampler.sweep(state, 6);
  sampler.line_sweep(state, 2);
  again.sweep(resumed, 6);
  again.line_sweep(resumed, 2);
  EXPECT_EQ(state.save(), resumed.save());
  EXPECT_EQ(std::uint64_t{steps}, std::uint64_t{later});
}

TEST(TrotterAverages, TotalsOfReplicasAreThoseOfTheirSpins) {
  const SystemGraph graph = ring(5);
  for (const Index slices : {8, 12, 64, 128}) {
    std::vector<Instance> instances{uneven_instance(graph, 1), uneven_instance(graph, 2)};
    instances[1].Gamma[2] = 0;
    const TrotterModel model(Device::cpu(2), graph, instances, {.slices = slices, .copies = 7});
    TrotterState state(model);
    state.randomise(6);
    const ReplicaTotals totals = TotalsOfReplicas(model).measure(state);
    const HostWords words = state.host_words();
    for (Index replica = 0; replica < model.replicas(); ++replica) {
      const SliceSums sums = ReplicaSpins(model, words, replica).sums(graph);
      const EnergyTerms terms =
          energy_terms(instances[static_cast<std::size_t>(replica / 7)], sums);
      const EnergyTerms& total = totals.energy[static_cast<std::size_t>(replica)];
      EXPECT_NEAR(total.energy, terms.energy, 1e-11 * std::abs(terms.energy));
      EXPECT_NEAR(total.derivative, terms.derivative, 1e-11 * std::abs(terms.derivative));
      const auto slice = totals.slices(replica, slices);
      EXPECT_EQ(std::vector<std::int32_t>(slice.begin(), slice.end()), sums.slice);
    }
  }
}

TEST(TrotterAverages, ProductsOverlapsAndTalliesAreThoseOfTheSpins) {
  const SystemGraph graph = ring(5);
  for (const Index slices : {8, 12, 64, 96, 128}) {
    const std::vector<Instance> instances{uneven_instance(graph, 1), uneven_instance(graph, 2)};
    constexpr Index copies = 7;
    const TrotterModel model(Device::cpu(2), graph, instances,
                             {.slices = slices, .copies = copies});
    TrotterState state(model);
    state.randomise(6);
    TotalsOfReplicas totals(model);
    std::vector<std::int32_t> shifts;
    for (std::int32_t k = 0; k <= slices / 2; ++k) shifts.push_back(k);
    const std::vector<std::int64_t> products = totals.products_in_time(state, shifts);
    const std::vector<std::int32_t> overlaps = totals.overlaps(state);
    SiteTally tally(model);
    tally.add(state);
    tally.add(state);
    std::vector<std::int64_t> expected(static_cast<std::size_t>(2 * 5 * 2));
    const HostWords words = state.host_words();
    for (Index replica = 0; replica < model.replicas(); ++replica) {
      const ReplicaSpins spins(model, words, replica);
      EXPECT_TRUE(std::ranges::equal(
          spins.local_products(),
          std::span(products).subspan(static_cast<std::size_t>(replica) * shifts.size(),
                                      shifts.size())));
      const Index instance = replica / copies, copy = replica % copies;
      if (copy % 2 == 0 && copy + 1 < copies)
        EXPECT_TRUE(std::ranges::equal(
            spins.overlaps(ReplicaSpins(model, words, replica + 1)),
            std::span(overlaps).subspan(
                static_cast<std::size_t>((instance * (copies / 2) + copy / 2) * slices),
                static_cast<std::size_t>(slices))));
      const SliceSums sums = spins.sums(graph);
      for (Index site = 0; site < 5; ++site) {
        const auto at = static_cast<std::size_t>(2 * (instance * 5 + site));
        expected[at] += 2 * sums.kinks[static_cast<std::size_t>(site)];
        expected[at + 1] += slices - sums.site[static_cast<std::size_t>(site)];
      }
    }
    EXPECT_EQ(tally.counts(), expected);
  }
}

TEST(TrotterAverages, WeightsOfExchangesAreLogarithmsOfTheWeights) {
  // ln of the weight of a state, from the action in words of spins.
  const SystemGraph graph = ring(3);
  std::vector<Instance> instances;
  for (int n = 0; n < 6; ++n) {
    instances.push_back(uneven_instance(graph, 1 + 0.3 * n));
    for (double& Gamma : instances.back().Gamma) Gamma *= 1 - 0.1 * n;
  }
  constexpr Index slices = 8, copies = 7;
  const TrotterModel model(Device::cpu(2), graph, instances, {.slices = slices, .copies = copies});
  TrotterState state(model);
  state.randomise(3);
  TotalsOfReplicas totals(model);
  const NumberedStates numbers(model);
  for (const int parity : {0, 1}) {
    // Two ladders of three rungs.
    const RungPairs pairs{3, parity};
    EXPECT_EQ(pairs.partner(3), parity == 0 ? 4 : 3);
    EXPECT_EQ(pairs.partner(4), parity == 0 ? 3 : 5);
    EXPECT_EQ(pairs.partner(5), parity == 0 ? 5 : 4);
    const std::vector<ExchangeWeights> weights = totals.weights(state, pairs);
    for (Index replica = 0; replica < model.replicas(); ++replica) {
      const std::uint64_t number = numbers.number_of(state.host_words(), replica);
      const auto ln = [&](Index instance) {
        const Instance& of = instances[static_cast<std::size_t>(instance)];
        double constant = 0;
        const double dtau = of.beta / slices;
        // All spins of a site are equal in the state that S counts as zero in time.
        for (const double Gamma : of.Gamma)
          constant += slices * time_coupling(dtau, Gamma) +
                      0.5 * slices * std::log(0.5 * std::sinh(2 * dtau * Gamma));
        return std::log(weight_of(graph, of, slices, number)) - constant;
      };
      const Index own = replica / copies;
      const ExchangeWeights& found = weights[static_cast<std::size_t>(replica)];
      EXPECT_NEAR(found.own, ln(own), 1e-10);
      EXPECT_NEAR(found.other, ln(pairs.partner(own)), 1e-10);
    }
  }
}

TEST(TrotterAverages, ExchangesOfGroupsAreExchangesOfTheirReplicas) {
  const SystemGraph graph = ring(3);
  const TrotterModel model(Device::cpu(2), graph,
                           {uneven_instance(graph, 1), uneven_instance(graph, 2)},
                           {.slices = 8, .copies = 21});
  TrotterState one(model), other(model);
  one.randomise(1);
  other.randomise(1);
  std::vector<GroupPair> pairs;
  for (const Index copy : {0, 2, 3, 7, 8, 20}) {
    one.exchange(copy, 21 + copy);
    const ReplicaPlace a = model.place(copy), b = model.place(21 + copy);
    if (pairs.empty() || pairs.back().one != a.group) pairs.push_back({a.group, b.group, 0});
    pairs.back().mask |= model.time().field_mask(a.field);
  }
  other.exchange(pairs);
  EXPECT_EQ(pairs.size(), 3u);
  EXPECT_EQ(one.save(), other.save());
  TrotterState before(model);
  before.randomise(1);
  EXPECT_NE(one.save(), before.save());
}

TEST(TrotterAverages, ExchangeOfReplicasMovesAllTheirSpins) {
  const SystemGraph graph = ring(3);
  const TrotterModel model(Device{}, graph, {uneven_instance(graph, 1), uneven_instance(graph, 2)},
                           {.slices = 8, .copies = 7});
  TrotterState state(model);
  state.randomise(1);
  const NumberedStates numbers(model);
  std::vector<std::uint64_t> before, after;
  for (Index r = 0; r < model.replicas(); ++r)
    before.push_back(numbers.number_of(state.host_words(), r));
  state.exchange(2, 9);
  for (Index r = 0; r < model.replicas(); ++r)
    after.push_back(numbers.number_of(state.host_words(), r));
  std::swap(before[2], before[9]);
  EXPECT_EQ(before, after);
}

/// Averages in the limit of many slices: two values differ by 15/16 of the error of the first, and
/// the next power is far below the errors of a simulation.
ExactTrotter quantum_averages(const SystemGraph& graph, const Instance& instance) {
  constexpr Index slices = 256;
  ExactTrotter coarse = exact_trotter(graph, instance, slices);
  const ExactTrotter fine = exact_trotter(graph, instance, 2 * slices);
  const auto limit = [](double& a, double b) { a = (4 * b - a) / 3; };
  limit(coarse.energy, fine.energy);
  limit(coarse.specific_heat, fine.specific_heat);
  limit(coarse.m2, fine.m2);
  limit(coarse.m4, fine.m4);
  limit(coarse.chi_zz, fine.chi_zz);
  for (std::size_t i = 0; i < coarse.sx.size(); ++i) {
    limit(coarse.sx[i], fine.sx[i]);
    limit(coarse.sz[i], fine.sz[i]);
  }
  std::vector<double> G, local;
  for (std::size_t k = 0; k <= 8; ++k) {
    // Sixteen equidistant times.
    G.push_back(coarse.G[k * slices / 16]);
    limit(G.back(), fine.G[k * slices / 8]);
    local.push_back(coarse.G_local[k * slices / 16]);
    limit(local.back(), fine.G_local[k * slices / 8]);
  }
  coarse.G = G;
  coarse.G_local = local;
  return coarse;
}

TEST(TrotterExtrapolation, OfExactValuesIsTheQuantumValue) {
  const SystemGraph graph = ring(3);
  const Instance instance = uneven_instance(graph, 1.5);
  const double exact = quantum_averages(graph, instance).energy;
  std::vector<SlicedValue> values;
  for (const Index slices : {16, 24, 32, 48, 64})
    values.push_back({instance.beta / static_cast<double>(slices),
                      exact_trotter(graph, instance, slices).energy, 1e-6});
  const Extrapolation second = extrapolate(values, Power::second);
  const Extrapolation fourth = extrapolate(values, Power::fourth);
  EXPECT_NEAR(fourth.value, exact, 3e-6);
  EXPECT_LT(fourth.chi2, 1);
  EXPECT_EQ(fourth.freedom, 2);
  // The errors are small enough to show the fourth power.
  EXPECT_GT(second.chi2, 100);
  EXPECT_NEAR(fourth.at(values[2].dtau), values[2].value, 1e-6);
  EXPECT_THROW(extrapolate(std::span(values).first(2), Power::fourth), InputError);
}

TEST(TrotterExtrapolation, HasErrorsThatCoverTheValue) {
  // Values of known distribution: distances from the true value have the variance 1.
  const RandomKey key{7, 0, Stream::perturbation};
  double squares = 0, chi2 = 0;
  constexpr int samples = 2000;
  for (int n = 0; n < samples; ++n) {
    std::vector<SlicedValue> values;
    for (int k = 0; k < 5; ++k) {
      const double dtau = 0.1 * (k + 1), error = 0.01 + 0.003 * k;
      double normal = -6;  // the sum of twelve uniform numbers has the variance 1
      for (std::uint64_t m = 0; m < 12; ++m)
        normal += uniform_32<double>(
            philox<std::uint64_t>(key, m, static_cast<std::uint64_t>(5 * n + k)).w[0]);
      values.push_back({dtau, 1 - 0.7 * dtau * dtau + error * normal, error});
    }
    const Extrapolation fit = extrapolate(values, Power::second);
    squares += std::pow((fit.value - 1) / fit.error, 2);
    chi2 += fit.chi2;
  }
  EXPECT_NEAR(squares / samples, 1, 4 * std::sqrt(2.0 / samples));
  EXPECT_NEAR(chi2 / samples, 3, 4 * std::sqrt(2 * 3.0 / samples));
}

TEST(GapFit, FindsTheGapOfTheTransferMatrix) {
  const SystemGraph graph = ring(4);
  const Instance instance = uniform_instance(graph, 20, 0.5, 1.2);
  constexpr Index slices = 80;
  const double dtau = instance.beta / slices;
  const ExactTrotter exact = exact_trotter(graph, instance, slices);
  // The lowest odd level in the field of no spin: the logarithm of two eigenvalues.
  const Eigen::VectorXd levels = TrotterMatrix(graph, instance, slices).values();
  const Index top = levels.size() - 1;
  const double gap = std::log(levels(top) / levels(top - 1)) / dtau;
  std::vector<CorrelationValue> G;
  for (std::size_t k = 0; k < exact.G.size(); ++k)
    G.push_back({dtau * static_cast<double>(k), exact.G[k], 1e-3 * exact.G[k]});
  EXPECT_NEAR(effective_gap(instance.beta, G[30], G[34]), gap, 1e-5);
  const GapFit fit = fit_gap(instance.beta, G, 5);
  EXPECT_NEAR(fit.gap, gap, 1e-3);
  EXPECT_LT(fit.chi2, 0.1);
  // Early times have contributions of higher levels.
  EXPECT_GT(effective_gap(instance.beta, G[0], G[1]), gap + 1e-3);
  EXPECT_EQ(fit.outcome, GapOutcome::found);
  EXPECT_THROW(fit_gap(instance.beta, G, 9.9), InputError);
  EXPECT_TRUE(std::isnan(effective_gap(instance.beta, G[4], G[3])));
}

TEST(GapFit, GivesNoNumberWithoutAGap) {
  // Values that grow, that have no errors, and one far above the rest, so that no step is small.
  std::vector<CorrelationValue> growing, known, wild;
  for (int k = 0; k <= 10; ++k) {
    const double tau = 0.5 * k, decay = std::cosh(0.8 * (5 - tau));
    growing.push_back({tau, 1 + tau, 0.1});
    known.push_back({tau, decay, 0});
    wild.push_back({tau, k == 0 || k == 10 ? decay : -1e6 * decay, 1e-3});
  }
  EXPECT_EQ(fit_gap(10, growing, 0).outcome, GapOutcome::no_decay);
  for (const auto& values : {known, wild}) {
    const GapFit fit = fit_gap(10, values, 0);
    EXPECT_EQ(fit.outcome, GapOutcome::no_convergence);
    EXPECT_TRUE(std::isnan(fit.gap));
    EXPECT_TRUE(std::isnan(fit.error));
  }
}

TEST(GapFit, AllowsNoiseAtLateTimes) {
  // The values of the second half are below their errors, and many are negative.
  constexpr double beta = 20, gap = 0.9;
  constexpr int samples = 500, times = 21;
  const RandomKey key{8, 0, Stream::perturbation};
  double sum = 0, squares = 0;
  for (int n = 0; n < samples; ++n) {
    std::vector<CorrelationValue> G;
    for (int k = 0; k < times; ++k) {
      double normal = -6;  // the sum of twelve uniform numbers has the variance 1
      for (std::uint64_t m = 0; m < 12; ++m)
        normal += uniform_32<double>(
            philox<std::uint64_t>(key, m, static_cast<std::uint64_t>(times * n + k)).w[0]);
      const double tau = 0.5 * k, error = 0.01;
      const double exact = std::cosh(gap * (beta / 2 - tau)) / std::cosh(gap * beta / 2);
      G.push_back({tau, exact + error * normal, error});
    }
    const GapFit fit = fit_gap(beta, G, 1);
    sum += (fit.gap - gap) / fit.error;
    squares += std::pow((fit.gap - gap) / fit.error, 2);
  }
  EXPECT_NEAR(sum / samples, 0, 4 / std::sqrt(1.0 * samples));
  EXPECT_NEAR(squares / samples, 1, 4 * std::sqrt(2.0 / samples));
}

TEST(TrotterOverlaps, OfIndependentCopiesAreProductsOfTheirAverages) {
  // Copies are independent: <q> = (1/N) sum_i <s_i>^2, and <q^2> of one slice has pairs of sites.
  const SystemGraph graph = ring(4);
  const Instance instance = uneven_instance(graph, 1.6);
  constexpr Index slices = 16, copies = 1024;
  const TrotterModel model(Device::cpu(2), graph, {instance}, {.slices = slices, .copies = copies});
  TrotterState state(model);
  state.randomise(3);
  TrotterSampler sampler(model, 17, UpdateCounter());
  sampler.line_sweep(state, 40);
  ReplicaMeans means(copies / 2);
  for (int n = 0; n < 40; ++n) {
    sampler.line_sweep(state, 2);
    const HostWords words = state.host_words();
    for (Index pair = 0; pair < copies / 2; ++pair) {
      const SliceMoments q = slice_moments(
          ReplicaSpins(model, words, 2 * pair).overlaps(ReplicaSpins(model, words, 2 * pair + 1)),
          graph.sites);
      means.add(pair, "q", q.m);
      means.add(pair, "q2", q.m2);
    }
    means.count_measurement();
  }
  const TrotterMatrix matrix(graph, instance, slices);
  double q = 0, q2 = 0;
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) {
      const double pair = matrix.mean(
          [&](Index x) { return TrotterMatrix::spin(x, i) * TrotterMatrix::spin(x, j); });
      q2 += pair * pair / 16;
      if (i == j) q += std::pow(matrix.mean([&](Index x) { return TrotterMatrix::spin(x, i); }), 2);
    }
  Distances distances;
  means.compare(distances, "copies", "q", q / 4);
  means.compare(distances, "copies", "q2", q2);
  EXPECT_LT(distances.largest(), 3.5) << distances.text();
}

ReplicaMeans simulated_lines(const ContinuousModel& model, Index equilibration,
                             Index measurements) {
  ContinuousState state(model);
  state.randomise(3);
  ContinuousSampler sampler(model, 5, UpdateCounter(), 2);
  sampler.sweep(state, equilibration);
  ReplicaMeans means(model.replicas());
  std::vector<std::uint32_t> words;
  for (Index n = 0; n < measurements; ++n) {
    sampler.sweep(state, 2);
    for (Index replica = 0; replica < model.replicas(); ++replica) {
      const TimeWords time = time_words(16);
      state.read_slices(replica, time, 0.37, words);
      measure_lines(means, replica, state, replica);
      measure_slices_of_lines(means, replica, model.system(),
                              ReplicaSpins({words.data(), time, model.sites(), 1}, 0, 0));
    }
    means.count_measurement();
  }
  return means;
}

TEST(ContinuousTime, HasTheAveragesOfTheQuantumSystem) {
  Distances distances;
  const SystemGraph one{1, {}};
  for (const SystemGraph& graph : {one, ring(2), ring(3), ring(4)}) {
    const Instance instance = uneven_instance(graph, 1.8);
    const ContinuousModel model(graph, {instance}, 512);
    compare(distances, simulated_lines(model, 60, 60), std::to_string(graph.sites) + " sites",
            instance, quantum_averages(graph, instance));
  }
  const double E = -0.9 * std::tanh(1.4 * 0.9);
  const ContinuousModel model(one, {uniform_instance(one, 1.4, 0, 0.9)}, 512);
  simulated_lines(model, 20, 60).compare(distances, "one spin", "E", E);
  expect_agreement(distances);
}

TEST(ContinuousTime, HasEqualBitsForAnyNumberOfThreadsAndResumes) {
  const SystemGraph graph = ring(5);
  const ContinuousModel model(graph, {uneven_instance(graph, 1), uneven_instance(graph, 3)}, 3);
  std::vector<std::vector<double>> saved;
  for (const int threads : {1, 3}) {
    ContinuousState state(model);
    state.randomise(2);
    UpdateCounter steps;
    ContinuousSampler(model, 9, steps, threads).sweep(state, 6);
    ContinuousState resumed(model);
    resumed.restore(state.save());
    ContinuousSampler(model, 9, steps, threads).sweep(resumed, 4);
    saved.push_back(resumed.save());
  }
  EXPECT_EQ(saved[0], saved[1]);
  ContinuousState whole(model);
  whole.randomise(2);
  ContinuousSampler(model, 9, UpdateCounter(), 1).sweep(whole, 10);
  EXPECT_EQ(whole.save(), saved[0]);
  std::vector<double> damaged = saved[0];
  damaged.pop_back();
  EXPECT_THROW(whole.restore(damaged), InputError);
  std::vector<double> before = whole.save();
  whole.exchange(1, 4);
  EXPECT_NE(whole.save(), before);
  whole.exchange(1, 4);
  EXPECT_EQ(whole.save(), before);
}

TEST(ContinuousTime, OfASiteWithoutATransverseFieldHasNoKinks) {
  const SystemGraph graph = ring(3);
  Instance instance = uneven_instance(graph, 1.5);
  instance.Gamma[1] = 0;
  ExactTrotter exact = quantum_averages(graph, instance);
  exact.sx[1] = 0;
  const ContinuousModel model(graph, {instance}, 512);
  Distances distances;
  compare(distances, simulated_lines(model, 60, 60), "rigid", instance, exact);
  expect_agreement(distances);
}

/// Instances that differ in temperature, transverse field and couplings.
std::vector<Instance> exchanged_instances(const SystemGraph& graph) {
  std::vector<Instance> instances;
  for (int n = 0; n < 3; ++n) {
    Instance instance = uneven_instance(graph, 1 + 0.4 * n);
    for (double& Gamma : instance.Gamma) Gamma *= 1 - 0.15 * n;
    for (double& J : instance.J) J *= 1 + 0.2 * n;
    instances.push_back(instance);
  }
  return instances;
}

TEST(InstanceExchange, KeepsTheDistributionOfEachInstance) {
  // Updates alternate with exchanges. Wrong weights would mix the distributions.
  const SystemGraph graph = ring(3);
  const std::vector<Instance> instances = exchanged_instances(graph);
  constexpr Index copies = 512, slices = 8;
  const TrotterModel model(Device::cpu(2), graph, instances, {.slices = slices, .copies = copies});
  TrotterState state(model);
  state.randomise(1);
  UpdateCounter steps;
  TrotterSampler sampler(model, 2, steps);
  TotalsOfReplicas totals(model);
  InstanceExchange exchange(3, copies, 3, 4, 2);
  const ContinuousModel lines(graph, instances, copies);
  ContinuousState line_state(lines);
  line_state.randomise(1);
  UpdateCounter line_steps;
  ContinuousSampler line_sampler(lines, 3, line_steps, 2);
  InstanceExchange line_exchange(3, copies, 3, 5, 2);
  std::vector<ReplicaMeans> means(6, ReplicaMeans(copies));
  constexpr int equilibration = 20, measurements = 60;
  for (int n = 0; n < equilibration + measurements; ++n) {
    sampler.line_sweep(state, 1);
    line_sampler.sweep(line_state, 1);
    for (const int parity : {0, 1}) {
      exchange.propose(state, totals, parity, steps);
      line_exchange.propose(line_state, parity, line_steps);
    }
    if (n < equilibration) continue;
    const HostWords words = state.host_words();
    for (Index replica = 0; replica < model.replicas(); ++replica) {
      const auto number = static_cast<std::size_t>(replica / copies);
      const Instance& instance = instances[number];
      const SliceSums sums = ReplicaSpins(model, words, replica).sums(graph);
      add_energy(means[number], replica % copies, energy_terms(instance, sums),
                 transverse_spins(instance, sums));
      const LineSums of_lines = line_state.sums(replica);
      add_energy(means[3 + number], replica % copies, energy_terms(instance, of_lines),
                 transverse_spins(instance, of_lines));
    }
    for (ReplicaMeans& of_instance : means) of_instance.count_measurement();
  }
  Distances distances;
  for (std::size_t n = 0; n < 3; ++n) {
    const ExactTrotter exact = exact_trotter(graph, instances[n], slices);
    const ExactTrotter quantum = quantum_averages(graph, instances[n]);
    const std::string label = "instance " + std::to_string(n);
    means[n].compare(distances, label, "E", exact.energy);
    means[n].compare_specific_heat(distances, label, instances[n].beta, exact.specific_heat);
    means[3 + n].compare(distances, label + " continuous", "E", quantum.energy);
    for (std::size_t i = 0; i < exact.sx.size(); ++i) {
      means[n].compare(distances, label, "sx" + std::to_string(i), exact.sx[i]);
      means[3 + n].compare(distances, label + " continuous", "sx" + std::to_string(i),
                           quantum.sx[i]);
    }
  }
  EXPECT_LT(distances.largest(), 3.8) << distances.text();
  EXPECT_LT(distances.mean_square(), 2) << distances.text();
  for (const double fraction : exchange.acceptance()) {
    EXPECT_GT(fraction, 0.3);
    EXPECT_LT(fraction, 0.99);
  }
  EXPECT_THROW(InstanceExchange(3, 1, 2, 1, 1), InputError);
}

}  // namespace larmor::trotter_tests
