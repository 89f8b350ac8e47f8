#pragma once
// A small system made from the text of a study, for tests that drive samplers and integrators.

#include <memory>
#include <string>

#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/observables.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/system.hpp"

namespace larmor::testing_support {

/// `system` is TOML without stages.
struct TestSystem : study::SpinSystem {
  explicit TestSystem(const std::string& system, Index replicas = 1, int threads = 1)
      : SpinSystem(
            study::parse_system("replicas = " + std::to_string(replicas) + "\n" + system, "test"),
            Device::cpu(threads)) {}

  Index replicas() const { return state.layout().replicas; }
  spins::Integrator integrator(spins::Scheme scheme, double timestep, double damping = 0,
                               double temperature = 0, std::uint64_t seed = 1) const {
    spins::IntegratorSettings settings;
    settings.scheme = scheme;
    settings.timestep = timestep;
    settings.damping = {damping};
    settings.seed = seed;
    spins::Integrator integrator(model, state.layout(), settings, device);
    integrator.set_temperatures(
        std::vector<double>(static_cast<std::size_t>(replicas()), temperature));
    return integrator;
  }
  spins::Sampler sampler(const spins::SamplerSettings& settings, double temperature,
                         std::uint64_t seed) const {
    spins::Sampler sampler(model, settings, seed, replicas());
    sampler.set_temperatures(
        std::vector<double>(static_cast<std::size_t>(replicas()), temperature));
    return sampler;
  }
};

/// Probability that a standard normal deviate is larger in size is 1e-4.
inline constexpr double sigmas_of_alpha = 3.89;

}  // namespace larmor::testing_support
