// Linear spin-wave theory, compared with the engine's own Landau-Lifshitz equation. Near a
// stationary state, a step of rk4 is a linear map with the eigenvalues exp(-+ i w dt). On the whole
// periodic lattice, these w are the w_n(k) of all its wave vectors.
// Rooms: spinwaves

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "larmor/spins/integrators/integrator.hpp"
#include "spin_wave_support.hpp"

namespace larmor::spin_wave_dynamics_tests {

using testing_support::sorted;
using testing_support::SpinWaveSystem;
using testing_support::Theory;

/// Two unit vectors perpendicular to e and to each other.
std::array<Vec3<double>, 2> across(const Vec3<double>& e) {
  const Vec3<double> aside = std::abs(e.x) < 0.7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> u = cross(e, aside);
  const Vec3<double> v = (1 / length(u)) * u;
  return {v, cross(e, v)};
}

/// Frequencies of the normal modes of all spins, in rising order. [spins]
std::vector<double> frequencies_of_steps(SpinWaveSystem& of) {
  constexpr double dt = 0.004, small = 3e-5;
  const std::vector<Vec3<double>> rest = of.spins();
  std::vector<std::size_t> site;
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (of.system.geometry.occupied(static_cast<Index>(i))) site.push_back(i);
  const auto N = static_cast<Eigen::Index>(2 * site.size());
  spins::IntegratorSettings settings;
  settings.scheme = spins::Scheme::rk4;
  settings.timestep = dt;
  spins::Integrator integrator(of.system.model, of.system.state.layout(), settings,
                               of.system.device);
  const auto after_a_step = [&](std::size_t i, const Vec3<double>& aside) {
    std::vector<Vec3<double>> e = rest;
    const Vec3<double> moved = e[i] + aside;
    e[i] = (1 / length(moved)) * moved;
    of.system.state.set_all(e);
    integrator.run(of.system.state, 1);
    return of.spins();
  };
  Eigen::MatrixXd M(N, N);
  for (Eigen::Index column = 0; column < N; ++column) {
    const std::size_t i = site[static_cast<std::size_t>(column / 2)];
    const Vec3<double> u = across(rest[i])[static_cast<std::size_t>(column % 2)];
    const auto plus = after_a_step(i, small * u), minus = after_a_step(i, -small * u);
    for (Eigen::Index row = 0; row < N; ++row) {
      const std::size_t j = site[static_cast<std::size_t>(row / 2)];
      M(row, column) =
          dot(across(rest[j])[static_cast<std::size_t>(row % 2)], plus[j] - minus[j]) / (2 * small);
    }
  }
  of.system.state.set_all(rest);
  std::vector<double> all;
  for (const std::complex<double>& value : M.eigenvalues())
    all.push_back(std::abs(std::arg(value)) / dt);
  all = sorted(all);
  std::vector<double> each;  // every frequency occurs with both signs
  for (std::size_t n = 0; n < all.size(); n += 2) each.push_back(0.5 * (all[n] + all[n + 1]));
  return each;
}

/// The frequencies w_n(k), in rising order, for all wave vectors of the lattice that are distinct
/// in the magnetic zone. If wave vectors differ by a reciprocal vector of the magnetic cell, their
/// frequencies are equal.
std::vector<double> frequencies_of_theory(const SpinWaveSystem& of, const Theory& theory) {
  std::vector<double> all;
  const auto list = correlations::q_grid(of.system.geometry);
  for (const Vec3<double>& k : list.cartesian)
    for (const double w : theory.frequencies(k)) all.push_back(w);
  all = sorted(all);
  const std::size_t folded = all.size() / static_cast<std::size_t>(of.system.geometry.spins());
  std::vector<double> each;
  for (std::size_t n = 0; n < all.size(); n += folded) each.push_back(all[n]);
  return each;
}

void expect_same_frequencies(SpinWaveSystem& system, Index cell_spins, double tolerance = 1e-6) {
  const Theory theory(system);
  EXPECT_EQ(theory.cell.spins(), cell_spins);
  EXPECT_LT(theory.quadratic.largest_torque(), 1e-9);
  const auto expected = frequencies_of_steps(system);
  const auto found = frequencies_of_theory(system, theory);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t n = 0; n < found.size(); ++n)
    EXPECT_NEAR(found[n], expected[n], tolerance) << "mode " << n;
  EXPECT_GT(found.back(), 1);
}

