// larmor bench landscape: measures minimisers and paths. The rate counts gradients of sites a
// second.

#include <fmt/core.h>

#include <cstdio>
#include <functional>
#include <limits>

#include "bench/command.hpp"
#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "larmor/spins/landscape/geodesic_neb.hpp"
#include "larmor/spins/landscape/minimiser.hpp"
#include "larmor/spins/landscape/path_start.hpp"
#include "larmor/study/models/spins/system/initial.hpp"

namespace larmor::bench {
namespace {

/// A film: exchange, interfacial DMI, perpendicular anisotropy and a field.
study::SystemTables film_tables(Index length, Index replicas) {
  return study::parse_system(
      fmt::format("replicas = {1}\n[lattice]\ntype = 'square'\nsize = [{0}, {0}]\n[[exchange]]\n"
                  "shell = 1\nJ = 1\n[[dmi]]\nshell = 1\nstrength = 0.5\ndirection = 'interface'\n"
                  "[[anisotropy]]\nK = 0.05\n[field]\nB = [0, 0, 0.2]\n",
                  length, replicas),
      "bench");
}

struct Rate {
  double gradients = 0;  ///< gradients of sites a second
  double seconds = 0;    ///< seconds of a step
};

/// @param sites sites that a step evaluates
/// @param prepare makes the system to measure, which is not timed
/// @param run runs at most the given number of steps and returns the number that it made
Rate rate_of(const Device& device, double sites, const std::function<void()>& prepare,
             const std::function<Index(Index steps)>& run) {
  constexpr int repeats = 4;
  constexpr double shortest = 0.2;
  std::fflush(stdout);
  double best = std::numeric_limits<double>::infinity();
  Index steps = 1;
  for (int measured = -1; measured < repeats;) {
    prepare();
    synchronise(device);
    Index made = 0;
    const double took = elapsed_seconds([&] {
      made = run(steps);
      synchronise(device);
    });
    if (made == 0) throw InternalError("the benchmark of a minimiser or path made no steps");
    if (measured < 0) {
      ++measured;  // leaves out the first step, which does work that is done once
    } else if (made == steps && took < shortest) {
      steps *= 2;
    } else {
      best = std::min(best, took / static_cast<double>(made));
      ++measured;
    }
  }
  return {sites / best, best};
}

void print(const std::string& name, const Rate& rate) {
  fmt::print("{:<48} {:>12.1f} {:>16.1f}\n", name, 1e6 * rate.seconds, rate.gradients / 1e6);
  std::fflush(stdout);
}

/// Starts from random spins, whose minimisation takes far more steps than are measured. The
/// tolerance is zero, so no replica converges.
Rate rate_of_minimiser(spins::Method method, Index length, Index replicas, const Device& device) {
  study::SpinSystem system(film_tables(length, replicas), device);
  const double sites = static_cast<double>(system.geometry.sites() * replicas);
  spins::MinimiserSettings settings;
  settings.method = method;
  settings.tolerance = 0;
  spins::Minimiser minimiser(system.model, system.state.layout(), settings, system.device);
  bool begun = false;
  const auto prepare = [&] {
    if (begun && !minimiser.done()) return;
    system.state.randomise(1);
    minimiser.start(system.state);
    begun = true;
  };
  return rate_of(system.device, sites, prepare,
                 [&](Index steps) { return minimiser.run(system.state, steps); });
}

/// The minimum to which a state converges.
spins::SiteVectors minimum_of(const study::InitialTable& table, const study::SystemTables& tables,
                              study::SpinSystem& system) {
  system.state.set_all(
      study::initial_directions(table, {system.geometry, tables, system.device.threads}));
  spins::MinimiserSettings settings;
  settings.tolerance = 1e-6;
  spins::Minimiser minimiser(system.model, system.state.layout(), settings, system.device);
  minimiser.start(system.state);
  minimiser.run(system.state, 10000);
  if (!minimiser.done()) throw InternalError("an end of the benchmark's path did not converge");
  spins::SiteVectors vectors;
  spins::copy_spins(system.state, 0, vectors);
  return vectors;
}

/// Measures a path on which a skyrmion collapses. The tolerance is zero, so the path does not
/// converge.
Rate rate_of_path(spins::NebMethod method, Index length, Index images, const Device& device) {
  const study::SystemTables tables = film_tables(length, 1);
  study::SpinSystem system(tables, device);
  study::InitialTable skyrmion, aligned;
  skyrmion.state = "skyrmion";
  skyrmion.radius = 6;
  aligned.state = "aligned";
  const auto path = spins::geodesic_path(
      {minimum_of(skyrmion, tables, system), minimum_of(aligned, tables, system)}, images,
      std::nullopt);
  spins::NebSettings settings;
  settings.images = images;
  settings.method = method;
  settings.tolerance = 0;
  spins::GeodesicNeb band(system.model, settings, system.device);
  const auto moves = [&] { return band.method() == method && !band.done(); };
  bool begun = false;
  const auto prepare = [&] {
    if (begun && moves()) return;
    band.start(path);
    band.perturb(1, 0, 0.01);
    constexpr Index longest_approach = 5000;
    for (Index step = 0; step < longest_approach && !moves(); ++step) band.run(1);
    if (!moves()) throw InternalError("the benchmark of a path did not reach the requested method");
    begun = true;
  };
  return rate_of(system.device, static_cast<double>(system.geometry.sites() * images), prepare,
                 [&](Index steps) {
                   Index made = 0;
                   while (made < steps && moves()) made += band.run(1);
                   return made;
                 });
}

}  // namespace

void bench_landscape(const Device& device, BenchChoice& choice) {
  fmt::print("films: exchange, DMI, anisotropy, field, {}\n", study::device_text(device));
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
          fmt::format("{}, {}", words, size_text(film.length, 2, film.replicas));
      if (choice.wants(name))
        print(name, rate_of_minimiser(method, film.length, film.replicas, device));
    }
  }
  const std::vector<Film> paths = on_gpu ? std::vector<Film>{{1024, 15}, {48, 15}, {48, 31}}
                                         : std::vector<Film>{{256, 15}, {48, 15}};
  for (const auto& [method, words] :
       {std::pair{spins::NebMethod::velocity_projection, "path, velocity projection"},
        std::pair{spins::NebMethod::lbfgs, "path, L-BFGS"}}) {
    for (const Film& path : paths) {
      const std::string name =
          fmt::format("{}, {}, {} images", words, size_text(path.length, 2, 1), path.replicas);
      if (choice.wants(name)) print(name, rate_of_path(method, path.length, path.replicas, device));
    }
  }
}

}  // namespace larmor::bench
