#include <cmath>
#include <numbers>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/study/models/spins/exact_results/exact_results.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {
namespace {

using spins::Scheme;

spins::Integrator integrator(const SpinSystem& system, Scheme scheme, double timestep,
                             double damping = 0) {
  spins::IntegratorSettings settings;
  settings.scheme = scheme;
  settings.timestep = timestep;
  settings.damping = {damping};
  settings.seed = 20240602;
  return {system.model, system.state.layout(), settings, system.device};
}

/// Largest distance of a spin that precesses in a field from the closed form.
Measured precession(const spins::SchemeEntry& scheme_entry, const Device& device) {
  SpinSystem system(parse_system("[lattice]\ntype = 'chain'\nsize = [1]\nperiodic = false\nmoment "
                                 "= [1.5]\n[field]\nB = [0, 1.2, 0.9]\n",
                                 "verify"),
                    device);
  const double s = std::sin(0.5), c = std::cos(0.5);
  // The field is along (0, 0.8, 0.6). At the start the spin has the polar angle 0.5 from the field.
  system.state.set_all(std::vector<Vec3<double>>{{s, 0.8 * c, 0.6 * c}});
  integrator(system, scheme_entry.scheme, 0.01).run(system.state, 1000);
  const double angle = 1.5 * 10;
  // In the basis (x, b x x) with b = B / |B|, de/dt = - e x B turns counterclockwise seen from the
  // tip of B.
  const double u = s * std::cos(angle), v = s * std::sin(angle);
  const Vec3<double> exact{u, 0.8 * c + 0.6 * v, 0.6 * c - 0.8 * v};
  return {length(system.state.configuration(0)[0] - exact),
          tolerance(device, scheme_entry.info.precession_error)};
}

/// A wave (a cos, a sin, sqrt(1 - a^2)) of any height a rotates without changing its shape.
Measured spin_wave_frequency(const Device& device) {
  SpinSystem system(parse_system("[lattice]\ntype = 'square'\nsize = [8, 8]\n[[exchange]]\nshell = "
                                 "1\nJ = 1\n[field]\nB = [0, 0, 0.5]\n",
                                 "verify"),
                    device);
  const double q = 2 * std::numbers::pi / 8;
  std::vector<Vec3<double>> e;
  for (Index site = 0; site < 64; ++site) {
    const double phase = q * static_cast<double>(site % 8 + 2 * (site / 8));
    e.push_back({0.6 * std::cos(phase), 0.6 * std::sin(phase), 0.8});
  }
  system.state.set_all(e);
  integrator(system, Scheme::rk4, 0.005).run(system.state, 100);
  const Vec3<double> after = system.state.configuration(0)[0];
  return {std::atan2(after.y, after.x) / 0.5, tolerance(device, 1e-8)};
}

/// Energy per site of spins in a heat bath.
Measured shaken_energy(const std::string& tables, double temperature, Scheme scheme,
                       const Device& device, Index samples) {
  constexpr double damping = 0.5, apart = 0.5;
  const double timestep = spins::info_of(scheme).bath_timestep;
  const auto stride = static_cast<Index>(apart / timestep);
  SpinSystem system(parse_system("replicas = 32\n" + tables, "verify"), device);
  system.state.randomise(2);
  spins::Integrator dynamics = integrator(system, scheme, timestep, damping);
  dynamics.set_temperatures(std::vector<double>(exact_replicas, temperature));
  dynamics.run(system.state, 40 * stride);
  std::vector<double> series;
  for (Index n = 0; n < samples; ++n) {
    dynamics.run(system.state, stride);
    const std::vector<double> e = spins::energy_per_site(system.model, system.state);
    series.insert(series.end(), e.begin(), e.end());
  }
  const Estimate estimate = estimate_replicas(series, exact_replicas);
  return {estimate.value, estimate.error};
}

}  // namespace

std::vector<ExactResult> exact_dynamics() {
  std::vector<ExactResult> results;
  for (const spins::SchemeEntry& scheme_entry : spins::all_schemes)
    results.push_back(
        {std::string("Larmor precession after 15 rad (") + scheme_entry.info.name + ")", 0, false,
         [&scheme_entry](const Device& device, Index) {
           return precession(scheme_entry, device);
         }});
  const double q = 2 * std::numbers::pi / 8;
  results.push_back({"spin-wave frequency B + 2J cos(theta) (2 - cos qx - cos qy)",
                     0.5 + 2 * 0.8 * (2 - std::cos(q) - std::cos(2 * q)), false,
                     [](const Device& device, Index) { return spin_wave_frequency(device); }});
  for (const spins::SchemeEntry& scheme_entry : spins::all_schemes) {
    if (!scheme_entry.info.has_heat_bath) continue;
    const auto add = [&](const std::string& name, const std::string& tables, double temperature,
                         double exact) {
      results.push_back(
          {name + " (heat bath, " + scheme_entry.info.name + ")", exact, true,
           [=, &scheme_entry](const Device& device, Index samples) {
             // Each iteration of the midpoint scheme waits for a GPU, so there are fewer samples.
             const Index own = scheme_entry.scheme == Scheme::midpoint ? samples / 5 : samples;
             return shaken_energy(tables, temperature, scheme_entry.scheme, device, own);
           }});
    };
    add("spin in a field, Langevin",
        "[lattice]\ntype = 'chain'\nsize = [1]\nperiodic = false\nmoment = [2]\n[field]\nB = [0, "
        "0, 1]\n",
        1.0, -2 * langevin(2.0));
    add("open chain",
        "[lattice]\ntype = 'chain'\nsize = [10]\nperiodic = false\n[[exchange]]\nshell = 1\nJ = "
        "1\n",
        0.5, -0.9 * langevin(2.0));
  }
  return results;
}

}  // namespace larmor::study
