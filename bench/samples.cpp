#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <vector>

#include "bench/command.hpp"
#include "bench/timing.hpp"
#include "larmor/ising/multispin/samples/bit_samples.hpp"
#include "larmor/ising/potts/potts_sampler.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::bench {
namespace {

constexpr Runs runs{.shortest = 0.01, .count = 50};
constexpr double thermal_energy = 1.1;  ///< k_B T / J, near the transition of the glass

struct Case {
  Index length, words;
  const char* update = "Metropolis";
  ising::Rule rule = ising::Rule::metropolis;
  bool same_signs = false;  ///< 64 samples at different temperatures, one for each word
};

std::vector<Case> cases_of(const Device& device) {
  constexpr ising::Rule bath = ising::Rule::heat_bath;
  const bool on_cpu = device.backend == Backend::cpu;
  const Index few = on_cpu ? 8 : 132, many = on_cpu ? 64 : 2112;
  return {{8, 1},
          {8, many},
          {12, many},
          {16, few},
          {16, many},
          {16, many, "heat bath", bath},
          {16, many, "Metropolis, same signs", ising::Rule::metropolis, true},
          {24, few},
          {32, few}};
}

/// Rate of the engine for arbitrary couplings on the graph of one sample, in updates a nanosecond.
double general_rate(const ising::SampleGraph& graph, const std::vector<std::int8_t>& signs,
                    const Device& device) {
  ising::PottsDefinition definition;
  definition.sites = graph.sites;
  definition.ising = true;
  for (std::size_t b = 0; b < signs.size(); ++b)
    definition.bonds.push_back({graph.bonds[b].i, graph.bonds[b].j, double(signs[b])});
  const Index replicas = device.backend == Backend::cpu ? 8 : 1024;
  const ising::PottsModel model(device, definition, replicas);
  const UpdateCounter steps;
  ising::PottsState state(model, steps);
  state.randomise(1);
  ising::PottsSampler sampler(model, ising::Rule::metropolis, 1);
  sampler.set_temperatures(std::vector<double>(static_cast<std::size_t>(replicas), thermal_energy));
  const double seconds = best_seconds(
      device, [&](Index sweeps) { sampler.run(state, sweeps); }, runs);
  return 1e-9 * static_cast<double>(graph.sites * replicas) / seconds;
}

}  // namespace

void bench_samples(const Device& device, BenchChoice& choice) {
  fmt::print("Edwards-Anderson spin glass of +-J bonds, 64 samples a word, k_B T = {} J, {}\n",
             thermal_energy, study::device_text(device));
  fmt::print("random: 32-bit random words drawn for 32 spins; sums: energy and magnetisation;\n");
  fmt::print(
      "overlaps: between two words, over sites and over bonds; general: the engine for any\n");
  fmt::print("couplings, which stores a spin in a byte, on the same graph of bonds\n\n");
  fmt::print("{:<18} {:<24} {:>11} {:>9} {:>7} {:>14} {:>18} {:>17}\n", "size", "update",
             "us/sweep", "flips/ns", "random", "sums, spins/ns", "overlaps, pairs/ns",
             "general, flips/ns");
  Index length_of_rate = 0;
  double rate = 0;
  for (const Case& c : cases_of(device)) {
    const std::string name =
        fmt::format("{}^3, {} word{}", c.length, c.words, c.words > 1 ? "s" : "");
    if (!choice.wants(name)) continue;
    const ising::SampleGraph graph = ising::grid_graph({{c.length, c.length, c.length}, {}});
    ising::SampleCouplings couplings{1, true, 1};
    if (c.same_signs) couplings.first_sample.assign(static_cast<std::size_t>(c.words), 0);
    ising::BitSamples samples(graph, couplings, c.words, 1, device, c.rule);
    samples.set_temperatures({thermal_energy});
    samples.randomise(1);
    UpdateCounter steps;
    samples.sweep(50, steps);
    const auto spins = static_cast<double>(samples.sites() * samples.samples());
    std::string random = "-";
    if (device.backend == Backend::cpu) {
      samples.count_random_words(true);
      samples.sweep(1, steps);
      samples.count_random_words(false);
      random = fmt::format("{:.2f}", 32 * static_cast<double>(samples.random_words()) / spins);
    }
    const double of_sweep = best_seconds(
        device, [&](Index sweeps) { samples.sweep(sweeps, steps); }, runs);
    std::vector<ising::WordPair> pairs;
    for (Index word = 0; word < c.words; ++word) pairs.push_back({word, (word + 1) % c.words});
    const auto sum_up = [&](Index calls) {
      for (Index n = 0; n < calls; ++n) samples.sums();
    };
    const double of_sums = best_seconds(device, sum_up, runs);
    const auto overlap = [&](Index calls) {
      for (Index n = 0; n < calls; ++n) samples.overlaps(pairs);
    };
    const double of_overlaps = best_seconds(device, overlap, runs);
    if (c.length != length_of_rate) rate = general_rate(graph, samples.bond_signs(0, 0), device);
    length_of_rate = c.length;
    fmt::print("{:<18} {:<24} {:>11.1f} {:>9.2f} {:>7} {:>14.1f} {:>18.1f} {:>17.3f}\n", name,
               c.update, 1e6 * of_sweep, 1e-9 * spins / of_sweep, random, 1e-9 * spins / of_sums,
               1e-9 * spins / of_overlaps, rate);
    std::fflush(stdout);
  }
}

}  // namespace larmor::bench
