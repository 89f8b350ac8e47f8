#include <cmath>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/models/spins/exact_results/exact_results.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {
namespace {

struct NamedSampler {
  std::string name;
  spins::SamplerSettings settings;
};

/// Each update, with a cone and without if it can have one. The heat bath is also combined with
/// over-relaxation.
std::vector<NamedSampler> samplers() {
  std::vector<NamedSampler> all;
  for (const auto& [update, info] : spins::all_updates) {
    if (info.name == nullptr) continue;
    spins::SamplerSettings settings;
    settings.update = update;
    settings.adaptive_cone = false;
    all.push_back({info.has_cone ? std::string(info.title) + ", sphere" : info.title, settings});
    if (!info.has_cone) continue;
    settings.adaptive_cone = true;
    all.push_back({std::string(info.title) + ", cone", settings});
  }
  spins::SamplerSettings settings;
  settings.update = spins::Update::heat_bath;
  settings.over_relaxation = 2;
  all.push_back({"heat bath + over-relaxation", settings});
  return all;
}

/// Energy per site.
Measured sampled_energy(const std::string& tables, double temperature,
                        const spins::SamplerSettings& settings, const Device& device,
                        Index samples) {
  SpinSystem system(parse_system("replicas = 32\n" + tables, "verify"), device);
  spins::Sampler sampler(system.model, settings, 20240601, exact_replicas, device);
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
  for (const NamedSampler& named_sampler : samplers()) {
    const auto add = [&](const std::string& name, const std::string& tables, double temperature,
                         double exact) {
      results.push_back(
          {name + " (" + named_sampler.name + ")", exact, true,
           [=, settings = named_sampler.settings](const Device& device, Index samples) {
             return sampled_energy(tables, temperature, settings, device, samples);
           }});
    };
    add("spin in a field, Langevin", one_spin, 1.0, -2.25 * langevin(2.25));
    add("open chain", open_chain, 0.5, -0.9 * langevin(2.0));
  }
  return results;
}

}  // namespace larmor::study
