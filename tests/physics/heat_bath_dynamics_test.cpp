// The stochastic Landau-Lifshitz-Gilbert equation: its heat bath has the requested temperature for
// any damping, moment and scheme.
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "larmor/core/statistics/statistics.hpp"
#include "test_system.hpp"
#include "tests/named.hpp"

namespace larmor::heat_bath_dynamics_tests {

using namespace larmor::spins;
using testing_support::sigmas_of_alpha;
using testing_support::TestSystem;

double langevin(double x) { return 1 / std::tanh(x) - 1 / x; }

using NamedScheme = testing_support::Named<Scheme>;

class HeatBathDynamics : public testing::TestWithParam<NamedScheme> {
 protected:
  /// The mean of `observable` (one number per replica) over `samples` intervals of time 0.5, and
  /// its error.
  static Estimate average(TestSystem& system, Integrator& integrator, double timestep, int samples,
                          const std::function<std::vector<double>(const TestSystem&)>& observable) {
    const auto stride = static_cast<Index>(std::lround(0.5 / timestep));
    std::vector<double> series;
    for (int n = 0; n < samples; ++n) {
      integrator.run(system.state, stride);
      const std::vector<double> x = observable(system);
      series.insert(series.end(), x.begin(), x.end());
    }
    return estimate_replicas(series, system.replicas());
  }

  static std::vector<double> magnetisation_z(const TestSystem& system) {
    std::vector<double> z;
    for (const Vec3<double>& m : magnetisation_per_site(system.model, system.state))
      z.push_back(m.z);
    return z;
  }

  /// The mean <cos> of free spins in a field with mu B = 2 k_B T, minus the Langevin function.
  static Estimate bias(Scheme scheme, double timestep, double alpha, Index spins, int samples) {
    TestSystem system("[lattice]\ntype='chain'\nsize=[" + std::to_string(spins) +
                          "]\nmoment=[2.0]\n[field]\nB=[0,0,1.0]\n",
                      32, 2);
    system.state.randomise(1);
    Integrator integrator = system.integrator(scheme, timestep, alpha, 1.0, 7);
    integrator.run(system.state, static_cast<Index>(20 / alpha / timestep));
    Estimate estimate = average(system, integrator, timestep, samples, magnetisation_z);
    estimate.value = estimate.value / 2 - langevin(2.0);
    estimate.error /= 2;
    return estimate;
  }

