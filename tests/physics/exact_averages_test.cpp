// Thermal averages of every sampler, compared with exact results: a spin in a field, pairs, open
// chains, anisotropy and Dzyaloshinskii-Moriya bonds by quadrature.
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "larmor/core/statistics/statistics.hpp"
#include "test_system.hpp"

namespace larmor::exact_averages_tests {

using namespace larmor::spins;
using testing_support::NamedSampler;
using testing_support::sampler_settings;
using testing_support::sigmas_of_alpha;
using testing_support::TestSystem;

double langevin(double x) { return 1 / std::tanh(x) - 1 / x; }

/// The integral over [-1, 1] by Simpson's rule.
double integral(const std::function<double(double)>& f) {
  constexpr int n = 4000;
  double sum = f(-1) + f(1);
  for (int i = 1; i < n; ++i) sum += (i % 2 ? 4 : 2) * f(-1 + 2.0 * i / n);
  return sum * 2 / (3.0 * n);
}

/// The mean <f> over cosines c with the weight exp(-beta E(c)).
double thermal(double beta, const std::function<double(double)>& energy,
               const std::function<double(double)>& f) {
  const auto weight = [&](double c) { return std::exp(-beta * energy(c)); };
  return integral([&](double c) { return weight(c) * f(c); }) / integral(weight);
}

class ExactAverage : public testing::TestWithParam<NamedSampler> {
 protected:
  /// Compares the mean of an observable (one number per replica) after thermalisation with `exact`,
  /// in standard errors.
  void expect_average(TestSystem& system, double temperature, double exact,
                      const std::function<std::vector<double>(const TestSystem&)>& observable) {
    Sampler sampler = system.sampler(GetParam().settings, temperature, 4711);
    system.state.randomise(99);
    for (int round = 0; round < 30; ++round) sampler.tune(system.state, 10);
    std::vector<double> series;
    for (int sample = 0; sample < 2000; ++sample) {
      sampler.run(system.state, 2);
      const std::vector<double> values = observable(system);
      series.insert(series.end(), values.begin(), values.end());
    }
    const Estimate e = estimate_replicas(series, system.replicas());
    EXPECT_TRUE(e.reliable);
    EXPECT_LT(std::abs(e.value - exact), sigmas_of_alpha * e.error)
        << e.value << " +- " << e.error << " against " << exact;
    EXPECT_LT(e.error, 0.01) << "too coarse to notice anything";
  }
};

std::vector<double> energies(const TestSystem& s) { return energy_per_site(s.model, s.state); }

TEST_P(ExactAverage, OneSpinInAFieldFollowsLangevin) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\nmoment=[1.7]\n"
      "[field]\nB=[0.3,-0.4,1.2]\n",
      32);
  const double strength = 1.7 * 1.3;  // mu |B|
  expect_average(system, 0.9, -strength * langevin(strength / 0.9), energies);
}

TEST_P(ExactAverage, TwoSpins) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n"
      "[[exchange]]\nshell=1\nJ=1.5\n",
      32);
  expect_average(system, 0.8, -0.5 * 1.5 * langevin(1.5 / 0.8), energies);
}

TEST_P(ExactAverage, OpenChainEnergyAndCorrelation) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[12]\nperiodic=false\n"
      "[[exchange]]\nshell=1\nJ=-1\n",
      32);
  const double bond = langevin(-1 / 0.7);
  expect_average(system, 0.7, 11.0 / 12 * bond, energies);
  // The exact correlation is <e_2.e_5> = L(J/T)^3.
  expect_average(system, 0.7, bond * bond * bond, [](const TestSystem& s) {
    std::vector<double> products;
    for (Index r = 0; r < s.replicas(); ++r) {
      const auto e = s.state.configuration(r);
      products.push_back(dot(e[2], e[5]));
    }
    return products;
  });
}

TEST_P(ExactAverage, UniaxialAnisotropyWithFieldAlongIt) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n"
      "[[anisotropy]]\nK=1.4\naxis=[0,3,4]\n[field]\nB=[0,0.3,0.4]\n",
      32);
  const auto energy = [](double c) { return -1.4 * c * c - 0.5 * c; };
  expect_average(system, 0.6, thermal(1 / 0.6, energy, energy), energies);
}

TEST_P(ExactAverage, DzyaloshinskiiMoriyaPair) {
  // If e_1 has the cosine c to D, the field on e_2 has the length sqrt(J^2 + D^2 (1 - c^2)).
  constexpr double J = 0.8, D = 1.1, beta = 1 / 0.7;
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n"
      "[[exchange]]\nshell=1\nJ=0.8\n"
      "[[dmi]]\noffset=[[1,0,0]]\nD=[0,1.1,0]\n",
      32);
  const auto length = [](double c) { return std::sqrt(J * J + D * D * (1 - c * c)); };
  const auto weight = [&](double c) { return std::sinh(beta * length(c)) / length(c); };
  const double energy = -integral([&](double c) {
    return weight(c) * length(c) * langevin(beta * length(c));
  }) / integral(weight);
  expect_average(system, 0.7, energy / 2, energies);
  // The Dzyaloshinskii-Moriya term lowers the energy: D.(e_1 x e_2) has the sign of D on average.
  expect_average(system, 0.7,
                 -integral([&](double c) {
                   return weight(c) * langevin(beta * length(c)) * D * D * (1 - c * c) / length(c);
                 }) / integral(weight) /
                     2,
                 [](const TestSystem& s) { return term_energy_per_site(s.model, 1, s.state); });
}

TEST_P(ExactAverage, OneReplicaUsesSiteLanesAndAgrees) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[64]\nperiodic=false\n"
      "[[exchange]]\nshell=1\nJ=1\n",
      1);
  expect_average(system, 1.0, -63.0 / 64 * langevin(1.0), energies);
}

INSTANTIATE_TEST_SUITE_P(
    Samplers, ExactAverage,
    testing::Values(
        NamedSampler{"metropolis_uniform", sampler_settings(Update::metropolis, false, 0)},
        NamedSampler{"metropolis_cone", sampler_settings(Update::metropolis, true, 0)},
        NamedSampler{"heat_bath", sampler_settings(Update::heat_bath, true, 0)},
        NamedSampler{"metropolis_over_relaxation", sampler_settings(Update::metropolis, true, 2)},
        NamedSampler{"heat_bath_over_relaxation", sampler_settings(Update::heat_bath, true, 1)}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace larmor::exact_averages_tests
