// larmor bench landscape: minimisers and paths, gradients of sites a second.

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <functional>

#include "bench/command.hpp"
#include "bench/systems.hpp"
#include "larmor/spins/landscape/elastic_band.hpp"
#include "larmor/spins/landscape/minimiser.hpp"
#include "larmor/spins/landscape/path_start.hpp"
#include "larmor/study/kinds/spins/system/initial.hpp"

namespace larmor::bench {
namespace {

/// A film: exchange, interfacial DMI, anisotropy across it and a field.
study::SystemTables film_tables(Index length, Index replicas) {
  return study::parse_system(
      fmt::format("replicas = {1}\n[lattice]\ntype = 'square'\nsize = [{0}, {0}]\n[[exchange]]\n"
                  "shell = 1\nJ = 1\n[[dmi]]\nshell = 1\nstrength = 0.5\ndirection = 'interface'\n"
                  "[[anisotropy]]\nK = 0.05\n[field]\nB = [0, 0, 0.2]\n",
                  length, replicas),
      "bench");
}

struct Rate {
  double gradients = 0;  ///< of sites, a second
  double seconds = 0;    ///< of a step
};

/// @param run steps, and says how many it made: all of them
/// @param sites that a step evaluates
Rate rate_of(const Device& device, double sites, const std::function<Index(Index steps)>& run) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [&](Index steps) {
    const auto start = Clock::now();
    if (run(steps) != steps) throw InternalError("a benchmark of relaxing spins came to its end");
    synchronise(device);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::fflush(stdout);
  seconds(1);
  Index steps = 1;
  double took = 0;
  while ((took = seconds(steps)) < 0.2) steps *= 2;
  double best = took;
  for (int repeat = 0; repeat < 3; ++repeat) best = std::min(best, seconds(steps));
  const double of_step = best / static_cast<double>(steps);
  return {sites / of_step, of_step};
}

void print(const std::string& name, const Rate& rate) {
  fmt::print("{:<48} {:>12.1f} {:>16.1f}\n", name, 1e6 * rate.seconds, rate.gradients / 1e6);
  std::fflush(stdout);
}

/// From random spins, which take far longer to come to rest than this measures. A tolerance of
/// nothing: no replica ever is.
Rate rate_of_minimiser(spins::Method method, Index length, Index replicas, const Device& device) {
  study::SpinSystem system(film_tables(length, replicas), device);
  const double sites = static_cast<double>(system.geometry.sites() * replicas);
  spins::MinimiserSettings settings;
  settings.method = method;
  settings.tolerance = 0;
  spins::Minimiser minimiser(system.model, system.state.layout(), settings, system.device);
  const auto begin = [&] {
    system.state.randomise(1);
    minimiser.start(system.state);
  };
  begin();
  return rate_of(system.device, sites, [&](Index steps) {
    Index made = 0;
    while (made < steps) {
      made += minimiser.run(system.state, steps - made);
      if (minimiser.done()) begin();
    }
    return made;
  });
}

/// The minimum that a state relaxes to.
spins::SiteVectors minimum_of(const study::InitialTable& table, const study::SystemTables& tables,
                              study::SpinSystem& system) {
  system.state.set_all(
      study::initial_directions(table, {system.geometry, tables, system.device.threads}));
  spins::MinimiserSettings settings;
  settings.tolerance = 1e-6;
  spins::Minimiser minimiser(system.model, system.state.layout(), settings, system.device);
  minimiser.start(system.state);
  minimiser.run(system.state, 1000);
  spins::SiteVectors vectors;
  spins::copy_spins(system.state, 0, vectors);
  return vectors;
}

/// How a skyrmion collapses. A tolerance of nothing: the path is never found.
Rate rate_of_path(spins::BandMethod method, Index length, Index images, const Device& device) {
  const study::SystemTables tables = film_tables(length, 1);
  study::SpinSystem system(tables, device);
  study::InitialTable skyrmion, aligned;
  skyrmion.state = "skyrmion";
  skyrmion.radius = 6;
  aligned.state = "aligned";
  const auto path = spins::geodesic_path(
      {minimum_of(skyrmion, tables, system), minimum_of(aligned, tables, system)}, images,
      std::nullopt);
  spins::BandSettings settings;
  settings.images = images;
  settings.method = method;
  settings.tolerance = 0;
  spins::ElasticBand band(system.model, settings, system.device);
  const auto begin = [&] {
    band.start(path);
    band.perturb(1, 0, 0.01);
    while (band.method() != method && !band.done()) band.run(1);
  };
  begin();
  return rate_of(system.device, static_cast<double>(system.geometry.sites() * images),
                 [&](Index steps) {
                   Index made = 0;
                   while (made < steps) {
                     made += band.run(1);
                     if (band.done() || band.method() != method) begin();
                   }
                   return made;
                 });
}

}  // namespace

void bench_landscape(const Device& device, BenchChoice& choice) {
  fmt::print("films: exchange, DMI, anisotropy, field, {}\n", study::device_words(device));
  fmt::print("a step evaluates energy and gradient of all replicas, or images, once\n\n");
  fmt::print("{:<48} {:>12} {:>16}\n", "system", "us/step", "M gradients/s");
  const bool on_gpu = device.backend == Backend::cuda;
  struct Film {
    Index length, replicas;
  };
  const std::vector<Film> films = on_gpu ? std::vector<Film>{{1024, 1}, {48, 1}, {48, 1024}}
                                         : std::vector<Film>{{1024, 1}, {48, 1}, {48, 16}};
  for (const auto& [method, words] :
       {std::pair{spins::Method::lbfgs, "L-BFGS"},
        std::pair{spins::Method::conjugate_gradient, "conjugate gradients"},
        std::pair{spins::Method::damped, "damped"}}) {
    for (const Film& film : films) {
      const std::string name =
          fmt::format("{}, {}", words, size_words(film.length, 2, film.replicas));
      if (choice.wants(name))
        print(name, rate_of_minimiser(method, film.length, film.replicas, device));
    }
  }
  const std::vector<Film> paths = on_gpu ? std::vector<Film>{{1024, 15}, {48, 15}, {48, 31}}
                                         : std::vector<Film>{{256, 15}, {48, 15}};
  for (const auto& [method, words] :
       {std::pair{spins::BandMethod::velocity_projection, "path, velocity projection"},
        std::pair{spins::BandMethod::lbfgs, "path, L-BFGS"}}) {
    for (const Film& path : paths) {
      const std::string name =
          fmt::format("{}, {}, {} images", words, size_words(path.length, 2, 1), path.replicas);
      if (choice.wants(name)) print(name, rate_of_path(method, path.length, path.replicas, device));
    }
  }
}

}  // namespace larmor::bench