  static void expect_langevin(double alpha, int samples) {
    const Estimate deviation = bias(GetParam().value, 0.01, alpha, 64, samples);
    // The allowance of 0.003 covers the bias of the time step.
    EXPECT_NEAR(deviation.value, 0, sigmas_of_alpha * deviation.error + 0.003) << "alpha " << alpha;
    EXPECT_LT(deviation.error, 0.003);
  }
};

using HeatBathDynamicsInDepth = HeatBathDynamics;
using HeatBathOfReplicas = HeatBathDynamics;

TEST_P(HeatBathDynamics, FreeSpinsFollowLangevin) { expect_langevin(1.0, 100); }

TEST_P(HeatBathDynamicsInDepth, FreeSpinsFollowLangevinForAnyDamping) {
  for (const double alpha : {0.1, 0.5, 1.0}) expect_langevin(alpha, 400);
}

TEST_P(HeatBathDynamicsInDepth, TheBiasOfTheTimeStepIsOfFirstWeakOrder) {
  const Estimate coarse = bias(GetParam().value, 0.2, 1.0, 256, 600);
  const Estimate fine = bias(GetParam().value, 0.1, 1.0, 256, 600);
  const double error = std::hypot(fine.error, coarse.error / 2);
  EXPECT_LT(std::abs(fine.value), std::abs(coarse.value) / 2 * 1.3 + sigmas_of_alpha * error);
  EXPECT_LT(std::abs(coarse.value), 0.1);
}

TEST_P(HeatBathDynamics, DirectionsAreForgottenAtTheRateOfTheFluctuationDissipationTheorem) {
  // If there is no field, <e(t)> = e(0) exp(-2 alpha gamma k_B T t / (mu (1 + alpha^2))).
  const double alpha = 0.4, moment = 1.6, temperature = 0.7, time = 2.0;
  TestSystem system("[lattice]\ntype='chain'\nsize=[512]\nmoment=[1.6]\n", 64, 2);
  system.integrator(GetParam().value, 0.01, alpha, temperature, 3).run(system.state, 200);
  const std::vector<double> z = magnetisation_z(system);
  const double mean = std::accumulate(z.begin(), z.end(), 0.0) / 64 / moment;
  const double exact = std::exp(-2 * alpha * temperature * time / (moment * (1 + alpha * alpha)));
  // A component of a unit vector has a variance below 1, and there are 32768 spins.
  EXPECT_NEAR(mean, exact, sigmas_of_alpha / std::sqrt(32768.0) + 0.002);
}

TEST_P(HeatBathDynamics, UnequalMomentsAndDampingsShareOneTemperature) {
  // Two coupled spins have <e_1.e_2> = coth(J/T) - T/J for any moments.
  TestSystem system(
      "[lattice]\ncell=[[2,0,0],[0,1,0],[0,0,1]]\nbasis=[[0,0,0],[0.4,0,0]]\nsize=[32,1,1]\n"
      "moment=[1.0,3.0]\n[[exchange]]\noffset=[[0,0,0]]\natoms=[0,1]\nJ=0.8\n",
      32, 2);
  system.state.randomise(2);
  IntegratorSettings settings;
  settings.scheme = GetParam().value;
  settings.timestep = 0.02;
  for (int cell = 0; cell < 32; ++cell) settings.damping.insert(settings.damping.end(), {0.2, 0.9});
  Integrator integrator(system.model, system.state.layout(), settings, system.device);
  integrator.set_temperatures({0.5});
  integrator.run(system.state, 2000);
  const Estimate energy =
      average(system, integrator, settings.timestep, 250,
              [](const TestSystem& s) { return energy_per_site(s.model, s.state); });
  const double exact = -0.8 * langevin(0.8 / 0.5) / 2;
  EXPECT_NEAR(energy.value, exact, sigmas_of_alpha * energy.error + 0.001);
  EXPECT_LT(energy.error, 0.002);
}

TEST_P(HeatBathOfReplicas, EachReplicaHasItsOwnTemperature) {
  TestSystem system("[lattice]\ntype='chain'\nsize=[512]\nmoment=[1.0]\n[field]\nB=[0,0,1.0]\n", 2,
                    2);
  system.state.randomise(1);
  Integrator integrator = system.integrator(GetParam().value, 0.02, 0.5);
  integrator.set_temperatures({0.25, 2.0});
  integrator.run(system.state, 1500);
  std::vector<double> mean{0, 0};
  for (int n = 0; n < 100; ++n) {
    integrator.run(system.state, 50);
    const std::vector<double> z = magnetisation_z(system);
    for (std::size_t r = 0; r < 2; ++r) mean[r] += z[r] / 100;
  }
  EXPECT_NEAR(mean[0], langevin(4.0), 0.02);
  EXPECT_NEAR(mean[1], langevin(0.5), 0.02);
}

const auto schemes_with_heat_bath = testing::Values(
    NamedScheme{"depondt", Scheme::depondt}, NamedScheme{"heun", Scheme::heun},
    NamedScheme{"semi_implicit", Scheme::semi_implicit}, NamedScheme{"midpoint", Scheme::midpoint});
INSTANTIATE_TEST_SUITE_P(Integrators, HeatBathDynamics, schemes_with_heat_bath,
                         testing_support::by_name);
INSTANTIATE_TEST_SUITE_P(Depth, HeatBathDynamicsInDepth, schemes_with_heat_bath,
                         testing_support::by_name);
// One scheme is enough here, because all schemes use equal noise.
INSTANTIATE_TEST_SUITE_P(Integrators, HeatBathOfReplicas,
                         testing::Values(NamedScheme{"depondt", Scheme::depondt}),
                         testing_support::by_name);
INSTANTIATE_TEST_SUITE_P(Depth, HeatBathOfReplicas,
                         testing::Values(NamedScheme{"heun", Scheme::heun},
                                         NamedScheme{"semi_implicit", Scheme::semi_implicit},
                                         NamedScheme{"midpoint", Scheme::midpoint}),
                         testing_support::by_name);

TEST(RungeKutta, HasNoHeatBath) {
  TestSystem system("[lattice]\ntype='chain'\nsize=[2]\n");
  Integrator integrator = system.integrator(Scheme::rk4, 0.01, 0.1);
  EXPECT_THROW(integrator.set_temperatures({0.5}), InternalError);
}

}  // namespace larmor::heat_bath_dynamics_tests
