// Signs and sum rules of S(q,w), from trajectories of the engine.
// Rooms: correlations

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/correlations/spectra/structure_factor.hpp"
#include "test_system.hpp"
#include "tests/spectrum_peak.hpp"

namespace larmor::spectrum_tests {

using namespace larmor::correlations;
using namespace larmor::spins;
using testing_support::fit_peak;
using testing_support::TestSystem;

TEST(Spectrum, DmiChainTellsQFromMinusQ) {
  // Moments precess counterclockwise about the field. The magnon of wave vector k appears at (q, w)
  // = (k, -w_k) and (-k, +w_k), with w_k = B + 2 J (1 - cos k) - 2 D sin k.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[32]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[dmi]]\noffset=[[1,0,0]]\nD=[0,0,0.4]\n[field]\nB=[0,0,1.5]\n",
      32, 2);
  Sampler sampler = system.sampler({Update::heat_bath}, 0.002, 5);
  sampler.run(system.state, 500);  // starts with all spins along z
  StructureFactorSettings settings;
  settings.q = q_explicit(system.geometry, {{0.25, 0, 0}, {-0.25, 0, 0}});
  settings.interval = 0.2;
  settings.samples = 400;
  StructureFactor correlations(system.geometry, settings, system.replicas());
  Integrator integrator = system.integrator(Scheme::rk4, 0.02);
  for (Index n = 0; n < settings.samples; ++n) {
    correlations.add(system.state);
    integrator.run(system.state, 10);
  }
  const StructureFactorResult result = correlations.finish(2);
  const std::size_t F = result.frequency.size(), positive = F / 2 + 1;
  const double bin = result.frequency[1] - result.frequency[0];
  const auto peak = [&](std::size_t q, bool up) {
    const auto row = std::span(result.intensity).subspan(q * F, F);
    const auto w = std::span(result.frequency);
    return up ? fit_peak(w.subspan(positive), row.subspan(positive))
              : fit_peak(w.first(positive - 1), row.first(positive - 1));
  };
  const double plus = 1.5 + 2 + 2 * 0.4, minus = 1.5 + 2 - 2 * 0.4;
  EXPECT_NEAR(peak(0, true), plus, bin);
  EXPECT_NEAR(peak(0, false), -minus, bin);
  EXPECT_NEAR(peak(1, true), minus, bin);
  EXPECT_NEAR(peak(1, false), -plus, bin);
}

TEST(Spectrum, PeaksStandInTheBinsOfTheDispersionByEveryMethod) {
  // The square-lattice ferromagnet has w = B + 2 J (2 - cos qx - cos qy).
  constexpr double T = 0.002, B = 0.5;
  constexpr Index replicas = 8;
  TestSystem system(
      "[lattice]\ntype='square'\nsize=[8,8]\n[[exchange]]\nshell=1\nJ=1\n[field]\nB=[0,0,0.5]\n",
      replicas, 2);
  Sampler sampler = system.sampler({Update::heat_bath}, T, 5);
  sampler.run(system.state, 300);  // starts with all spins along z
  StructureFactorSettings settings;
  settings.q = q_path(system.geometry, {"Γ", "X", "M", "Γ"}, {});
  settings.interval = 0.25;
  settings.samples = 250;
  std::vector<std::unique_ptr<Correlator>> by_method;
  for (const correlations::Method method :
       {correlations::Method::factorised, correlations::Method::fft,
        correlations::Method::real_space}) {
    settings.method = method;
    by_method.push_back(make_correlator(system.geometry, settings, replicas));
  }
  Integrator integrator = system.integrator(Scheme::rk4, settings.interval / 5);
  for (Index n = 0; n < settings.samples; ++n) {
    for (const auto& correlator : by_method) correlator->add(system.state);
    integrator.run(system.state, 5);
  }
  ASSERT_EQ(settings.q.size(), 13);
  for (const auto& correlator : by_method) {
    const StructureFactorResult result = correlator->finish(2);
    const std::size_t F = result.frequency.size(), zero = F / 2;
    const double bin = result.frequency[1] - result.frequency[0];
    for (std::size_t q = 0; q < settings.q.q.size(); ++q) {
      const Vec3<double>& k = settings.q.cartesian[q];
      const double w = B + 2 * (2 - std::cos(k.x) - std::cos(k.y));
      const auto row = std::span(result.intensity).subspan(q * F, F);
      const auto highest =
          std::max_element(row.begin() + static_cast<std::ptrdiff_t>(zero), row.end());
      const double found = result.frequency[static_cast<std::size_t>(highest - row.begin())];
      EXPECT_NEAR(found, w, 0.75 * bin) << "q " << q;
      EXPECT_NEAR(fit_peak(std::span(result.frequency).subspan(zero), row.subspan(zero)), w,
                  0.35 * bin)
          << "q " << q;
    }
  }
}

TEST(Spectrum, StaticIntensityOverTheZoneIsOneMinusTheSquareOfTheMean) {
  // The sum rule is (1/N) sum_q S(q) = (1/N) sum_r (1 - |<e_r>|^2). It is exact if the mean is over
  // the replicas and the covariance divides by M.
  TestSystem system(
      "[lattice]\ntype='square'\nsize=[12,10]\n[[exchange]]\nshell=1\nJ=1\n"
      "[field]\nB=[0,0,0.5]\n",
      20, 2);
  Sampler sampler = system.sampler({Update::heat_bath}, 0.3, 6);
  sampler.run(system.state, 100);
  StructureFactorSettings settings;
  settings.q = q_grid(system.geometry);
  settings.unbiased = false;
  StructureFactor correlations(system.geometry, settings, system.replicas());
  correlations.add(system.state);
  const StructureFactorResult result = correlations.finish(2);
  double sum = 0;
  for (const double s : result.static_value) sum += s / 120;
  std::vector<Vec3<double>> mean(120, {0, 0, 0});
  for (Index r = 0; r < system.replicas(); ++r) {
    const auto e = system.state.configuration(r);
    for (std::size_t i = 0; i < e.size(); ++i) mean[i] += (1.0 / 20) * e[i];
  }
  double expected = 1;
  for (const Vec3<double>& m : mean) expected -= dot(m, m) / 120;
  EXPECT_NEAR(sum, expected, 1e-10);
  EXPECT_GT(expected, 0.05);
}

}  // namespace larmor::spectrum_tests
