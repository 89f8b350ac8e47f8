#pragma once
// A small system made from the text of a study, for tests that drive samplers and integrators.

#include <memory>
#include <string>

#include "larmor/spins/integrators/rk4.hpp"
#include "larmor/spins/observables.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/system.hpp"

namespace larmor::testing_support {

/// Everything from lattice to spins; `system` is TOML without stages.
struct TestSystem {
  explicit TestSystem(const std::string& system, Index replicas = 1, int threads = 1)
      : study(study::parse_study(
            system +
                "\n[[stage]]\nkind = \"anneal\"\ntemperature = {from = 1, to = 1, points = 2}\n",
            "test.toml", ".")),
        device(Device::cpu(threads)),
        geometry(study::build_geometry(study)),
        moments(study::site_moments(geometry)),
        model(device, geometry, study::lower_terms(study, geometry, moments), moments),
        state(device, SpinLayout{geometry.sites(), replicas}, model.canonical()) {}
  TestSystem(const TestSystem&) = delete;

  Index replicas() const { return state.layout().replicas; }
  spins::Sampler sampler(const spins::SamplerSettings& settings, double temperature,
                         std::uint64_t seed) const {
    spins::Sampler sampler(model, settings, seed, replicas());
    sampler.set_temperatures(
        std::vector<double>(static_cast<std::size_t>(replicas()), temperature));
    return sampler;
  }

  study::Study study;
  Device device;
  lattice::Geometry geometry;
  std::vector<double> moments;
  spins::Model model;
  spins::SpinState state;
};

/// Probability that a standard normal deviate is larger in size is 1e-4.
inline constexpr double sigmas_of_alpha = 3.89;

}  // namespace larmor::testing_support
