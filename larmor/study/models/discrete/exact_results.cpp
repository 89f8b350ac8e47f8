#include <fmt/core.h>

#include <cmath>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/ising/clusters/cluster_update.hpp"
#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "larmor/ising/potts/potts_sampler.hpp"
#include "larmor/ising/potts/potts_sums.hpp"
#include "larmor/ising/torus.hpp"
#include "larmor/study/models/discrete/discrete_model_kind.hpp"

namespace larmor::study {
namespace {

constexpr Index discrete_replicas = 32;
constexpr std::uint64_t discrete_seed = 20241119;
constexpr Index discrete_discarded = 400;

struct NamedRule {
  const char* name;
  ising::Rule rule;
};
constexpr NamedRule rules[] = {{"Metropolis", ising::Rule::metropolis},
                               {"Glauber", ising::Rule::glauber},
                               {"heat bath", ising::Rule::heat_bath}};

/// @param update makes a sweep @param energies per site, for all replicas
Measured mean_energy(Index samples, const std::function<void()>& update,
                     const std::function<std::vector<double>()>& energies) {
  for (Index n = 0; n < discrete_discarded; ++n) update();
  std::vector<double> series;
  for (Index n = 0; n < samples; ++n) {
    update();
    const std::vector<double> now = energies();
    series.insert(series.end(), now.begin(), now.end());
  }
  const Estimate estimate = estimate_replicas(series, discrete_replicas);
  return {estimate.value, estimate.error};
}

/// Ising spins of a grid, with a bit for each.
Measured energy_of_bits(const ising::GridShape& shape, double temperature, ising::Rule rule,
                        const Device& device, Index samples) {
  ising::BitLattice lattice(shape, {}, discrete_replicas, discrete_seed, device, {rule});
  lattice.set_temperatures({temperature});
  lattice.randomise(discrete_seed);
  UpdateCounter step;
  return mean_energy(
      samples, [&] { lattice.sweep(2, step); },
      [&] {
        std::vector<double> energies;
        for (const std::int64_t sum : lattice.bond_sums())
          energies.push_back(-static_cast<double>(sum) / static_cast<double>(lattice.sites()));
        return energies;
      });
}

Measured energy_by_clusters(ising::StateModel model, int states, const ising::RegularGrid& grid,
                            double temperature, Index wolff, const Device& device, Index samples) {
  const std::vector<double> coupling{1.0};
  ising::ClusterUpdate clusters(ising::ClusterGraph::on_grid(model, states, grid, coupling),
                                discrete_replicas, discrete_seed, device);
  const std::vector<double> beta(discrete_replicas, 1 / temperature);
  clusters.set_inverse_temperatures(beta);
  Array<std::uint8_t> spins(device, discrete_replicas * clusters.graph().sites());
  UpdateCounter step;
  return mean_energy(
      samples,
      [&] {
        if (wolff == 0) {
          clusters.swendsen_wang(spins, step++);
        } else {
          clusters.wolff(spins, step, wolff);
          step += static_cast<std::uint64_t>(wolff);
        }
      },
      [&] {
        std::vector<double> energies;
        for (const ising::StateSums& sums : clusters.measure(spins))
          energies.push_back(clusters.graph().energy(sums.satisfied) /
                             static_cast<double>(clusters.graph().sites()));
        return energies;
      });
}

ising::PottsDefinition open_chain(bool is_ising, int states, Index length) {
  ising::PottsDefinition definition;
  definition.sites = length;
  definition.ising = is_ising;
  definition.states = states;
  for (Index i = 0; i + 1 < length; ++i) definition.bonds.push_back({i, i + 1, 1});
  return definition;
}

ising::PottsDefinition ising_ring(Index length) {
  ising::PottsDefinition definition = open_chain(true, 2, length);
  definition.bonds.push_back({length - 1, 0, 1});
  return definition;
}

/// A torus of 2 x 2 sites, where two bonds join any two neighbours.
ising::PottsDefinition ising_torus_2_2() {
  ising::PottsDefinition definition = ising_ring(4);
  const std::vector<lattice::CoupledPair> once = definition.bonds;
  definition.bonds.insert(definition.bonds.end(), once.begin(), once.end());
  return definition;
}

/// Energy per site from the engine for any graph.
Measured energy_of_graph(const ising::PottsDefinition& definition, double temperature,
                         ising::Rule rule, const Device& device, Index samples) {
  const ising::PottsModel model(device, definition, discrete_replicas);
  ising::PottsState state(model, UpdateCounter());
  state.randomise(discrete_seed);
  ising::PottsSampler sampler(model, rule, discrete_seed);
  sampler.set_temperatures(std::vector<double>(discrete_replicas, temperature));
  ising::PottsSums sums(model);
  return mean_energy(
      samples, [&] { sampler.run(state, 2); },
      [&] {
        const std::vector<double> numbers = sums.begin(state).take();
        const std::vector<double> fields = model.fields_async().take();
        const ising::EnergyOfReplica energy = model.energy_of_replica(fields);
        std::vector<double> energies;
        for (Index replica = 0; replica < discrete_replicas; ++replica)
          energies.push_back(energy(numbers.data() + replica * (1 + model.states()), replica) /
                             static_cast<double>(model.sites()));
        return energies;
      });
}

}  // namespace

std::vector<ExactResult> exact_ising() {
  constexpr Index length = 10;
  constexpr int side = 64, small_side = 16;
  const double disordered = 3, critical = 2 / std::log(1 + std::sqrt(2.0)), low = 1.5;
  const double t = std::tanh(1 / low);
  const double of_ring = -(t + std::pow(t, length - 1)) / (1 + std::pow(t, length));
  // Among 16 states, two have the energy -8, two have 8, and twelve have 0.
  const double x = 8 / disordered;
  const double of_small_torus = -2 * std::sinh(x) / (std::cosh(x) + 3);
  std::vector<ExactResult> results;
  for (const NamedRule& named_rule : rules) {
    results.push_back(
        {fmt::format("Ising torus, Kaufman ({}, a bit a spin)", named_rule.name),
         ising::torus_energy(side, disordered), true, [=](const Device& device, Index samples) {
           return energy_of_bits({{side, side}, {}}, disordered, named_rule.rule, device, samples);
         }});
    results.push_back({fmt::format("open Ising chain ({})", named_rule.name),
                       -(length - 1.0) / length * std::tanh(1 / low), true,
                       [=](const Device& device, Index samples) {
                         return energy_of_graph(open_chain(true, 2, length), low, named_rule.rule,
                                                device, samples);
                       }});
    results.push_back({fmt::format("Ising ring ({})", named_rule.name), of_ring, true,
                       [=](const Device& device, Index samples) {
                         return energy_of_graph(ising_ring(length), low, named_rule.rule, device,
                                                samples);
                       }});
    results.push_back({fmt::format("2 x 2 Ising torus ({})", named_rule.name), of_small_torus, true,
                       [=](const Device& device, Index samples) {
                         return energy_of_graph(ising_torus_2_2(), disordered, named_rule.rule,
                                                device, samples);
                       }});
  }
  for (const Index wolff : {Index{0}, Index{5}})
    results.push_back(
        {fmt::format("critical Ising torus, Kaufman ({})", wolff == 0 ? "Swendsen-Wang" : "Wolff"),
         ising::torus_energy(small_side, critical), true, [=](const Device& device, Index samples) {
           return energy_by_clusters(ising::StateModel::ising, 2,
                                     {{small_side, small_side}, {true, true}}, critical, wolff,
                                     device, samples);
         }});
  return results;
}

std::vector<ExactResult> exact_potts() {
  constexpr Index length = 10;
  constexpr int states = 3;
  const double temperature = 0.7;
  // Each bond of an open chain is satisfied independently of all other bonds.
  const double weight = std::exp(1 / temperature);
  const double exact = -(length - 1.0) / length * weight / (weight + states - 1);
  std::vector<ExactResult> results;
  for (const NamedRule& named_rule : rules)
    results.push_back({fmt::format("open Potts chain, q = 3 ({})", named_rule.name), exact, true,
                       [=](const Device& device, Index samples) {
                         return energy_of_graph(open_chain(false, states, length), temperature,
                                                named_rule.rule, device, samples);
                       }});
  for (const Index wolff : {Index{0}, Index{5}})
    results.push_back(
        {fmt::format("open Potts chain, q = 3 ({})", wolff == 0 ? "Swendsen-Wang" : "Wolff"), exact,
         true, [=](const Device& device, Index samples) {
           return energy_by_clusters(ising::StateModel::potts, states, {{length}, {false}},
                                     temperature, wolff, device, samples);
         }});
  return results;
}

}  // namespace larmor::study
