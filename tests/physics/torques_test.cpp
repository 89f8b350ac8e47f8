// Torques of currents against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "test_system.hpp"
#include "tests/named.hpp"

namespace {

using namespace larmor;
using namespace larmor::spins;
using testing_support::TestSystem;

class PolarisedTorque : public testing::TestWithParam<testing_support::Named<Scheme>> {};

TEST_P(PolarisedTorque, TurnsAndDampsASpinInClosedForm) {
  // Field B and polarisation both along z: the spin precesses at gamma (B + c - alpha a) / (1 +
  // alpha^2), and tan(theta/2) decays at gamma (a + alpha (B + c)) / (1 + alpha^2).
  TestSystem system("[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[field]\nB=[0,0,0.8]\n");
  const double alpha = 0.3, a = 0.25, c = -0.15, time = 5, start = 2.5;
  system.state.set_all(std::vector<Vec3<double>>{{std::sin(start), 0, std::cos(start)}});
  Integrator integrator = system.integrator(GetParam().value, 0.001, alpha);
  integrator.set_torque(PolarisationTorque{{0, 0, 1}, a, c, 0});
  integrator.run(system.state, 5000);
  const double turned = (0.8 + c - alpha * a) / (1 + alpha * alpha) * time;
  const double decay = (a + alpha * (0.8 + c)) / (1 + alpha * alpha) * time;
  const double theta = 2 * std::atan(std::tan(start / 2) * std::exp(-decay));
  const Vec3<double> exact{std::sin(theta) * std::cos(turned), std::sin(theta) * std::sin(turned),
                           std::cos(theta)};
  EXPECT_LT(length(system.state.configuration(0)[0] - exact), 1e-5);
}

TEST_P(PolarisedTorque, AsymmetryWeakensItWhereTheSpinFollowsThePolarisation) {
  // At e.p = cos(theta) the rate is a / (1 + asymmetry cos(theta)): one short step from the equator
  // and from theta = 0.5.
  for (const double theta : {0.5, std::numbers::pi / 2}) {
    TestSystem system("[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n");
    system.state.set_all(std::vector<Vec3<double>>{{std::sin(theta), 0, std::cos(theta)}});
    Integrator integrator = system.integrator(GetParam().value, 1e-4);
    integrator.set_torque(PolarisationTorque{{0, 0, 1}, 0.5, 0, 0.6});
    integrator.run(system.state, 10);
    const double after = std::acos(system.state.configuration(0)[0].z);
    const double rate = 0.5 / (1 + 0.6 * std::cos(theta)) * std::sin(theta);
    EXPECT_NEAR((theta - after) / 1e-3, rate, 2e-3 * rate);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, PolarisedTorque,
                         testing::ValuesIn(testing_support::all_schemes), testing_support::by_name);

/// A plane wave of small amplitude along the moments of a ferromagnet.
std::vector<Vec3<double>> small_wave(const lattice::Geometry& geometry, const Vec3<double>& k) {
  const double amplitude = 1e-4;
  std::vector<Vec3<double>> e;
  for (Index site = 0; site < geometry.sites(); ++site) {
    const double phase = dot(k, geometry.position(site));
    e.push_back({amplitude * std::cos(phase), amplitude * std::sin(phase),
                 std::sqrt(1 - amplitude * amplitude)});
  }
  return e;
}

/// The phase that site 0 has gained after `time`.
double phase_gained(const char* lattice, const Vec3<double>& k, const Vec3<double>& u,
                    double time) {
  TestSystem system(std::string("[lattice]\n") + lattice + "[field]\nB=[0,0,0.3]\n");
  system.state.set_all(small_wave(system.geometry, k));
  Integrator integrator = system.integrator(Scheme::rk4, 0.01);
  integrator.set_torque(SpinTransferTorque{u, 0}, system.geometry);
  integrator.run(system.state, static_cast<Index>(std::lround(time / 0.01)));
  const Vec3<double> e = system.state.configuration(0)[0];
  return std::arg(std::complex<double>(e.x, e.y));
}

TEST(SpinTransferTorque, ShiftsSpinWavesByDoppler) {
  // exp(i k x) gains - u sin(k) t beside its precession: the central difference of (u.grad).
  const double k = 2 * std::numbers::pi * 3 / 16, u = 0.4, time = 2;
  EXPECT_NEAR(phase_gained("type='chain'\nsize=[16]\n", {k, 0, 0}, {u, 0, 0}, time),
              (0.3 - u * std::sin(k)) * time, 1e-6);
  EXPECT_NEAR(phase_gained("type='chain'\nsize=[16]\n", {k, 0, 0}, {-u, 0, 0}, time),
              (0.3 + u * std::sin(k)) * time, 1e-6);
}

TEST(SpinTransferTorque, FollowsTheVelocityOnATriangularLattice) {
  // Six neighbours: sum of r r^T = 3, so that (u.grad) e = (1/3) sum_j (u.r_j) e_j.
  const double a = std::sqrt(3.0) / 2, time = 1.5;
  const Vec3<double> u{0.2, -0.35, 0};
  const Vec3<double> k{2 * std::numbers::pi / 12, 2 * std::numbers::pi / (12 * 2 * a) * 2, 0};
  const Vec3<double> r[3] = {{1, 0, 0}, {0.5, a, 0}, {-0.5, a, 0}};
  double rate = 0;
  for (const Vec3<double>& v : r) rate += 2.0 / 3 * dot(u, v) * std::sin(dot(k, v));
  EXPECT_NEAR(phase_gained("type='triangular'\nsize=[24,24]\n", k, u, time), (0.3 - rate) * time,
              1e-6);
}

/// A Neel wall of width delta in the middle of an open chain, up on the left.
struct Wall {
  explicit Wall(const std::string& more)
      : system(
            "[lattice]\ntype='chain'\nsize=[240]\nperiodic=false\n[[exchange]]\nshell=1\nJ=1\n"
            "[[anisotropy]]\nK=0.01\n" +
            more) {
    std::vector<Vec3<double>> e;
    const double delta = std::sqrt(1 / (2 * 0.01));
    for (int i = 0; i < 240; ++i) {
      const double x = (i - 100.0) / delta;
      e.push_back({1 / std::cosh(x), 0, -std::tanh(x)});
    }
    system.state.set_all(e);
  }
  /// Sites that are up: the wall's position.
  double position() const {
    return 120 * (1 + magnetisation_per_site(system.model, system.state)[0].z);
  }
  /// Mean velocity over `steps` steps.
  double velocity(Integrator& integrator, Index steps, double timestep) {
    const double before = position();
    integrator.run(system.state, steps);
    return (position() - before) / (static_cast<double>(steps) * timestep);
  }
  TestSystem system;
};

TEST(DomainWall, HasTheWidthOfTheContinuum) {
  Wall wall("");
  wall.system.integrator(Scheme::depondt, 0.05, 1.0).run(wall.system.state, 20000);
  // e_z = - tanh(x / delta), delta = sqrt(J / 2K): the slope where e_z = 0 gives delta.
  const auto e = wall.system.state.configuration(0);
  double slope = 0;  // of atanh(e_z), per site
  for (std::size_t i = 1; i < e.size(); ++i)
    if (e[i - 1].z > 0 && e[i].z <= 0) slope = std::atanh(e[i - 1].z) - std::atanh(e[i].z);
  EXPECT_NEAR(1 / slope, std::sqrt(1 / 0.02), 0.01 * std::sqrt(1 / 0.02));
}

TEST(DomainWall, MovesWithTheCurrentWhereBetaEqualsAlpha) {
  Wall wall("");
  Integrator integrator = wall.system.integrator(Scheme::depondt, 0.05, 0.2);
  integrator.set_torque(SpinTransferTorque{{0.05, 0, 0}, 0.2}, wall.system.geometry);
  EXPECT_NEAR(wall.velocity(integrator, 10000, 0.05), 0.05, 0.0005);
}

TEST(DomainWall, TurnsAndMovesSlowerWithoutNonadiabaticity) {
  // No hard axis: v = (1 + alpha beta) u / (1 + alpha^2).
  Wall wall("");
  Integrator integrator = wall.system.integrator(Scheme::depondt, 0.05, 0.5);
  integrator.set_torque(SpinTransferTorque{{0.05, 0, 0}, 0.1}, wall.system.geometry);
  EXPECT_NEAR(wall.velocity(integrator, 10000, 0.05), 0.05 * (1 + 0.05) / 1.25, 0.0005);
}

TEST(DomainWall, UnderAHardAxisMovesAtBetaOverAlphaTimesTheCurrent) {
  // Below Walker's limit: v = (beta / alpha) u.
  Wall wall("[[anisotropy]]\nK=-0.004\naxis=[0,1,0]\n");
  const double alpha = 0.3, beta = 0.45, u = 0.01;
  Integrator integrator = wall.system.integrator(Scheme::depondt, 0.05, alpha);
  integrator.set_torque(SpinTransferTorque{{u, 0, 0}, beta}, wall.system.geometry);
  integrator.run(wall.system.state, 50000);
  EXPECT_NEAR(wall.velocity(integrator, 20000, 0.05), beta / alpha * u, 0.02 * beta / alpha * u);
}

TEST(SpinTransferTorque, NeedsNeighboursAlongTheVelocity) {
  TestSystem system("[lattice]\ntype='chain'\nsize=[8]\n");
  Integrator integrator = system.integrator(Scheme::depondt, 0.01);
  EXPECT_THROW(integrator.set_torque(SpinTransferTorque{{0, 1, 0}, 0}, system.geometry),
               InputError);
}

}  // namespace