TEST(SpinWaveDynamics, FerromagnetWithEverySortOfBond) {
  // If D is perpendicular to the moments, it has no effect. D along the moments, an asymmetric
  // tensor and different moments have an effect.
  SpinWaveSystem system(
      "[lattice]\ncell=[[1,0,0],[0,1,0],[0,0,1]]\nbasis=[[0,0,0],[0.5,0.4,0]]\nsize=[4,3]\n"
      "moment=[1.5,0.8]\n[[exchange]]\nshell=1\nJ=1\n[[exchange]]\nshell=3\nJ=0.4\n"
      "[[dmi]]\natoms=[0,0]\noffset=[[1,0,0],[0,1,0]]\nD=[0,0,0.3]\n"
      "[[exchange-tensor]]\natoms=[0,1]\noffset=[[0,0,0]]\n"
      "A=[[0.2,0.1,0],[-0.3,0.4,0],[0,0,0.5]]\n[[biquadratic]]\nshell=1\nb=0.1\n"
      "[[anisotropy]]\nK=0.5\n[field]\nB=[0,0,2]\n");
  system.set(testing_support::along({0, 0, 1}));
  expect_same_frequencies(system, 2);
}

TEST(SpinWaveDynamics, SpiralOfAChiralChain) {
  // The spiral has twelve sites per turn. A hard axis along D pins only its plane.
  SpinWaveSystem system(
      "[lattice]\ntype='chain'\nsize=[24]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[dmi]]\noffset=[[1,0,0]]\nD=[0,0,0.5773502691896258]\n[[anisotropy]]\nK=-0.2\n");
  system.set(testing_support::spiral({std::numbers::pi / 6, 0, 0}, {1, 0, 0}, {0, 1, 0}));
  // A rotation of the spiral costs no energy, so this mode has the square root of a rounding error.
  expect_same_frequencies(system, 12, 2e-4);
}

TEST(SpinWaveDynamics, DisorderedCouplingsInANonCollinearMinimum) {
  SpinWaveSystem system(
      "[lattice]\ntype='square'\nsize=[4,4]\n[[exchange]]\nshell=1\nJ=0.2\ndisorder=1\n"
      "disorder_seed=5\n[[dmi]]\nshell=1\nstrength=0.4\ndirection='interface'\n"
      "[[anisotropy]]\nK=0.6\naxis=[1,1,0]\nK4=0.3\n[[cubic-anisotropy]]\nK4=0.2\n"
      "[[biquadratic]]\nshell=2\nb=-0.2\n[[random-field]]\nwidth=0.5\nseed=3\n");
  system.relax(11);
  expect_same_frequencies(system, 16);
}

TEST(SpinWaveDynamics, TiltedAnisotropyAndFieldOnTheTriangularLattice) {
  // Three different sublattices have relaxed from the state of 120 degrees. A cell has three spins.
  SpinWaveSystem system(
      "[lattice]\ntype='triangular'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=-1\n"
      "[[exchange-tensor]]\nshell=1\nA=[[0,0,0],[0,0,0],[0,0,0.3]]\n"
      "[[anisotropy]]\nK=0.2\naxis=[1,0,0]\n[field]\nB=[0.3,0.1,0.8]\n");
  system.set(testing_support::spiral({4 * std::numbers::pi / 3, 0, 0}, {1, 0, 0}, {0, 1, 0}));
  spins::MinimiserSettings settings;
  settings.tolerance = 1e-11;
  spins::Minimiser minimiser(system.system.model, system.system.state.layout(), settings,
                             system.system.device);
  minimiser.start(system.system.state);
  minimiser.run(system.system.state, 20000);
  expect_same_frequencies(system, 3);
}

TEST(SpinWaveDynamics, VacanciesAndOpenBoundaries) {
  SpinWaveSystem system(
      "[lattice]\ntype='honeycomb'\nsize=[4,3]\nperiodic=[true,false]\n"
      "[[alloy]]\nsites=[5,12]\nby='vacancy'\n[[exchange]]\nshell=1\nJ=-1\n"
      "[[dmi]]\nshell=2\nstrength=0.1\ndirection='bond'\n[[anisotropy]]\nK=0.4\n"
      "[field]\nB=[0.2,0,0.1]\n");
  system.relax(3);
  expect_same_frequencies(system, 22);
}

TEST(SpinWaveDynamics, DipolesOfAnyRange) {
  for (const char* method : {"fft", "bonds"}) {
    SpinWaveSystem system(
        "[lattice]\ncell=[[1,0,0],[0,1,0],[0,0,3]]\nbasis=[[0,0,0],[0.5,0.3,0.1]]\nsize=[6,2]\n"
        "moment=[1,0.7]\n[[exchange]]\nshell=1\nJ=1\n[dipolar]\nstrength=0.3\nmethod='" +
        std::string(method) + "'\n[[anisotropy]]\nK=0.3\naxis=[1,0,0]\n[field]\nB=[1,0.2,0]\n");
    system.set(testing_support::along({1, 0, 0}));
    spins::MinimiserSettings settings;
    settings.tolerance = 1e-11;
    spins::Minimiser minimiser(system.system.model, system.system.state.layout(), settings,
                               system.system.device);
    minimiser.start(system.system.state);
    minimiser.run(system.system.state, 20000);
    expect_same_frequencies(system, std::string(method) == "fft" ? 2 : 24);
  }
}

}  // namespace larmor::spin_wave_dynamics_tests
