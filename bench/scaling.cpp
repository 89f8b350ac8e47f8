// larmor bench scaling: measures the speed-up of several ranks over one in the same run.

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "bench/command.hpp"
#include "bench/communication_model.hpp"
#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/model_kind/ranks.hpp"

namespace larmor::bench {
namespace {

/// Runs steps or sweeps of a system.
using Work = std::function<void(spins::SpinState& state, Index steps)>;
using MakeWork = Work (*)(study::SpinSystem& system, const SpinLayout& layout,
                          const Constants& constants);

Work depondt_steps(study::SpinSystem& system, const SpinLayout& layout,
                   const spins::IntegratorSettings& settings, double thermal_energy) {
  auto integrator =
      std::make_shared<spins::Integrator>(system.model, layout, settings, system.device);
  integrator->set_temperatures({thermal_energy});
  return [integrator](spins::SpinState& state, Index steps) { integrator->run(state, steps); };
}

Work iron_steps(study::SpinSystem& system, const SpinLayout& layout, const Constants& constants) {
  spins::IntegratorSettings settings;
  settings.timestep = 1e-4;
  settings.gyromagnetic_ratio = constants.gamma() / constants.mu_B;
  settings.damping = {0.1};
  return depondt_steps(system, layout, settings, constants.k_B * 300);
}

Work cubic_steps(study::SpinSystem& system, const SpinLayout& layout, const Constants&) {
  spins::IntegratorSettings settings;
  settings.timestep = 0.01;
  settings.damping = {0.1};
  return depondt_steps(system, layout, settings, 0.5);
}

Work heat_bath_sweeps(study::SpinSystem& system, const SpinLayout& layout, const Constants&) {
  spins::SamplerSettings settings;
  settings.update = spins::Update::heat_bath;
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
  int exchanges = 2;         ///< exchanges of halos in a step or sweep
  double halos = 2;          ///< whole halos sent in one step or sweep
  bool is_modelled = false;  ///< whether to predict more ranks
};

/// Steps or sweeps a second of work in which this rank may take part. Every rank makes an equal
/// number of steps, and the time of the slowest rank counts.
double steps_a_second(const Work& work, study::SpinSystem* system, const Device& device,
                      const Communicator& world) {
  const auto run = [&](Index steps) {
    if (system != nullptr) work(system->state, steps);
  };
  return 1 / best_seconds(device, run, {}, world);
}

/// Spin updates a second of the ranks that take part, each with `replicas` replicas.
double rate_of(const Case& c, const Device& device, const Communicator& world,
               const ReplicaShare& replicas, bool takes_part, double updates_a_step) {
  const study::SystemTables tables = c.tables(c.length, replicas.all);
  std::optional<study::SpinSystem> system;
  Work work;
  if (takes_part) {
    system.emplace(tables, device, study::build_geometry(tables), replicas);
    system->state.set_uniform({0.6, 0, 0.8});
    work = c.work(*system, system->state.layout(), tables.context.constants);
  }
  return updates_a_step * steps_a_second(work, system ? &*system : nullptr, device, world);
}

/// Time of an exchange of halos by all ranks, without other work.
Exchange exchange_of(study::SpinSystem& system, const Communicator& world) {
  const SpinLayout& layout = system.state.layout();
  const Domain& domain = *layout.domain;
  const SiteRange sites{0, layout.spins()};
  const Work exchanges = [&](spins::SpinState& state, Index steps) {
    for (Index step = 0; step < steps; ++step) {
      domain.fork(domain.context);
      domain.exchange(domain.context, state.reals(), {&sites, 1}, 0, layout.blocks());
      domain.join(domain.context);
    }
  };
  return {static_cast<double>(system.slabs->halo_bytes()),
          1 / steps_a_second(exchanges, &system, system.device, world)};
}

/// Rates of ranks that share one lattice.
struct SharedRates {
  double rate, without_exchange;
  std::string words;  ///< transport of halos
  Exchange exchange;  ///< exchange of a whole halo
};

SharedRates rates_of_sharing(const Case& c, const Device& device, const Communicator& world,
                             double updates_a_step) {
  const study::SystemTables tables = c.tables(c.length, 1);
  study::SpinSystem system(tables, device, study::build_geometry(tables), 1, &world);
  system.slabs->connect();
  system.state.set_uniform({0.6, 0, 0.8});
  const auto rate = [&](const SpinLayout& layout) {
    const Work work = c.work(system, layout, tables.context.constants);
    return updates_a_step * steps_a_second(work, &system, device, world);
  };
  SharedRates rates;
  rates.rate = rate(system.state.layout());
  rates.exchange = exchange_of(system, world);
  // A run without halos gives wrong results, and its time shows the cost of the halos.
  Domain silent = *system.state.layout().domain;
  silent.exchange = [](void*, const Reals&, const SiteRanges&, Index, Index) {};
  system.model.share_by(&silent);
  SpinLayout layout = system.state.layout();
  layout.domain = &silent;
  rates.without_exchange = rate(layout);
  rates.words = system.slabs->description();
  return rates;
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
  const std::string name = fmt::format("{}, {}", c.name, size_text(c.length, 3, all));
  fmt::print("{:<38} {:>5} {:>14.1f} {:>14.1f} {:>7.2f}x {:>7.2f}x\n", name, world.size(),
             whole / 1e6, shared / 1e6, shared / whole, shared / small);
}

/// Measurements of one lattice.
struct LatticeMeasured {
  double one_rate;
  Exchange exchange;
  double overhead;  ///< seconds of a shared step that are not updates or halos
};

/// Measures one lattice with one replica.
LatticeMeasured measure_lattice(const Case& c, const Device& device, const Communicator& world) {
  const study::SystemTables tables = c.tables(c.length, 1);
  const auto spins = static_cast<double>(study::build_geometry(tables).spins());
  const double whole = rate_of(c, device, world, {1}, world.is_root(), spins);
  const SharedRates shared = rates_of_sharing(c, device, world, spins);
  const double ideal = spins / (whole * world.size());
  const LatticeMeasured measured{whole, shared.exchange,
                                 std::max(0.0, spins / shared.without_exchange - ideal)};
  if (!world.is_root()) return measured;
  fmt::print("{:<38} {:>5} {:>14.1f} {:>14.1f} {:>7.2f}x {:>14.1f}  {}\n",
             fmt::format("{}, {}", c.name, size_text(c.length, 3, 1)), world.size(), whole / 1e6,
             shared.rate / 1e6, shared.rate / whole, shared.without_exchange / 1e6, shared.words);
  return measured;
}

/// Predicts the speed of slabs on more ranks than are available, relative to one rank, and prints
/// it.
void print_model(const Case& c, const LatticeMeasured& measured, const Link& link,
                 const char* name) {
  const SlabStep step{1 / measured.one_rate, static_cast<double>(c.exchanges),
                      c.halos * measured.exchange.bytes, measured.overhead};
  const auto length = static_cast<double>(c.length);
  const double spins = length * length * length;
  fmt::print("{:<26} {:<34}", c.name, name);
  // A border is some four cells thick, as blocks of threads are. A rank has at least two cells.
  const auto border = [&](double ranks) { return std::min(1.0, 8 * ranks / length); };
  for (const double ranks : {4.0, 16.0, 64.0}) {
    const double seconds = seconds_of(step, spins / ranks, border(ranks), link);
    fmt::print(" {:>7}", length >= 2 * ranks
                             ? fmt::format("{:.1f}x", spins * step.seconds_a_spin / seconds)
                             : "-");
  }
  fmt::print(" {:>9.1f}%\n",
             100 * spins * step.seconds_a_spin / seconds_of(step, spins, border(1), link));
}

/// Adds exchanges of halos of other sizes than those of the cases.
void add_exchanges(const Device& device, const Communicator& world,
                   std::vector<Exchange>& measured) {
  for (const Index length : {32, 64, 128}) {
    const study::SystemTables tables = cubic_tables(length, 1);
    study::SpinSystem system(tables, device, study::build_geometry(tables), 1, &world);
    system.slabs->connect();
    measured.push_back(exchange_of(system, world));
  }
}

}  // namespace

void bench_scaling(const Device& device, BenchChoice& choice, const Communicator& world) {
  study::require_alike(world, device);
  if (world.is_root()) {
    fmt::print("Replicas over ranks, eight a rank, and one lattice over ranks, on {}\n",
               study::device_text(device));
    fmt::print(
        "strong: all replicas on one rank against all replicas on all ranks; weak: eight replicas "
        "on one rank against eight replicas on each rank\n\n");
    fmt::print("{:<38} {:>5} {:>14} {:>14} {:>8} {:>8}\n", "system", "ranks", "one, M/s",
               "all, M/s", "strong", "weak");
  }
  const bool on_gpu = device.backend == Backend::cuda;
  for (const Case& c : {Case{"bcc Fe, Depondt, 300 K", iron_tables, iron_steps, on_gpu ? 64 : 8},
                        Case{"sc, heat bath", cubic_tables, heat_bath_sweeps, on_gpu ? 128 : 16}})
    if (choice.wants(c.name)) measure(c, device, world);
  if (world.size() == 1) return;
  if (world.is_root())
    fmt::print("\n{:<38} {:>5} {:>14} {:>14} {:>8} {:>14}  {}\n", "one lattice", "ranks",
               "one, M/s", "all, M/s", "strong", "no halos, M/s", "exchange");
  std::vector<std::pair<Case, LatticeMeasured>> modelled;
  std::vector<Exchange> exchanges;
  for (const Case& c :
       {Case{"bcc Fe, Depondt, 300 K", iron_tables, iron_steps, on_gpu ? 256 : 48},
        Case{"sc, Depondt, T = 0.5", cubic_tables, cubic_steps, on_gpu ? 512 : 96, 2, 2, true},
        Case{"sc, heat bath", cubic_tables, heat_bath_sweeps, on_gpu ? 512 : 96, 2, 1, true}}) {
    if (!choice.wants(c.name)) continue;
    const LatticeMeasured measured = measure_lattice(c, device, world);
    exchanges.push_back(measured.exchange);
    if (c.is_modelled) modelled.emplace_back(c, measured);
  }
  if (modelled.empty()) return;
  add_exchanges(device, world, exchanges);
  if (!world.is_root()) return;
  fmt::print("\nexchange of halos:");
  for (const Exchange& e : exchanges)
    fmt::print("  {:.2f} MB {:.0f} us", e.bytes / 1e6, e.seconds * 1e6);
  const Link link = fitted(exchanges);
  fmt::print("\nfitted: {:.1f} us + bytes / {:.1f} GB/s\n", link.latency * 1e6,
             link.bandwidth / 1e9);
  fmt::print(
      "model: time of a step = max(all updates, updates at borders + halos) "
      "+ measured overhead of sharing without halos\n\n");
  fmt::print("{:<26} {:<34} {:>7} {:>7} {:>7} {:>10}\n", "one lattice", "halos travel at", "4",
             "16", "64", "weak");
  const Link network{20e-6, 50e9};
  for (const auto& [c, measured] : modelled) {
    print_model(c, measured, link, "speed measured in this run");
    print_model(c, measured, network, "20 us, 50 GB/s (400 Gb/s network)");
  }
  fmt::print(
      "4, 16, 64: speed-up of the lattice above over one rank; weak: efficiency if each rank has "
      "a\n"
      "domain as large as that lattice. All slabs together may have at most 2^31 - 1 sites.\n"
      "All slabs together must fit into the memory of every rank.\n");
}

}  // namespace larmor::bench
