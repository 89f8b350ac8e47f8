// Speed of cluster updates of Ising and Potts states.

#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "bench/command.hpp"
#include "bench/timing.hpp"
#include "larmor/clusters/row_kernels.hpp"
#include "larmor/ising/clusters/cluster_update.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::ising;

/// Rate at which one thread draws the random words of the bonds, in sites a second.
double words_rate(Index sites, int axes) {
  const int words_shift = axes == 1 ? 0 : axes == 2 ? 1 : 2;
  const Index group = clusters::sites_of_group(words_shift);
  constexpr Index groups = 256;
  std::vector<std::uint8_t> bits(static_cast<std::size_t>(groups * group));
  RandomKey key{1, 0, Stream::cluster_bond};
  const Index whole = std::max(sites / (groups * group), Index{1});
  return best_rate(Device{}, whole * groups * group, [&] {
    ++key.step;
    for (Index n = 0; n < whole; ++n)
      clusters::bond_row_kernels().below(key, 0, words_shift, 1u << 31, n * groups, groups,
                                         bits.data());
  });
}

struct Case {
  const char* name;
  StateModel model;
  int states;
  std::vector<Index> lengths;
  std::vector<double> temperatures;
};

std::vector<Case> cases(const Device& device) {
  const double square = 2 / std::log(1 + std::sqrt(2.0));
  const std::vector<double> around{2.0, square, 2.5};
  const std::vector<double> potts{1 / std::log(1 + std::sqrt(3.0))};
  // Couplings at the transition: Ferrenberg, Xu, Landau, Phys. Rev. E 97, 043301 (2018).
  const std::vector<double> cubic{1 / 0.221654626};
  if (device.backend == Backend::cpu)
    return {{"Ising 1024^2", StateModel::ising, 2, {1024, 1024}, around},
            {"Potts q = 3, 512^2", StateModel::potts, 3, {512, 512}, potts},
            {"Ising 64^3", StateModel::ising, 2, {64, 64, 64}, cubic}};
  return {{"Ising 1024^2", StateModel::ising, 2, {1024, 1024}, around},
          {"Ising 4096^2", StateModel::ising, 2, {4096, 4096}, around},
          {"Ising 16384^2", StateModel::ising, 2, {16384, 16384}, around},
          {"Potts q = 3, 4096^2", StateModel::potts, 3, {4096, 4096}, potts},
          {"Ising 256^3", StateModel::ising, 2, {256, 256, 256}, cubic}};
}

/// Measurement of a grid that ranks share, or of a grid on one rank.
struct SharedRate {
  double seconds;  ///< per update
  std::vector<StateSums> state;
  std::string exchange;
};

/// @param sharing ranks that share the grid; if null, the root has the grid and the other ranks
/// wait
SharedRate rate_of_ranks(Index length, const Device& device, const Communicator& world,
                         const Communicator* sharing) {
  std::optional<ClusterUpdate> update;
  Array<std::uint8_t> states;
  std::uint64_t step = 0;
  SharedRate rate{};
  if (sharing != nullptr || world.is_root()) {
    const std::vector<double> coupling{1.0}, beta{std::log(1 + std::sqrt(2.0)) / 2};
    update.emplace(
        ClusterGraph::on_grid(StateModel::ising, 2, {{length, length}, {true, true}}, coupling), 1,
        1, device, 0, ClusterMethod::union_find, sharing);
    update->set_inverse_temperatures(beta);
    states = Array<std::uint8_t>(device, update->own_sites());
    constexpr int warm_up = 20;
    while (step < warm_up) update->swendsen_wang(states, step++);
    rate.state = update->measure(states);
    rate.exchange = update->exchange_text();
  }
  const auto run = [&](Index updates) {
    if (!update) return;
    for (Index n = 0; n < updates; ++n) update->swendsen_wang(states, step++);
  };
  rate.seconds = best_seconds(device, run, {}, world);
  return rate;
}

