// larmor bench: speed beside its floor, measured in the same run.

#include <fmt/core.h>

#include <chrono>
#include <functional>

#include "cli/commands.hpp"
#include "larmor/core/error.hpp"
#include "larmor/spins/integrators/rk4.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/system.hpp"

namespace larmor::cli {
namespace {

/// Simple-cubic Heisenberg ferromagnet.
study::SystemTables cubic_tables(Index length, Index replicas) {
  return study::parse_system(
      fmt::format("replicas = {1}\n[lattice]\ntype = 'sc'\nsize = [{0}, {0}, {0}]\n[[exchange]]\n"
                  "shell = 1\nJ = 1\n",
                  length, replicas),
      "bench");
}

/// Best rate, in spin updates a second, of several runs of about a third of a second.
double best_rate(const study::SpinSystem& system, const std::function<void(Index sweeps)>& run) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [&](Index sweeps) {
    const auto start = Clock::now();
    run(sweeps);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  Index sweeps = 1;
  while (seconds(sweeps) < 0.1) sweeps *= 2;
  sweeps *= 3;
  const double updates = static_cast<double>(sweeps) *
                         static_cast<double>(system.geometry.sites()) *
                         static_cast<double>(system.state.layout().replicas);
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) best = std::max(best, updates / seconds(sweeps));
  return best;
}

/// The least a sweep can do: read every spin and its neighbours, write a vector.
double field_rate(study::SpinSystem& system) {
  const spins::ModelView model = system.model.view(system.state.layout().replicas);
  Array<double> field(system.device, system.state.layout().doubles());
  return best_rate(system, [&](Index sweeps) {
    for (Index n = 0; n < sweeps; ++n)
      spins::spin_kernels().effective_field(system.device, model, system.state.data(),
                                            field.data());
  });
}

void bench_monte_carlo(int threads) {
  fmt::print(
      "Monte Carlo, simple cubic Heisenberg, T = 1.5 J (just above its transition), double, {} "
      "thread(s), x86-64-{}\n",
      threads, cpu_instruction_set());
  fmt::print("floor: the sum over neighbours alone (reads 7 spins, writes 1)\n\n");
  fmt::print("{:>6} {:>9}  {:<28} {:>12} {:>12} {:>7}\n", "L", "replicas", "update", "M updates/s",
             "floor M/s", "share");
  struct Case {
    const char* name;
    spins::Update update;
    bool adaptive;
  };
  for (const auto& [length, replicas] :
       {std::pair<Index, Index>{16, 8}, {16, 1}, {32, 8}, {64, 1}}) {
    study::SpinSystem system(cubic_tables(length, replicas), Device::cpu(threads));
    system.state.randomise(1);
    const double floor = field_rate(system);
    for (const Case& c : {Case{"Metropolis, sphere", spins::Update::metropolis, false},
                          Case{"Metropolis, adaptive cone", spins::Update::metropolis, true},
                          Case{"heat bath", spins::Update::heat_bath, false},
                          Case{"over-relaxation", spins::Update::over_relaxation, false}}) {
      spins::SamplerSettings settings;
      settings.update = c.update;
      settings.adaptive_cone = c.adaptive;
      spins::Sampler sampler(system.model, settings, 1, replicas);
      sampler.set_temperatures(std::vector<double>(static_cast<std::size_t>(replicas), 1.5));
      for (int round = 0; round < 5; ++round) sampler.tune(system.state, 5);
      const double rate =
          best_rate(system, [&](Index sweeps) { sampler.run(system.state, sweeps); });
      fmt::print("{:>6} {:>9}  {:<28} {:>12.1f} {:>12.1f} {:>6.0f}%\n", length, replicas, c.name,
                 rate / 1e6, floor / 1e6, 100 * rate / floor);
    }
  }
  fmt::print("\nstate: 24 bytes a spin and replica (tables apart)\n");
}

void bench_rk4(int threads) {
  fmt::print("Landau-Lifshitz, RK4, simple cubic, double, {} thread(s), x86-64-{}\n", threads,
             cpu_instruction_set());
  fmt::print("floor: four sums over neighbours a step, nothing else\n\n");
  fmt::print("{:>6} {:>9} {:>16} {:>14} {:>8}\n", "L", "replicas", "M spin-steps/s", "floor M/s",
             "ratio");
  for (const auto& [length, replicas] :
       {std::pair<Index, Index>{8, 8}, {16, 8}, {16, 1}, {32, 8}}) {
    study::SpinSystem system(cubic_tables(length, replicas), Device::cpu(threads));
    system.state.randomise(1);
    const double floor = field_rate(system) / 4;
    spins::Rk4 integrator(system.model, system.state.layout(), 0.01, 1.0, system.device);
    const double rate =
        best_rate(system, [&](Index steps) { integrator.run(system.state, steps); });
    fmt::print("{:>6} {:>9} {:>16.1f} {:>14.1f} {:>8.2f}\n", length, replicas, rate / 1e6,
               floor / 1e6, floor / rate);
  }
  fmt::print("\nstate: 96 bytes a spin and replica (tables apart)\n");
}

}  // namespace

int bench(const std::string& name, int threads) {
  const int team = threads > 0 ? threads : 1;
  if (name == "mc") {
    bench_monte_carlo(team);
  } else if (name == "rk4") {
    bench_rk4(team);
  } else {
    throw InputError("there is no benchmark '" + name + "'", "there are mc and rk4");
  }
  return 0;
}

}  // namespace larmor::cli
