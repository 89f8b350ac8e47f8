// Speed of updates of transverse-field Ising models with slices of imaginary time.

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <vector>

#include "bench/command.hpp"
#include "bench/timing.hpp"
#include "larmor/trotter/continuous_time.hpp"
#include "larmor/trotter/trotter_sampler.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::trotter;

constexpr double beta = 4, transverse_field = 2;

SystemGraph square_torus(int length) {
  SystemGraph graph{Index{length} * length, {}};
  for (int y = 0; y < length; ++y)
    for (int x = 0; x < length; ++x) {
      graph.bonds.push_back({x + length * y, (x + 1) % length + length * y});
      graph.bonds.push_back({x + length * y, x + length * ((y + 1) % length)});
    }
  return graph;
}

enum class Bonds { equal, signs, uneven };

const char* text_of(Bonds bonds) {
  return bonds == Bonds::equal ? "J" : bonds == Bonds::signs ? "+-J" : "uneven J";
}

/// @param samples number of disorder samples, each with its own bonds
std::vector<Instance> instances_of(const SystemGraph& graph, Bonds bonds, Index samples) {
  std::vector<Instance> instances;
  for (Index n = 0; n < samples; ++n) {
    const auto sites = static_cast<std::size_t>(graph.sites);
    Instance instance{beta, std::vector<double>(graph.bonds.size(), 1),
                      std::vector<double>(sites, transverse_field), std::vector<double>(sites, 0)};
    for (std::size_t b = 0; b < instance.J.size(); ++b) {
      const double wave = std::sin(2.1 * static_cast<double>(b) + static_cast<double>(n));
      if (bonds == Bonds::signs) instance.J[b] = wave < 0 ? -1 : 1;
      if (bonds == Bonds::uneven) instance.J[b] = 1 + 0.5 * wave;
    }
    instances.push_back(instance);
  }
  return instances;
}

struct SlicedCase {
  int length;
  Index slices, samples, copies;
  Bonds bonds;
};

std::vector<SlicedCase> sliced_cases(const Device& device) {
  if (device.backend == Backend::cuda)
    return {{1024, 64, 1, 1, Bonds::equal},  {2048, 128, 1, 1, Bonds::equal},
            {32, 64, 4224, 1, Bonds::equal}, {16, 64, 8448, 1, Bonds::signs},
            {64, 64, 1056, 1, Bonds::signs}, {16, 64, 4224, 1, Bonds::uneven},
            {512, 64, 1, 1, Bonds::uneven}};
  return {{32, 64, 1, 1, Bonds::equal},
          {32, 64, 1, 16, Bonds::equal},
          {16, 64, 64, 1, Bonds::signs},
          {16, 16, 64, 4, Bonds::signs},
          {16, 64, 16, 1, Bonds::uneven}};
}

double flips_per_ns(const Device& device, double spins, const std::function<void()>& update) {
  return 1e-9 * spins * best_rate(device, 1, update);
}

}  // namespace

void bench_trotter(const Device& device, BenchChoice& choice) {
  fmt::print("Transverse-field Ising model of the square torus, beta = {}, Gamma = {}, {}\n", beta,
             transverse_field, study::device_text(device));
  fmt::print("flips/ns: spins of all slices times sweeps; local: Metropolis; lines: pieces of\n");
  fmt::print("world lines between cuts; continuous: us for the world line of a site\n\n");
  fmt::print("{:<44} {:>10} {:>16} {:>16} {:>16}\n", "system", "spins", "local, flips/ns",
             "lines, flips/ns", "continuous, us");
  for (const SlicedCase& of : sliced_cases(device)) {
    const std::string name = fmt::format("{}^2 x {} slices, {}, {} samples x {}", of.length,
                                         of.slices, text_of(of.bonds), of.samples, of.copies);
    if (!choice.wants(name)) continue;
    const SystemGraph graph = square_torus(of.length);
    const std::vector<Instance> instances = instances_of(graph, of.bonds, of.samples);
    const TrotterModel model(device, graph, instances, {.slices = of.slices, .copies = of.copies});
    TrotterState state(model);
    state.randomise(1);
    TrotterSampler sampler(model, 1, UpdateCounter());
    const TrotterModel line_model(
        device, graph, instances,
        {.slices = of.slices, .copies = of.copies, .has_local_updates = false});
    TrotterState line_state(line_model);
    line_state.randomise(1);
    TrotterSampler line_sampler(line_model, 1, UpdateCounter());
    const auto spins = static_cast<double>(model.replicas() * graph.sites * of.slices);
    constexpr Index sweeps = 16;
    const double local =
        flips_per_ns(device, spins * sweeps, [&] { sampler.sweep(state, sweeps); });
    const double lines =
        flips_per_ns(device, spins, [&] { line_sampler.line_sweep(line_state, 1); });
    std::string continuous;
    if (device.backend == Backend::cpu) {
      const ContinuousModel in_time(graph, instances, of.copies);
      ContinuousState state_in_time(in_time);
      ContinuousSampler sampler_in_time(in_time, 1, UpdateCounter(), device.threads);
      sampler_in_time.sweep(state_in_time, 4);
      continuous =
          fmt::format("{:.3f}", 1e6 / best_rate(device, in_time.replicas() * graph.sites,
                                                [&] { sampler_in_time.sweep(state_in_time, 1); }));
    }
    fmt::print("{:<44} {:>10.3g} {:>16.3f} {:>16.3f} {:>16}\n", name, spins, local, lines,
               continuous);
  }
}

}  // namespace larmor::bench
