// Landau-Lifshitz-Gilbert dynamics without noise, compared with closed forms.
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "test_system.hpp"

namespace larmor::dynamics_tests {

using namespace larmor::spins;
using testing_support::TestSystem;

double distance(const Vec3<double>& a, const Vec3<double>& b) { return length(a - b); }

struct NamedScheme {
  const char* name;
  Scheme scheme;
  int order;
  double precession_error;  ///< after 15 rad in steps of 0.0015 rad

  friend void PrintTo(const NamedScheme& tested, std::ostream* out) { *out << tested.name; }
};

const NamedScheme schemes[] = {
    {"rk4", Scheme::rk4, 4, 1e-11},          {"depondt", Scheme::depondt, 2, 1e-11},
    {"heun", Scheme::heun, 2, 1e-5},         {"semi_implicit", Scheme::semi_implicit, 2, 1e-5},
    {"midpoint", Scheme::midpoint, 2, 1e-5},
};

/// A temperature for schemes that support noise. Half of the tests use noise, which the Runge-Kutta
/// scheme does not support.
double some_temperature(const NamedScheme& tested) {
  return tested.scheme == Scheme::rk4 ? 0 : 0.5;
}

const char* mixed_system =
    "[lattice]\ntype='square'\nsize=[3,3]\nmoment=[1.3]\n[[exchange]]\nshell=1\nJ=1\n"
    "[[dmi]]\nshell=1\nstrength=0.3\ndirection='interface'\n[[anisotropy]]\nK=0.4\n"
    "[field]\nB=[0.1,0,0.2]\n";

class EveryIntegrator : public testing::TestWithParam<NamedScheme> {};

TEST_P(EveryIntegrator, LarmorPrecessionInClosedForm) {
  // The equation is de/dt = -gamma e x B. The spin turns about B = B z counterclockwise, seen from
  // +z, at gamma B for any moment.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\nmoment=[2.4]\n"
      "[field]\nB=[0,0,1.5]\n");
  const double s = std::sin(0.7), c = std::cos(0.7);
  system.state.set_all(std::vector<Vec3<double>>{{s, 0, c}});
  system.integrator(GetParam().scheme, 0.001).run(system.state, 10000);
  const double angle = 1.5 * 10;
  EXPECT_LT(
      distance(system.state.configuration(0)[0], {s * std::cos(angle), s * std::sin(angle), c}),
      GetParam().precession_error);
}

TEST_P(EveryIntegrator, DampedReversalInClosedForm) {
  // The solution is tan(theta/2) = tan(theta_0/2) exp(-alpha gamma B t / (1 + alpha^2)) and phi =
  // phi_0 + gamma B t / (1 + alpha^2).
  for (const double alpha : {0.05, 0.6}) {
    TestSystem system("[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[field]\nB=[0,0,1.5]\n");
    const double start = 3.0, time = 10;
    system.state.set_all(std::vector<Vec3<double>>{{std::sin(start), 0, std::cos(start)}});
    system.integrator(GetParam().scheme, 0.001, alpha).run(system.state, 10000);
    const double turned = 1.5 * time / (1 + alpha * alpha);
    const double theta = 2 * std::atan(std::tan(start / 2) * std::exp(-alpha * turned));
    EXPECT_LT(distance(system.state.configuration(0)[0],
                       {std::sin(theta) * std::cos(turned), std::sin(theta) * std::sin(turned),
                        std::cos(theta)}),
              2e-5)
        << "alpha " << alpha;
  }
}

TEST_P(EveryIntegrator, PrecessionInAnExchangeFieldSlowsWithTheMoment) {
  // For two spins, J e_2 acts as a field J / mu on e_1. Both spins turn about their sum at J |e_1 +
  // e_2| / mu.
  for (const double moment : {1.0, 2.0}) {
    TestSystem system("[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\nmoment=[" +
                      std::to_string(moment) + "]\n[[exchange]]\nshell=1\nJ=0.9\n");
    const double t = 0.4;
    system.state.set_all(
        std::vector<Vec3<double>>{{std::sin(t), 0, std::cos(t)}, {-std::sin(t), 0, std::cos(t)}});
    system.integrator(GetParam().scheme, 0.001).run(system.state, 5000);
    const double angle = 0.9 * 2 * std::cos(t) / moment * 5;
    EXPECT_LT(distance(system.state.configuration(0)[0],
                       {std::sin(t) * std::cos(angle), std::sin(t) * std::sin(angle), std::cos(t)}),
              1e-5);
  }
}

