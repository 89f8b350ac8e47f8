#include <cmath>
#include <numbers>

#include "larmor/correlations/fourier/state_amplitudes.hpp"
#include "larmor/correlations/spectra/correlator.hpp"
#include "larmor/correlations/spectra/static_structure_factor.hpp"
#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/models/spins/exact_results/exact_results.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {
namespace {

using correlations::Method;

constexpr Index chain_sites = 10;
constexpr double chain_q = 0.2;  ///< r.l.u.

/// S(q) of an open chain of J = 1 at k_B T = `temperature`: <e_i.e_j> = L(1 / k_B T)^|i-j| with
/// Langevin's function L.
double open_chain_structure(double temperature) {
  const double L = langevin(1 / temperature), q = 2 * std::numbers::pi * chain_q;
  double sum = chain_sites;
  for (Index r = 1; r < chain_sites; ++r)
    sum += 2 * static_cast<double>(chain_sites - r) * std::pow(L, static_cast<double>(r)) *
           std::cos(q * static_cast<double>(r));
  return sum / static_cast<double>(chain_sites);
}

Measured sampled_structure(double temperature, const Device& device, Index samples) {
  SpinSystem system(parse_system("replicas = 32\n[lattice]\ntype = 'chain'\nsize = [10]\nperiodic "
                                 "= false\n[[exchange]]\nshell = 1\nJ = 1\n",
                                 "verify"),
                    device);
  spins::SamplerSettings settings;
  settings.update = spins::Update::heat_bath;
  spins::Sampler sampler(system.model, settings, 20240603, exact_replicas, device);
  sampler.set_temperatures(std::vector<double>(exact_replicas, temperature));
  system.state.randomise(3);
  sampler.run(system.state, 500);
  const correlations::QList q = correlations::q_explicit(system.geometry, {{chain_q, 0, 0}});
  correlations::StateAmplitudes amplitudes(system.geometry, q, Method::factorised, exact_replicas);
  correlations::StaticStructureFactor sums({q.size(), exact_replicas});
  for (Index n = 0; n < samples; ++n) {
    sampler.run(system.state, 2);
    sums.add(amplitudes.transform(system.state).take(), device.threads);
  }
  const correlations::StaticResult result =
      sums.finish(static_cast<double>(system.geometry.spins()), false, device.threads);
  return {result.value[0], result.error[0]};
}

/// A wave (a cos, a sin, sqrt(1 - a^2)) with a = 0.6 on a ferromagnetic chain of J = 1 in a field
/// of 0.5 has S(q,t) = (N a^2 / 2) exp(-i w t).
Measured wave_in_time(Method method, const Device& device, bool frequency) {
  constexpr Index sites = 16;
  SpinSystem system(parse_system("[lattice]\ntype = 'chain'\nsize = [16]\n[[exchange]]\nshell = "
                                 "1\nJ = 1\n[field]\nB = [0, 0, 0.5]\n",
                                 "verify"),
                    device);
  const double q = 2 * std::numbers::pi * 3 / sites;
  system.state.set_by_site([&](Index site) {
    const double phase = -q * static_cast<double>(site);
    return Vec3<double>{0.6 * std::cos(phase), 0.6 * std::sin(phase), 0.8};
  });
  spins::IntegratorSettings of_steps;
  of_steps.scheme = spins::Scheme::rk4;
  of_steps.timestep = 0.005;
  spins::Integrator integrator(system.model, system.state.layout(), of_steps, device);
  correlations::StructureFactorSettings settings;
  settings.q = correlations::q_explicit(system.geometry, {{3.0 / sites, 0, 0}});
  settings.method = method;
  settings.connected = false;
  settings.interval = 0.5;
  settings.samples = 2;
  const auto factor = correlations::make_correlator(system.geometry, settings, 1);
  factor->add(system.state);
  integrator.run(system.state, 100);
  factor->add(system.state);
  factor->finish_sums();
  const correlations::StructureFactorResult result = factor->finish(device.threads);
  const double value = frequency
                           ? -std::arg(result.intermediate[1]) / settings.interval
                           : result.intermediate[1].real() * result.intermediate[1].real() +
                                 result.intermediate[1].imag() * result.intermediate[1].imag();
  return {value, tolerance(device, 1e-8)};
}

}  // namespace

std::vector<ExactResult> exact_correlations() {
  std::vector<ExactResult> results;
  results.push_back({"S(q) of an open chain", open_chain_structure(0.5), true,
                     [](const Device& device, Index samples) {
                       return sampled_structure(0.5, device, samples);
                     }});
  const double frequency = 0.5 + 2 * 0.8 * (1 - std::cos(2 * std::numbers::pi * 3 / 16));
  for (const Method method : {Method::factorised, Method::fft}) {
    const std::string name = std::string(" (") + correlations::name_of(method) + ")";
    results.push_back(
        {"S(q,t) of a spin wave: frequency" + name, frequency, false,
         [method](const Device& device, Index) { return wave_in_time(method, device, true); }});
    results.push_back(
        {"S(q,t) of a spin wave: |S|^2 = (N a^2 / 2)^2" + name, 2.88 * 2.88, false,
         [method](const Device& device, Index) { return wave_in_time(method, device, false); }});
  }
  return results;
}

}  // namespace larmor::study
