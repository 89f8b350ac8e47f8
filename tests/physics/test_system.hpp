#pragma once
// A small system, built from the text of a study, for tests of samplers and integrators.

#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"
#include "tests/named.hpp"

namespace larmor::testing_support {

inline std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

inline Device in_precision(Device device, Precision precision) {
  device.precision = precision;
  return device;
}

/// The device of the tests: the CPU in double precision, or the choice of LARMOR_TEST_BACKEND
/// ("cuda") and LARMOR_TEST_PRECISION ("single", "mixed").
inline Device test_device(int threads) {
  Device device =
      environment("LARMOR_TEST_BACKEND") == "cuda" ? Device::cuda(0) : Device::cpu(threads);
  device.threads = threads;
  const std::string precision = environment("LARMOR_TEST_PRECISION");
  if (precision == "single") return in_precision(device, Precision::single_numbers);
  return precision == "mixed" ? in_precision(device, Precision::mixed_numbers) : device;
}

/// Host copies of vectors in the layout of a state. Tests read and change them.
struct HostVectors {
  std::vector<double> numbers;
  VectorView view;

  HostVectors(std::vector<double> values, const SpinLayout& layout)
      : numbers(std::move(values)), view(numbers.data(), layout) {}
  explicit HostVectors(const spins::SpinState& state) : HostVectors(state.save(), state.layout()) {}
  HostVectors(const HostVectors&) = delete;
  HostVectors& operator=(const HostVectors&) = delete;
};

/// The fields -dH/de of every spin.
inline HostVectors fields_of(const spins::Model& model, const spins::SpinState& state) {
  RealArray field(state.device(), state.layout().numbers());
  spins::store_effective_field(model, state, field);
  return {field.to_host(), state.layout()};
}

/// A system from a text of TOML without stages.
struct TestSystem : study::SpinSystem {
  explicit TestSystem(const std::string& system, Index replicas = 1, int threads = 1)
      : SpinSystem(
            study::parse_system("replicas = " + std::to_string(replicas) + "\n" + system, "test"),
            test_device(threads)) {}
  TestSystem(const std::string& system, Index replicas, const Device& on)
      : SpinSystem(
            study::parse_system("replicas = " + std::to_string(replicas) + "\n" + system, "test"),
            on) {}

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
    spins::Sampler sampler(model, settings, seed, replicas(), device);
    sampler.set_temperatures(
        std::vector<double>(static_cast<std::size_t>(replicas()), temperature));
    return sampler;
  }
};

inline spins::SamplerSettings sampler_settings(spins::Update update, bool adaptive_cone,
                                               int over_relaxation) {
  spins::SamplerSettings settings;
  settings.update = update;
  settings.adaptive_cone = adaptive_cone;
  settings.over_relaxation = over_relaxation;
  return settings;
}
inline constexpr Named<spins::Scheme> all_schemes[] = {
    {"rk4", spins::Scheme::rk4},
    {"depondt", spins::Scheme::depondt},
    {"heun", spins::Scheme::heun},
    {"semi_implicit", spins::Scheme::semi_implicit},
    {"midpoint", spins::Scheme::midpoint}};

/// A sampler as a parameter of a test.
struct NamedSampler {
  const char* name;
  spins::SamplerSettings settings;

  friend void PrintTo(const NamedSampler& tested, std::ostream* out) { *out << tested.name; }
};

/// A standard normal deviate exceeds this size with the probability 1e-4.
inline constexpr double sigmas_of_alpha = 3.89;

}  // namespace larmor::testing_support