TEST_P(EveryIntegrator, ConvergesWithItsOrder) {
  for (const Index replicas : {Index{1}, Index{2}}) {
    const auto final_state = [&](Scheme scheme, double timestep, Index steps) {
      TestSystem system(mixed_system, replicas);
      system.state.randomise(3);
      system.integrator(scheme, timestep, 0.2).run(system.state, steps);
      return system.state.configuration(replicas - 1);
    };
    const auto reference = final_state(Scheme::rk4, 0.001, 2000);
    const auto error = [&](double timestep, Index steps) {
      const auto e = final_state(GetParam().scheme, timestep, steps);
      double sum = 0;
      for (std::size_t i = 0; i < e.size(); ++i) sum += std::pow(distance(e[i], reference[i]), 2);
      return std::sqrt(sum);
    };
    const double order = std::log2(error(0.02, 100) / error(0.01, 200));
    EXPECT_NEAR(order, GetParam().order, 0.1);
  }
}

TEST_P(EveryIntegrator, KeepsTheLengthOfSpins) {
  TestSystem system(mixed_system, 9);
  system.state.randomise(4);
  system.integrator(GetParam().scheme, 0.05, 0.3, some_temperature(GetParam()))
      .run(system.state, 5000);
  for (Index r = 0; r < 9; ++r)
    for (const auto& e : system.state.configuration(r)) EXPECT_NEAR(dot(e, e), 1, 1e-12);
}

TEST_P(EveryIntegrator, OneReplicaAndManyAreTheSamePhysics) {
  TestSystem one(mixed_system, 1), many(mixed_system, 9);
  for (TestSystem* system : {&one, &many}) {
    system->state.randomise(6);
    system->integrator(GetParam().scheme, 0.01, 0.3, some_temperature(GetParam()))
        .run(system->state, 200);
  }
  const auto a = one.state.configuration(0), b = many.state.configuration(0);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(distance(a[i], b[i]), 1e-10);
}

TEST_P(EveryIntegrator, SameBitsForAnyNumberOfThreads) {
  for (const Index replicas : {Index{1}, Index{20}}) {
    std::vector<std::vector<double>> final_states;
    for (const int threads : {1, 2, 7}) {
      TestSystem system(mixed_system, replicas, threads);
      system.state.randomise(8);
      system.integrator(GetParam().scheme, 0.01, 0.1, some_temperature(GetParam()))
          .run(system.state, 50);
      final_states.push_back(system.state.save());
    }
    EXPECT_EQ(final_states[0], final_states[1]);
    EXPECT_EQ(final_states[0], final_states[2]);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, EveryIntegrator, testing::ValuesIn(schemes),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Midpoint, KeepsQuadraticEnergiesInLargeSteps) {
  TestSystem system(mixed_system, 9);
  system.state.randomise(4);
  const auto before = energy_per_site(system.model, system.state);
  system.integrator(Scheme::midpoint, 0.2).run(system.state, 2000);
  const auto after = energy_per_site(system.model, system.state);
  for (std::size_t r = 0; r < before.size(); ++r) EXPECT_NEAR(after[r], before[r], 1e-10);
}

TEST(Midpoint, SaysWhenItsIterationDoesNotConverge) {
  TestSystem system(mixed_system);
  system.state.randomise(4);
  Integrator integrator = system.integrator(Scheme::midpoint, 50);
  EXPECT_THROW(integrator.run(system.state, 10), UnphysicalError);
}

TEST(Rk4, KeepsEnergyAndLength) {
  TestSystem system(mixed_system, 9);
  system.state.randomise(4);
  const auto before = energy_per_site(system.model, system.state);
  system.integrator(Scheme::rk4, 0.01).run(system.state, 2000);
  const auto after = energy_per_site(system.model, system.state);
  for (std::size_t r = 0; r < before.size(); ++r) EXPECT_NEAR(after[r], before[r], 1e-6);
  for (Index r = 0; r < 9; ++r)
    for (const auto& e : system.state.configuration(r)) EXPECT_NEAR(dot(e, e), 1, 1e-14);
}

TEST(Rk4, SpinWaveOfARingHasItsFrequency) {
  // A mode k of small amplitude on a ferromagnetic ring in a field has w = B + 2 J (1 - cos k).
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[16]\n[[exchange]]\nshell=1\nJ=1\n"
      "[field]\nB=[0,0,0.3]\n");
  const double k = 2 * std::numbers::pi * 3 / 16, amplitude = 1e-4;
  std::vector<Vec3<double>> e;
  for (int i = 0; i < 16; ++i)
    e.push_back({amplitude * std::cos(k * i), amplitude * std::sin(k * i),
                 std::sqrt(1 - amplitude * amplitude)});
  system.state.set_all(e);
  system.integrator(Scheme::rk4, 0.01).run(system.state, 300);
  const double turned = (0.3 + 2 * (1 - std::cos(k))) * 3;
  const Vec3<double> e0 = system.state.configuration(0)[0];
  EXPECT_NEAR(e0.x / amplitude, std::cos(turned), 1e-6);
  EXPECT_NEAR(e0.y / amplitude, std::sin(turned), 1e-6);
}

}  // namespace larmor::dynamics_tests
