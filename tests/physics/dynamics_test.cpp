// Landau-Lifshitz dynamics against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "test_system.hpp"

namespace {

using namespace larmor;
using namespace larmor::spins;
using testing_support::TestSystem;

double distance(const Vec3<double>& a, const Vec3<double>& b) { return length(a - b); }

TEST(Rk4, LarmorPrecessionInClosedForm) {
  // de/dt = -gamma e x B: about B = B z the spin turns counterclockwise seen from +z, at gamma B,
  // whatever its moment.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\nmoment=[2.4]\n"
      "[field]\nB=[0,0,1.5]\n");
  const double s = std::sin(0.7), c = std::cos(0.7);
  system.state.set_all(std::vector<Vec3<double>>{{s, 0, c}});
  Rk4 integrator(system.model, system.state.layout(), 0.01, 1.0, system.device);
  integrator.run(system.state, 1000);
  const double angle = 1.5 * 10;
  EXPECT_LT(
      distance(system.state.configuration(0)[0], {s * std::cos(angle), s * std::sin(angle), c}),
      1e-8);
}

TEST(Rk4, PrecessionInAnExchangeFieldSlowsWithTheMoment) {
  // Two spins: J e_2 acts as a field J / mu; both turn about their sum at J |e_1 + e_2| / mu.
  for (const double moment : {1.0, 2.0}) {
    TestSystem system("[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\nmoment=[" +
                      std::to_string(moment) + "]\n[[exchange]]\nshell=1\nJ=0.9\n");
    const double t = 0.4;
    system.state.set_all(
        std::vector<Vec3<double>>{{std::sin(t), 0, std::cos(t)}, {-std::sin(t), 0, std::cos(t)}});
    Rk4 integrator(system.model, system.state.layout(), 0.01, 1.0, system.device);
    integrator.run(system.state, 500);
    const double angle = 0.9 * 2 * std::cos(t) / moment * 5;
    EXPECT_LT(distance(system.state.configuration(0)[0],
                       {std::sin(t) * std::cos(angle), std::sin(t) * std::sin(angle), std::cos(t)}),
              1e-8);
  }
}

const char* mixed_system =
    "[lattice]\ntype='square'\nsize=[3,3]\nmoment=[1.3]\n[[exchange]]\nshell=1\nJ=1\n"
    "[[dmi]]\nshell=1\nstrength=0.3\ndirection='interface'\n[[anisotropy]]\nK=0.4\n"
    "[field]\nB=[0.1,0,0.2]\n";

TEST(Rk4, ConvergesWithOrderFour) {
  for (const Index replicas : {Index{1}, Index{2}}) {
    const auto final_state = [&](double timestep, Index steps) {
      TestSystem system(mixed_system, replicas);
      system.state.randomise(3);
      Rk4 integrator(system.model, system.state.layout(), timestep, 1.0, system.device);
      integrator.run(system.state, steps);
      return system.state.configuration(replicas - 1);
    };
    const auto reference = final_state(0.001, 2000);
    const auto error = [&](double timestep, Index steps) {
      const auto e = final_state(timestep, steps);
      double sum = 0;
      for (std::size_t i = 0; i < e.size(); ++i) sum += std::pow(distance(e[i], reference[i]), 2);
      return std::sqrt(sum);
    };
    const double order = std::log2(error(0.02, 100) / error(0.01, 200));
    EXPECT_NEAR(order, 4, 0.1);
  }
}

TEST(Rk4, KeepsEnergyAndLength) {
  TestSystem system(mixed_system, 9);
  system.state.randomise(4);
  const auto before = energy_per_site(system.model, system.state);
  Rk4 integrator(system.model, system.state.layout(), 0.01, 1.0, system.device);
  integrator.run(system.state, 2000);
  const auto after = energy_per_site(system.model, system.state);
  for (std::size_t r = 0; r < before.size(); ++r) EXPECT_NEAR(after[r], before[r], 1e-6);
  for (Index r = 0; r < 9; ++r)
    for (const auto& e : system.state.configuration(r)) EXPECT_NEAR(dot(e, e), 1, 1e-14);
}

TEST(Rk4, SpinWaveOfARingHasItsFrequency) {
  // Small-amplitude mode k on a ferromagnetic ring in a field: w = B + 2 J (1 - cos k).
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[16]\n[[exchange]]\nshell=1\nJ=1\n"
      "[field]\nB=[0,0,0.3]\n");
  const double k = 2 * std::numbers::pi * 3 / 16, amplitude = 1e-4;
  std::vector<Vec3<double>> e;
  for (int i = 0; i < 16; ++i)
    e.push_back({amplitude * std::cos(k * i), amplitude * std::sin(k * i),
                 std::sqrt(1 - amplitude * amplitude)});
  system.state.set_all(e);
  Rk4 integrator(system.model, system.state.layout(), 0.01, 1.0, system.device);
  integrator.run(system.state, 300);
  const double turned = (0.3 + 2 * (1 - std::cos(k))) * 3;
  const Vec3<double> e0 = system.state.configuration(0)[0];
  EXPECT_NEAR(e0.x / amplitude, std::cos(turned), 1e-6);
  EXPECT_NEAR(e0.y / amplitude, std::sin(turned), 1e-6);
}

TEST(Rk4, SameBitsForAnyNumberOfThreads) {
  std::vector<std::vector<double>> final_states;
  for (const int threads : {1, 2, 7}) {
    TestSystem system(mixed_system, 20, threads);
    system.state.randomise(8);
    Rk4 integrator(system.model, system.state.layout(), 0.01, 1.0, system.device);
    integrator.run(system.state, 50);
    final_states.push_back(system.state.save());
  }
  EXPECT_EQ(final_states[0], final_states[1]);
  EXPECT_EQ(final_states[0], final_states[2]);
}

}  // namespace
