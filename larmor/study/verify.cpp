#include "larmor/study/verify.hpp"

#include <cmath>
#include <numbers>

#include "larmor/core/statistics.hpp"
#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/observables.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/system.hpp"

namespace larmor::study {
namespace {

double langevin(double x) { return 1 / std::tanh(x) - 1 / x; }

struct SamplerCase {
  const char* name;
  spins::Update update;
  bool adaptive;
  int over_relaxation;
};

constexpr SamplerCase samplers[] = {
    {"Metropolis, sphere", spins::Update::metropolis, false, 0},
    {"Metropolis, cone", spins::Update::metropolis, true, 0},
    {"heat bath", spins::Update::heat_bath, true, 0},
    {"heat bath + over-relaxation", spins::Update::heat_bath, true, 2},
};

Comparison thermal_energy(const std::string& what, const std::string& tables, double temperature,
                          double exact, const SamplerCase& with, Index samples) {
  SpinSystem system(parse_system("replicas = 32\n" + tables, "verify"), Device::cpu());
  spins::SamplerSettings settings;
  settings.update = with.update;
  settings.adaptive_cone = with.adaptive;
  settings.over_relaxation = with.over_relaxation;
  spins::Sampler sampler(system.model, settings, 20240601, 32, system.device);
  sampler.set_temperatures(std::vector<double>(32, temperature));
  system.state.randomise(1);
  for (int round = 0; round < 50; ++round) sampler.tune(system.state, 10);
  std::vector<double> series;
  for (Index n = 0; n < samples; ++n) {
    sampler.run(system.state, 2);
    const std::vector<double> e = spins::energy_per_site(system.model, system.state);
    series.insert(series.end(), e.begin(), e.end());
  }
  const Estimate estimate = estimate_replicas(series, 32);
  return {what + " (" + with.name + ")", exact, estimate.value, estimate.error, true};
}

const std::string one_spin =
    "[lattice]\ntype = 'chain'\nsize = [1]\nperiodic = false\nmoment = [1.5]\n[field]\nB = [0, "
    "1.2, 0.9]\n";
const std::string open_chain =
    "[lattice]\ntype = 'chain'\nsize = [10]\nperiodic = false\n[[exchange]]\nshell = 1\nJ = 1\n";

const std::string square_in_a_field =
    "[lattice]\ntype = 'square'\nsize = [8, 8]\n[[exchange]]\nshell = 1\nJ = 1\n[field]\nB = [0, "
    "0, 0.5]\n";

spins::Integrator runge_kutta(const SpinSystem& system, double timestep) {
  spins::IntegratorSettings settings;
  settings.scheme = spins::Scheme::rk4;
  settings.timestep = timestep;
  return {system.model, system.state.layout(), settings, system.device};
}

/// Largest distance from the closed form of a spin precessing in a field.
Comparison larmor_precession() {
  SpinSystem system(parse_system(one_spin, "verify"), Device::cpu());
  const double s = std::sin(0.5), c = std::cos(0.5);
  // The field is along (0, 0.8, 0.6); the spin starts at polar angle 0.5 from it.
  system.state.set_all(std::vector<Vec3<double>>{{s, 0.8 * c, 0.6 * c}});
  spins::Integrator integrator = runge_kutta(system, 0.01);
  integrator.run(system.state, 1000);
  const double angle = 1.5 * 10;
  // The basis (x, b x x): de/dt = - e x B turns counterclockwise seen from the tip of B.
  const double u = s * std::cos(angle), v = s * std::sin(angle);
  const Vec3<double> exact{u, 0.8 * c + 0.6 * v, 0.6 * c - 0.8 * v};
  return {"Larmor precession after 15 rad", 0, length(system.state.configuration(0)[0] - exact),
          1e-7, false};
}

Comparison spin_wave_frequency() {
  SpinSystem system(parse_system(square_in_a_field, "verify"), Device::cpu());
  const double q = 2 * std::numbers::pi / 8, amplitude = 1e-4;
  std::vector<Vec3<double>> e;
  for (Index site = 0; site < 64; ++site) {
    const double phase = q * static_cast<double>(site % 8 + 2 * (site / 8));
    e.push_back({amplitude * std::cos(phase), amplitude * std::sin(phase),
                 std::sqrt(1 - amplitude * amplitude)});
  }
  system.state.set_all(e);
  spins::Integrator integrator = runge_kutta(system, 0.005);
  integrator.run(system.state, 100);
  const Vec3<double> after = system.state.configuration(0)[0];
  const double exact = 0.5 + 2 * (2 - std::cos(q) - std::cos(2 * q));
  return {"spin-wave frequency 2J(2 - cos qx - cos qy) + B", exact,
          std::atan2(after.y, after.x) / 0.5, 1e-6, false};
}

}  // namespace

bool Comparison::passed() const { return std::abs(deviation()) < (statistical ? 3.89 : 1.0); }

std::vector<Comparison> verify(Index samples,
                               const std::function<void(const Comparison&)>& report) {
  std::vector<Comparison> all;
  const auto add = [&](Comparison comparison) {
    report(comparison);
    all.push_back(std::move(comparison));
  };
  for (const SamplerCase& with : samplers) {
    add(thermal_energy("spin in a field, Langevin", one_spin, 1.0, -2.25 * langevin(2.25), with,
                       samples));
    add(thermal_energy("open chain", open_chain, 0.5, -0.9 * langevin(2.0), with, samples));
  }
  add(larmor_precession());
  add(spin_wave_frequency());
  return all;
}

}  // namespace larmor::study
