#include "bench/command.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/spins/hamiltonian/energy_kernels.hpp"
#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/long_range/convolution.hpp"
#include "larmor/spins/observables/observer.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/measurements/measurement_queue.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::bench {

bool BenchChoice::wants(const std::string& system) {
  if (std::ranges::find(offered_, system) == offered_.end()) offered_.push_back(system);
  const bool wanted = system.find(only_) != std::string::npos;
  any_ = any_ || wanted;
  return wanted;
}

void BenchChoice::require_one() const {
  if (any_ || offered_.empty()) return;
  std::string names;
  for (const std::string& system : offered_) names += (names.empty() ? "" : ", ") + system;
  throw InputError("no system of this benchmark has '" + only_ + "' in its name",
                   "give --only a part of one of these names: " + names);
}

namespace {

/// Best rate, in spin updates a second.
double best_rate(const study::SpinSystem& system, const std::function<void(Index sweeps)>& run) {
  const Index spins = system.geometry.sites() * system.state.layout().replicas;
  return static_cast<double>(spins) / best_seconds(system.device, run, {.count = 7});
}

/// Microseconds of one sweep or step over all replicas, from a rate in spin updates a second.
double microseconds(const study::SpinSystem& system, double rate) {
  const SpinLayout& layout = system.state.layout();
  return 1e6 * static_cast<double>(layout.sites * layout.replicas) / rate;
}

/// Compares the free memory of a GPU with the memory for cubic_tables(length, replicas), for
/// `fields` vector fields and for tables of neighbours. Prints a message and returns false if the
/// memory is too small.
bool fits(const Device& device, Index length, Index replicas, int fields) {
  const SpinLayout layout{length * length * length, replicas};
  const Index needed =
      fields * bytes_of_reals(device.precision, layout.numbers()) + 7 * 4 * layout.sites;
  if (device.backend == Backend::cpu) return true;
  const auto free = static_cast<Index>(gpu_info(device.ordinal).free_bytes);
  if (needed <= free) return true;
  fmt::print("{} needs {:.1f} GB, {:.1f} GB are free\n", size_text(length, 3, replicas),
             static_cast<double>(needed) / 1e9, static_cast<double>(free) / 1e9);
  return false;
}

/// Lower bound of the time of a sweep, measured as a rate: a kernel reads every spin and its
/// neighbours, and writes a vector.
double field_rate(study::SpinSystem& system) {
  const spins::ModelView model = system.model.view(system.state.layout().replicas);
  RealArray field(system.device, system.state.layout().numbers());
  return best_rate(system, [&](Index sweeps) {
    for (Index n = 0; n < sweeps; ++n)
      spins::energy_kernels(system.device)
          .effective_field(system.device, model, system.state.reals(), field.reals());
  });
}

void bench_monte_carlo(const Device& device, BenchChoice& choice) {
  fmt::print("Monte Carlo, simple cubic Heisenberg, T = 1.5 J (just above its transition), {}\n",
             study::device_text(device));
  fmt::print("floor: only the sum over neighbours (reads 7 spins, writes 1)\n");
  fmt::print("least traffic: memory traffic of a sweep if every neighbour were cached\n\n");
  fmt::print("{:<12}  {:<28} {:>12} {:>12} {:>12} {:>7} {:>13}\n", "size", "update", "us/sweep",
             "M updates/s", "floor M/s", "share", "least traffic");
  struct Case {
    std::string name;
    spins::Update update;
    bool adaptive;
    int vectors;  ///< vectors read and written per spin, with neighbours in a cache
  };
  std::vector<Case> cases;
  for (const auto& [update, info] : spins::all_updates) {
    const std::string title = info.title;
    cases.push_back(
        {info.has_cone ? title + ", sphere" : title, update, false, info.moved_vectors});
    if (info.has_cone)
      cases.push_back({title + ", adaptive cone", update, true, info.moved_vectors});
  }
  using Sizes = std::vector<std::pair<Index, Index>>;
  const Sizes sizes = device.backend == Backend::cpu
                          ? Sizes{{16, 8}, {16, 1}, {32, 8}, {64, 1}}
                          : Sizes{{32, 8}, {64, 8}, {64, 1}, {254, 1}, {256, 1}, {1000, 1}};
  for (const auto& [length, replicas] : sizes) {
    const std::string size = size_text(length, 3, replicas);
    if (!choice.wants(size)) continue;
    if (device.backend == Backend::cuda && !fits(device, length, replicas, 2)) continue;
    study::SpinSystem system(cubic_tables(length, replicas), device);
    system.state.randomise(1);
    const double floor = field_rate(system);
    for (const Case& c : cases) {
      spins::SamplerSettings settings;
      settings.update = c.update;
      settings.adaptive_cone = c.adaptive;
      spins::Sampler sampler(system.model, settings, 1, replicas, system.device);
      sampler.set_temperatures(std::vector<double>(static_cast<std::size_t>(replicas), 1.5));
      for (int round = 0; round < 5; ++round) sampler.tune(system.state, 5);
      const double rate =
          best_rate(system, [&](Index sweeps) { sampler.run(system.state, sweeps); });
      fmt::print("{:<12}  {:<28} {:>12.1f} {:>12.1f} {:>12.1f} {:>6.0f}% {:>8.0f} GB/s\n", size,
                 c.name, microseconds(system, rate), rate / 1e6, floor / 1e6, 100 * rate / floor,
                 rate * static_cast<double>(c.vectors * bytes_of_reals(device.precision, 3)) / 1e9);
    }
  }
  fmt::print("\nstate: {} bytes a spin and replica, without tables\n",
             bytes_of_reals(device.precision, 3));
}

struct SchemeCase {
  std::string name;
  spins::Scheme scheme;
  double temperature;  ///< K
  int sums;            ///< number of sums over neighbours in a step
  int vectors;         ///< vectors read and written per spin and step, with neighbours in a cache
};

/// The explicit schemes. Schemes with a heat bath run at 300 K; the default schemes also run at 0
/// K.
std::vector<SchemeCase> scheme_cases() {
  std::vector<SchemeCase> cases;
  for (const auto& [scheme, info] : spins::all_schemes) {
    const int sums = spins::with_explicit_scheme(scheme, [](auto explicit_scheme) {
      return static_cast<int>(std::size(decltype(explicit_scheme)::stages));
    });
    const auto add = [&](int temperature) {
      cases.push_back({fmt::format("{}, {} K", info.name, temperature), scheme,
                       static_cast<double>(temperature), sums, info.moved_vectors});
    };
    if (sums == 0) continue;
    if (!info.has_heat_bath || scheme == spins::IntegratorSettings{}.scheme) add(0);
    if (info.has_heat_bath) add(300);
  }
  return cases;
}

/// Runs steps and measures energy and magnetisation every ten steps, as a stage does.
void run_measured(spins::Integrator& integrator, const spins::Observer& observer,
                  spins::SpinState& state, Index steps) {
  constexpr Index every = 10;
  constexpr Index block = 24 * every;
  study::MeasurementQueue queue(std::size_t{1} << 20);
  const auto keep = [](const std::vector<std::vector<double>>& numbers) {
    spins::Observer::finish(numbers);
  };
  const Index samples = integrator.samples_at_once(state);
  const bool passing = samples > 0;
  for (Index done = 0; done < steps;) {
    const Index next = std::min(steps - done, passing ? std::min(block, samples * every) : every);
    if (passing) {
      std::vector<Pending> parts;
      parts.push_back(integrator.run_observed(state, next, every));
      queue.push(std::move(parts), keep);
    } else {
      queue.push(observer.begin(state), keep);
      integrator.run(state, next);
    }
    done += next;
  }
  queue.drain();
}

void bench_llg(const Device& device, BenchChoice& choice) {
  fmt::print("Landau-Lifshitz-Gilbert, alpha = 0.1, 0.1 fs, {}\n", study::device_text(device));
  fmt::print("floor: only the sums over neighbours of a step, from tables\n");
  fmt::print(
      "bonds: arithmetic of the sums over neighbours; least traffic: memory traffic of a step if "
      "every neighbour were cached\n");
  fmt::print(
      "measured: additional time if energy and magnetisation are measured every ten steps\n\n");
  fmt::print("{:<38} {:<22} {:>10} {:>14} {:>10} {:>7} {:>12} {:>13} {:>9} {:>6}\n", "system",
             "scheme", "us/step", "M spin-steps/s", "floor M/s", "share", "bonds", "least traffic",
             "measured", "B/spin");
  using Tables = study::SystemTables (*)(Index length, Index replicas);
  struct Case {
    const char* name;
    Tables tables;
    int dimensions;
    double flops;  ///< operations of one sum over the neighbours of a site
    Index length, replicas;
  };
  const Case iron{"bcc Fe, 50 neighbours", iron_tables, 3, 50 * 6, 16, 8},
      cubic{"sc, 6 neighbours", cubic_tables, 3, 6 * 6, 16, 8},
      kagome{"kagome, J and D", kagome_tables, 2, 4 * 18, 64, 8};
  const auto sized = [](Case c, Index length, Index replicas) {
    c.length = length;
    c.replicas = replicas;
    return c;
  };
  const std::vector<Case> cases =
      device.backend == Backend::cpu
          ? std::vector<Case>{cubic, sized(cubic, 16, 1), iron, sized(iron, 16, 1), kagome}
          : std::vector<Case>{sized(iron, 64, 8),   sized(iron, 64, 1),    iron,
                              sized(iron, 16, 1),   sized(kagome, 512, 8), sized(kagome, 1024, 1),
                              sized(cubic, 1000, 1)};
  for (const Case& c : cases) {
    const bool is_iron = c.tables == iron_tables;
    const std::string name =
        fmt::format("{}, {}", c.name, size_text(c.length, c.dimensions, c.replicas));
    if (!choice.wants(name)) continue;
    if (c.length == 1000 && !fits(device, c.length, c.replicas, 1 + spins::most_work_fields))
      continue;
    const study::SystemTables tables = c.tables(c.length, c.replicas);
    study::SpinSystem system(tables, device);
    const Constants& constants = tables.context.constants;
    const double floor = field_rate(system);
    for (const SchemeCase& s : scheme_cases()) {
      spins::IntegratorSettings settings;
      settings.scheme = s.scheme;
      settings.timestep = is_iron ? 1e-4 : 0.01;
      settings.gyromagnetic_ratio = constants.gamma() / constants.mu_B;
      settings.damping = {0.1};
      spins::Integrator integrator(system.model, system.state.layout(), settings, system.device);
      const double kT = is_iron ? constants.k_B * s.temperature : s.temperature / 300;
      integrator.set_temperatures({kT});
      // The run starts from the ordered state, where the local fields and the rotations in a step
      // are largest.
      system.state.set_uniform({0.6, 0, 0.8});
      const double rate =
          best_rate(system, [&](Index steps) { integrator.run(system.state, steps); });
      const spins::Observer observer(system.model, system.state.layout(), system.device);
      const double measured = best_rate(
          system, [&](Index steps) { run_measured(integrator, observer, system.state, steps); });
      const Index vector = bytes_of_reals(device.precision, 3);
      fmt::print(
          "{:<38} {:<22} {:>10.2f} {:>14.1f} {:>10.1f} {:>6.0f}% {:>5.0f} GF/s {:>8.1f} GB/s "
          "{:>+8.1f}% {:>6}\n",
          name, s.name, microseconds(system, rate), rate / 1e6, floor / s.sums / 1e6,
          100 * rate * s.sums / floor, rate * s.sums * c.flops / 1e9,
          rate * static_cast<double>(s.vectors * vector) / 1e9, 100 * (rate / measured - 1),
          vector * (1 + spins::work_fields(s.scheme, kT > 0)));
    }
  }
}

void bench_dipoles(const Device& device, BenchChoice& choice) {
  fmt::print("Dipoles by FFT, {}\n", study::device_text(device));
  fmt::print("field: the dipolar field of every spin; floor: only its Fourier transforms\n");
  fmt::print("step: Depondt with exchange and heat bath, two fields\n\n");
  fmt::print("{:<24} {:>9} {:>15} {:>10} {:>7} {:>15}\n", "lattice", "replicas", "M fields/s",
             "floor M/s", "share", "M spin-steps/s");
  struct Case {
    const char* name;
    const char* lattice;
    Index replicas;
  };
  for (const Case& c :
       {Case{"sc 32^3, open", "type = 'sc'\nsize = [32, 32, 32]\nperiodic = false", 1},
        Case{"sc 16^3, open", "type = 'sc'\nsize = [16, 16, 16]\nperiodic = false", 8},
        Case{"sc 64^3, periodic", "type = 'sc'\nsize = [64, 64, 64]", 1},
        Case{"bcc 32^3, periodic", "type = 'bcc'\nsize = [32, 32, 32]", 1},
        Case{"square 256^2, open", "type = 'square'\nsize = [256, 256]\nperiodic = false", 1},
        Case{"square 128^2, periodic", "type = 'square'\nsize = [128, 128]", 8}}) {
    if (!choice.wants(c.name)) continue;
    study::SpinSystem system(
        study::parse_system(fmt::format("replicas = {}\n[lattice]\n{}\n[[exchange]]\nshell = 1\n"
                                        "J = 1\n[dipolar]\nstrength = 0.05\n",
                                        c.replicas, c.lattice),
                            "bench"),
        device);
    system.state.randomise(1);
    const SpinLayout& layout = system.state.layout();
    const spins::Convolution& interaction = *system.model.long_range();
    RealArray field(system.device, layout.numbers());
    const double rate = best_rate(system, [&](Index sweeps) {
      for (Index n = 0; n < sweeps; ++n)
        for (Index block = 0; block < layout.blocks(); ++block)
          interaction.store_field(system.device, layout, system.state.reals(), block,
                                  field.reals());
    });
    const double floor = best_rate(
        system, [&](Index sweeps) { interaction.transform_only(system.device, layout, sweeps); });
    spins::IntegratorSettings settings;
    settings.timestep = 0.01;
    settings.damping = {0.1};
    spins::Integrator integrator(system.model, layout, settings, system.device);
    integrator.set_temperatures({0.1});
    const double steps = best_rate(system, [&](Index n) { integrator.run(system.state, n); });
    fmt::print("{:<24} {:>9} {:>15.2f} {:>10.2f} {:>6.0f}% {:>15.2f}\n", c.name, c.replicas,
               rate / 1e6, floor / 1e6, 100 * rate / floor, steps / 1e6);
  }
}

/// A benchmark of `larmor bench NAME`.
struct Benchmark {
  std::string name;
  bool on_ranks;        ///< whether several ranks may take part
  const char* backend;  ///< default of --backend
  std::function<void(const Device&, BenchChoice&, const Communicator&)> run;
};

std::vector<Benchmark> benchmarks(const BenchOptions& options) {
  return {
      {"mc", false, "",
       [](const Device& device, BenchChoice& choice, const Communicator&) {
         bench_monte_carlo(device, choice);
       }},
      {"llg", false, "",
       [](const Device& device, BenchChoice& choice, const Communicator&) {
         bench_llg(device, choice);
       }},
      {"dipoles", false, "",
       [](const Device& device, BenchChoice& choice, const Communicator&) {
         bench_dipoles(device, choice);
       }},
      {"ising", true, "", bench_ising},
      {"clusters", true, "", bench_clusters},
      {"phi4", false, "",
       [](const Device& device, BenchChoice& choice, const Communicator&) {
         bench_phi4(device, choice);
       }},
      {"samples", false, "",
       [](const Device& device, BenchChoice& choice, const Communicator&) {
         bench_samples(device, choice);
       }},
      {"transfer-matrix", true, "", bench_transfer_matrix},
      {"lanczos", false, "",
       [](const Device& device, BenchChoice& choice, const Communicator&) {
         bench_lanczos(device, choice);
       }},
      {"trotter", false, "",
       [](const Device& device, BenchChoice& choice, const Communicator&) {
         bench_trotter(device, choice);
       }},
      {"landscape", false, "",
       [](const Device& device, BenchChoice& choice, const Communicator&) {
         bench_landscape(device, choice);
       }},
      {"tempering", false, "",
       [&](const Device& device, BenchChoice& choice, const Communicator&) {
         bench_tempering(device, choice, options.tempering);
       }},
      {"glass", false, "",
       [&](const Device& device, BenchChoice& choice, const Communicator&) {
         bench_glass(device, choice, options.glass);
       }},
      {"snap", false, "",
       [&](const Device& device, BenchChoice& choice, const Communicator&) {
         bench_snap(device, choice, options.snap);
       }},
      {"correlations", true, "auto",
       [&](const Device& device, BenchChoice& choice, const Communicator& world) {
         bench_correlations(device, choice, options.correlations, world);
       }},
      {"scaling", true, "", bench_scaling},
  };
}

}  // namespace

int run_benchmark(const std::string& name, const std::string& only,
                  const study::DeviceOverrides& chosen, const BenchOptions& options,
                  const OnAllRanks& on_all_ranks) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks(options)) {
    names.push_back(benchmark.name);
    if (benchmark.name != name) continue;
    const auto run = [&](const Communicator& world) {
      BenchChoice choice(only);
      study::DeviceOverrides own = chosen;
      if (own.backend.empty()) own.backend = benchmark.backend;
      own.rank_on_node = world.rank_on_node();
      own.ranks_on_node = world.size_on_node();
      benchmark.run(study::device_of(own), choice, world);
      choice.require_one();
      return 0;
    };
    return benchmark.on_ranks ? on_all_ranks(run) : run(Communicator());
  }
  throw InputError("there is no benchmark '" + name + "'",
                   "the benchmarks are " + comma_list(names));
}

}  // namespace larmor::bench
