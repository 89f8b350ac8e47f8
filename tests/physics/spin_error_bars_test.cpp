// Error bars of a spin model must cover the exact average with the right frequency. Two coupled
// spins, whose energy has a closed form, run 5000 times independently with a slow sampler.
// Rooms: core, spins

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/statistics/statistics.hpp"
#include "test_system.hpp"

namespace larmor::spin_error_bars_tests {

using namespace larmor::spins;
using testing_support::TestSystem;

TEST(SpinErrorBars, CoverTheExactEnergyInSixtyEightPercentOfRuns) {
  constexpr Index runs = 5000, samples = 2000;
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n[[exchange]]\nshell=1\nJ=1\n", runs, 2);
  constexpr double temperature = 0.25;
  SamplerSettings settings;
  settings.adaptive_cone = true;
  settings.target_acceptance = 0.85;  // steps are small, so that samples are correlated
  Sampler sampler = system.sampler(settings, temperature, 12);
  system.state.randomise(12);
  for (int round = 0; round < 40; ++round) sampler.tune(system.state, 10);
  std::vector<double> series;
  series.reserve(runs * samples);
  for (Index n = 0; n < samples; ++n) {
    sampler.run(system.state, 1);
    const auto e = energy_per_site(system.model, system.state);
    series.insert(series.end(), e.begin(), e.end());
  }
  const double x = 1 / temperature;
  const double exact = -0.5 * (1 / std::tanh(x) - 1 / x);
  Index covered = 0;
  double tau = 0;
  std::vector<double> one(samples);
  for (Index run = 0; run < runs; ++run) {
    for (Index n = 0; n < samples; ++n)
      one[static_cast<std::size_t>(n)] = series[static_cast<std::size_t>(n * runs + run)];
    const Estimate e = estimate(one);
    covered += std::abs(e.value - exact) < e.error;
    tau += e.autocorrelation_time / runs;
  }
  EXPECT_GT(tau, 3) << "samples are nearly independent: nothing is tested";
  EXPECT_NEAR(static_cast<double>(covered) / runs, 0.683, 0.02) << "tau = " << tau;
}

}  // namespace larmor::spin_error_bars_tests