/// Measures one grid that ranks share.
void bench_shared(const Device& device, BenchChoice& choice, const Communicator& world) {
  study::require_alike(world, device);
  if (world.is_root()) {
    fmt::print("Swendsen-Wang updates of one Ising grid over {} ranks, at its transition, {}\n",
               world.size(), study::device_text(device));
    fmt::print(
        "one and all: us per update on one rank and on all ranks; bits: whether the sums of both "
        "runs are equal\n\n");
    fmt::print("{:<20} {:>12} {:>12} {:>8} {:>12} {:>6}  {}\n", "system", "one", "all", "strong",
               "Msite/s", "bits", "exchange");
  }
  const std::vector<Index> lengths = device.backend == Backend::cpu
                                         ? std::vector<Index>{1024, 4096}
                                         : std::vector<Index>{4096, 16384, 65536};
  for (const Index length : lengths) {
    const std::string name = fmt::format("Ising {}^2", length);
    if (!choice.wants(name)) continue;
    const SharedRate one = rate_of_ranks(length, device, world, nullptr);
    const SharedRate all = rate_of_ranks(length, device, world, &world);
    if (!world.is_root()) continue;
    fmt::print("{:<20} {:>12.1f} {:>12.1f} {:>7.2f}x {:>12.1f} {:>6}  {}\n", name,
               1e6 * one.seconds, 1e6 * all.seconds, one.seconds / all.seconds,
               1e-6 * static_cast<double>(length * length) / all.seconds,
               one.state == all.state ? "same" : "OTHER", all.exchange);
    std::fflush(stdout);
  }
}

}  // namespace

void bench_clusters(const Device& device, BenchChoice& choice, const Communicator& world) {
  if (world.size() > 1) return bench_shared(device, choice, world);
  const bool on_cpu = device.backend == Backend::cpu;
  fmt::print("Swendsen-Wang updates, periodic lattices, J = 1, {}\n", study::device_text(device));
  fmt::print("measured: the update also measures the sizes of all clusters\n");
  if (on_cpu)
    fmt::print("words: only the random words of the bonds, one thread\n\n");
  else
    fmt::print("labels: by label equivalence, the reference method\n\n");
  fmt::print("{:<20} {:>8} {:>12} {:>10} {:>12} {:>12}\n", "system", "T", "us/update", "Msite/s",
             "measured", on_cpu ? "words" : "labels");
  for (const Case& c : cases(device)) {
    if (!choice.wants(c.name)) continue;
    const std::vector<double> coupling{1.0};
    const ClusterGraph graph = ClusterGraph::on_grid(
        c.model, c.states, {c.lengths, std::vector<bool>(c.lengths.size(), true)}, coupling);
    for (const double temperature : c.temperatures) {
      const std::vector<double> beta{1 / temperature};
      Array<std::uint8_t> states(device, graph.sites());
      std::uint64_t step = 0;
      const auto rate = [&](ClusterMethod method, MeasureClusters measured) {
        ClusterUpdate update(graph, 1, 1, device, 0, method);
        update.set_inverse_temperatures(beta);
        // The updates start from the ordered state. The warm-up lasts until clusters of all sizes
        // exist.
        constexpr int warm_up = 20;
        while (step < warm_up) update.swendsen_wang(states, step++);
        return best_rate(device, graph.sites(),
                         [&] { update.swendsen_wang(states, step++, measured); });
      };
      const double plain = rate(ClusterMethod::union_find, MeasureClusters::no);
      const double measured = rate(ClusterMethod::union_find, MeasureClusters::sums);
      const double comparison = on_cpu
                                    ? words_rate(graph.sites(), static_cast<int>(c.lengths.size()))
                                    : rate(ClusterMethod::label_equivalence, MeasureClusters::no);
      fmt::print("{:<20} {:>8.4f} {:>12.1f} {:>10.1f} {:>12.1f} {:>12.1f}\n", c.name, temperature,
                 1e6 * static_cast<double>(graph.sites()) / plain, plain / 1e6, measured / 1e6,
                 comparison / 1e6);
    }
  }
}

}  // namespace larmor::bench
