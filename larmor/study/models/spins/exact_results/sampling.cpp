#include <cmath>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/models/spins/exact_results/exact_results.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {
namespace {

struct NamedSampler {
  const char* name;
  spins::SamplerSettings settings;
};

std::vector<NamedSampler> samplers() {
  const auto settings = [](spins::Update update, bool adaptive, int over_relaxation) {
    spins::SamplerSettings s;
    s.update = update;
    s.adaptive_cone = adaptive;
    s.over_relaxation = over_relaxation;
    return s;
  };
  return {{"Metropolis, sphere", settings(spins::Update::metropolis, false, 0)},
          {"Metropolis, cone", settings(spins::Update::metropolis, true, 0)},
          {"heat bath", settings(spins::Update::heat_bath, true, 0)},
          {"heat bath + over-relaxation", settings(spins::Update::heat_bath, true, 2)}};
}

/// Energy per site.
Measured sampled_energy(const std::string& tables, double temperature,
                        const spins::SamplerSettings& settings, const Device& on, Index samples) {
  SpinSystem system(parse_system("replicas = 32\n" + tables, "verify"), on);
  spins::Sampler sampler(system.model, settings, 20240601, exact_replicas, on);
  sampler.set_temperatures(std::vector<double>(exact_replicas, temperature));
  system.state.randomise(1);
  for (int round = 0; round < 50; ++round) sampler.tune(system.state, 10);
  std::vector<double> series;
  for (Index n = 0; n < samples; ++n) {
    sampler.run(system.state, 2);
    const std::vector<double> e = spins::energy_per_site(system.model, system.state);
    series.insert(series.end(), e.begin(), e.end());
  }
  const Estimate estimate = estimate_replicas(series, exact_replicas);
  return {estimate.value, estimate.error};
}

const std::string one_spin =
    "[lattice]\ntype = 'chain'\nsize = [1]\nperiodic = false\nmoment = [1.5]\n[field]\nB = [0, "
    "1.2, 0.9]\n";
const std::string open_chain =
    "[lattice]\ntype = 'chain'\nsize = [10]\nperiodic = false\n[[exchange]]\nshell = 1\nJ = 1\n";

}  // namespace

double langevin(double x) { return 1 / std::tanh(x) - 1 / x; }

std::vector<ExactResult> exact_sampling() {
  std::vector<ExactResult> results;
  for (const NamedSampler& with : samplers()) {
    const auto add = [&](const std::string& what, const std::string& tables, double temperature,
                         double exact) {
      results.push_back({what + " (" + with.name + ")", exact, true,
                         [=, settings = with.settings](const Device& on, Index samples) {
                           return sampled_energy(tables, temperature, settings, on, samples);
                         }});
    };
    add("spin in a field, Langevin", one_spin, 1.0, -2.25 * langevin(2.25));
    add("open chain", open_chain, 0.5, -0.9 * langevin(2.0));
  }
  return results;
}

}  // namespace larmor::study
