// larmor bench scaling: what several ranks gain over one, measured in the same run.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "cli/bench_systems.hpp"
#include "cli/commands.hpp"
#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/ranks.hpp"

namespace larmor::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int repeats = 5;

/// Work on the spins of a system, so many steps or sweeps of it.
using Work = std::function<void(spins::SpinState& state, Index steps)>;
using MakeWork = Work (*)(study::SpinSystem& system, const Constants& constants);

Work iron_steps(study::SpinSystem& system, const Constants& constants) {
  spins::IntegratorSettings settings;
  settings.timestep = 1e-4;
  settings.gyromagnetic_ratio = constants.gamma() / constants.mu_B;
  settings.damping = {0.1};
  auto integrator = std::make_shared<spins::Integrator>(system.model, system.state.layout(),
                                                        settings, system.device);
  integrator->set_temperatures({constants.k_B * 300});
  return [integrator](spins::SpinState& state, Index steps) { integrator->run(state, steps); };
}

Work heat_bath_sweeps(study::SpinSystem& system, const Constants&) {
  spins::SamplerSettings settings;
  settings.update = spins::Update::heat_bath;
  const SpinLayout& layout = system.state.layout();
  auto sampler = std::make_shared<spins::Sampler>(
      system.model, settings, 1,
      ReplicaShare{layout.first_replica, layout.replicas, layout.study_replicas()}, system.device);
  sampler->set_temperatures({1.5});
  return [sampler](spins::SpinState& state, Index sweeps) { sampler->run(state, sweeps); };
}

struct Case {
  const char* name;
  study::SystemTables (*tables)(Index length, Index replicas);
  MakeWork work;
  Index length;
};

/// Spin updates a second of the ranks that take part, each with `replicas`; the slowest counts.
/// The same number on every rank. @param sharing the ranks that share the lattice; null: none do
double rate_of(const Case& c, const Device& device, const Communicator& world,
               const ReplicaShare& replicas, bool takes_part, double updates_a_step,
               const Communicator* sharing = nullptr) {
  const study::SystemTables tables = c.tables(c.length, replicas.all);
  std::optional<study::SpinSystem> system;
  Work work;
  if (takes_part) {
    system.emplace(tables, device, study::build_geometry(tables), replicas, sharing);
    system->state.set_uniform({0.6, 0, 0.8});
    work = c.work(*system, tables.context.constants);
  }
  const auto seconds = [&](Index steps) {
    world.maximum({0});  // all begin together
    const auto start = Clock::now();
    if (takes_part) {
      work(system->state, steps);
      synchronise(device);
    }
    return world.maximum({std::chrono::duration<double>(Clock::now() - start).count()})[0];
  };
  seconds(1);
  Index steps = 1;
  while (seconds(steps) < 0.1) steps *= 2;
  double best = 1e300;
  for (int repeat = 0; repeat < repeats; ++repeat) best = std::min(best, seconds(steps));
  return updates_a_step * static_cast<double>(steps) / best;
}

void measure(const Case& c, const Device& device, const Communicator& world) {
  constexpr Index of_rank = lane_count;
  const Index all = of_rank * world.size();
  const study::SystemTables tables = c.tables(c.length, 1);
  const auto spins = static_cast<double>(study::build_geometry(tables).spins());
  const bool root = world.is_root();
  const auto of_all = spins * static_cast<double>(all);
  const double small =
      rate_of(c, device, world, {of_rank}, root, spins * static_cast<double>(of_rank));
  const double whole = rate_of(c, device, world, {all}, root, of_all);
  const double shared = rate_of(c, device, world, study::Ranks(world, all).share(), true, of_all);
  if (!root) return;
  const std::string name = fmt::format("{}, {}", c.name, size_words(c.length, 3, all));
  fmt::print("{:<38} {:>5} {:>14.1f} {:>14.1f} {:>7.2f}x {:>7.2f}x\n", name, world.size(),
             whole / 1e6, shared / 1e6, shared / whole, shared / small);
}

/// One lattice, one replica.
void measure_lattice(const Case& c, const Device& device, const Communicator& world) {
  const study::SystemTables tables = c.tables(c.length, 1);
  const auto spins = static_cast<double>(study::build_geometry(tables).spins());
  const double whole = rate_of(c, device, world, {1}, world.is_root(), spins);
  const double shared = rate_of(c, device, world, {1}, true, spins, &world);
  if (!world.is_root()) return;
  fmt::print("{:<38} {:>5} {:>14.1f} {:>14.1f} {:>7.2f}x\n",
             fmt::format("{}, {}", c.name, size_words(c.length, 3, 1)), world.size(), whole / 1e6,
             shared / 1e6, shared / whole);
}

}  // namespace

void bench_scaling(const study::DeviceOverrides& chosen, const std::string& only,
                   const Communicator& world) {
  study::DeviceOverrides own = chosen;
  own.rank_on_node = world.rank_on_node();
  own.ranks_on_node = world.size_on_node();
  const Device device = study::device_of(own);
  if (world.is_root()) {
    fmt::print("Replicas over ranks, eight a rank, and one lattice over ranks, on {}\n",
               study::device_words(device));
    fmt::print(
        "strong: all replicas on one rank against the same on all ranks; weak: eight on one "
        "rank against eight on each\n\n");
    fmt::print("{:<38} {:>5} {:>14} {:>14} {:>8} {:>8}\n", "system", "ranks", "one, M/s",
               "all, M/s", "strong", "weak");
  }
  const bool on_gpu = device.backend == Backend::cuda;
  for (const Case& c : {Case{"bcc Fe, Depondt, 300 K", iron_tables, iron_steps, on_gpu ? 64 : 8},
                        Case{"sc, heat bath", cubic_tables, heat_bath_sweeps, on_gpu ? 128 : 16}})
    if (std::string(c.name).find(only) != std::string::npos) measure(c, device, world);
  if (on_gpu || world.size() == 1) return;
  for (const Case& c : {Case{"bcc Fe, Depondt, 300 K", iron_tables, iron_steps, 48},
                        Case{"sc, heat bath", cubic_tables, heat_bath_sweeps, 96}})
    if (std::string(c.name).find(only) != std::string::npos) measure_lattice(c, device, world);
}

}  // namespace larmor::cli
