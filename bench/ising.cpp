#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "bench/command.hpp"
#include "bench/timing.hpp"
#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::bench {
namespace {

constexpr Runs runs{.shortest = 0.05, .count = 20};

struct Case {
  std::vector<Index> size;
  Index replicas = 1;
  const char* update = "Metropolis";
  ising::Rule rule = ising::Rule::metropolis;
  bool random_signs = false;
};

std::string text_of(const Case& c) {
  std::string words;
  for (const Index n : c.size) words += (words.empty() ? "" : " x ") + std::to_string(n);
  return words + (c.replicas > 1 ? fmt::format(", {} replicas", c.replicas) : "");
}

/// k_B T / J near the transition of a ferromagnet.
double transition(std::size_t axes) {
  if (axes == 2) return 2 / std::log(1 + std::sqrt(2.0));
  return axes == 3 ? 4.5115 : 6.68;
}

std::vector<Case> cases_of(const Device& device) {
  constexpr ising::Rule bath = ising::Rule::heat_bath;
  if (device.backend == Backend::cpu)
    return {{{64, 64}, 64},
            {{2048, 2048}},
            {{4096, 4096}},
            {{4096, 4096}, 1, "heat bath", bath},
            {{4096, 4096}, 1, "Metropolis, +-J", ising::Rule::metropolis, true},
            {{256, 256, 256}},
            {{1024, 512, 32}},
            {{64, 64, 64, 64}}};
  return {{{64, 64}, 4096},
          {{2048, 2048}},
          {{4096, 4096}},
          {{16384, 16384}},
          {{65536, 65536}},
          {{16384, 16384}, 1, "heat bath", bath},
          {{16384, 16384}, 1, "Metropolis, +-J", ising::Rule::metropolis, true},
          {{256, 256, 256}},
          {{1024, 1024, 1024}},
          {{128, 128, 128, 128}}};
}

std::vector<Case> shared_cases(const Device& device) {
  if (device.backend == Backend::cpu) return {{{4096, 4096}}, {{256, 256, 256}}};
  Case glass{{16384, 16384}, 1, "Metropolis, +-J"};
  glass.random_signs = true;
  return {{{16384, 16384}}, glass, {{65536, 65536}}, {{1024, 1024, 1024}}};
}

/// Measurement of a grid that ranks share, or of a grid on one rank.
struct SharedRate {
  double seconds;                   ///< per sweep
  std::vector<std::int64_t> state;  ///< sums of the state after some sweeps from a random state
  std::string exchange;
};

/// @param sharing ranks that share the grid; if null, the root has the grid and the other ranks
/// wait
SharedRate rate_of_ranks(const Case& c, const Device& device, const Communicator& world,
                         const Communicator* sharing) {
  std::optional<ising::BitLattice> lattice;
  UpdateCounter steps;
  SharedRate rate{};
  if (sharing != nullptr || world.is_root()) {
    ising::Couplings couplings;
    couplings.random_signs = c.random_signs;
    lattice.emplace(ising::GridShape{c.size, {}}, couplings, c.replicas, 1, device, c.rule,
                    sharing);
    lattice->set_temperatures({c.random_signs ? 1.0 : transition(c.size.size())});
    lattice->randomise(1);
    lattice->sweep(20, steps);
    const ising::BitLattice::Sums sums = lattice->sums();
    rate.state = {sums.bonds[0], sums.spins[0]};
    rate.exchange = lattice->exchange_text();
  }
  const auto run = [&](Index sweeps) {
    if (lattice) lattice->sweep(sweeps, steps);
  };
  rate.seconds = best_seconds(device, run, runs, world);
  return rate;
}

/// Measures one grid that ranks share.
void bench_shared(const Device& device, BenchChoice& choice, const Communicator& world) {
  study::require_alike(world, device);
  if (world.is_root()) {
    fmt::print("One grid of Ising spins over {} ranks, at the transition of the ferromagnet, {}\n",
               world.size(), study::device_text(device));
    fmt::print(
        "one and all: us per sweep on one rank and on all ranks; bits: whether the sums of both "
        "runs are equal\n\n");
    fmt::print("{:<26} {:<22} {:>12} {:>12} {:>8} {:>10} {:>6}  {}\n", "size", "update", "one",
               "all", "strong", "flips/ns", "bits", "exchange");
  }
  for (const Case& c : shared_cases(device)) {
    const std::string name = text_of(c);
    if (!choice.wants(name)) continue;
    const SharedRate one = rate_of_ranks(c, device, world, nullptr);
    const SharedRate all = rate_of_ranks(c, device, world, &world);
    if (!world.is_root()) continue;
    double spins = 1;
    for (const Index n : c.size) spins *= static_cast<double>(n);
    fmt::print("{:<26} {:<22} {:>12.1f} {:>12.1f} {:>7.2f}x {:>10.2f} {:>6}  {}\n", name, c.update,
               1e6 * one.seconds, 1e6 * all.seconds, one.seconds / all.seconds,
               1e-9 * spins / all.seconds, one.state == all.state ? "same" : "OTHER", all.exchange);
    std::fflush(stdout);
  }
}

}  // namespace

void bench_ising(const Device& device, BenchChoice& choice, const Communicator& world) {
  if (world.size() > 1) return bench_shared(device, choice, world);
  fmt::print("Ising spins, a bit each, at the transition of the ferromagnet, {}\n",
             study::device_text(device));
  fmt::print("random: 32-bit random words drawn for 32 spins; sums: energy and magnetisation\n\n");
  fmt::print("{:<26} {:<22} {:>12} {:>10} {:>8} {:>13}\n", "size", "update", "us/sweep", "flips/ns",
             "random", "sums, spins/ns");
  for (const Case& c : cases_of(device)) {
    const std::string name = text_of(c);
    if (!choice.wants(name)) continue;
    ising::Couplings couplings;
    couplings.random_signs = c.random_signs;
    ising::BitLattice lattice({c.size, {}}, couplings, c.replicas, 1, device, c.rule);
    lattice.set_temperatures({c.random_signs ? 1.0 : transition(c.size.size())});
    UpdateCounter steps;
    lattice.sweep(20, steps);
    const double spins = static_cast<double>(lattice.sites() * c.replicas);
    std::string random = "-";
    if (device.backend == Backend::cpu) {
      lattice.count_random_words(true);
      lattice.sweep(1, steps);
      lattice.count_random_words(false);
      random = fmt::format("{:.2f}", 32 * static_cast<double>(lattice.random_words()) / spins);
    }
    const double of_sweep = best_seconds(
        device, [&](Index sweeps) { lattice.sweep(sweeps, steps); }, runs);
    constexpr int sums = 10;
    const auto sum_up = [&] {
      for (int n = 0; n < sums; ++n) lattice.sums();
    };
    const double of_sums = elapsed_seconds(sum_up) / sums;
    fmt::print("{:<26} {:<22} {:>12.1f} {:>10.2f} {:>8} {:>13.1f}\n", name, c.update,
               1e6 * of_sweep, 1e-9 * spins / of_sweep, random, 1e-9 * spins / of_sums);
    std::fflush(stdout);
  }
}

}  // namespace larmor::bench
