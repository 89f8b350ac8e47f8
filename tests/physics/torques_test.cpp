// Torques of currents, compared with closed forms.
// Rooms: spins

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "test_system.hpp"
#include "tests/named.hpp"

namespace larmor::torques_tests {

using namespace larmor::spins;
using testing_support::TestSystem;

class PolarisedTorque : public testing::TestWithParam<testing_support::Named<Scheme>> {};

TEST_P(PolarisedTorque, TurnsAndDampsASpinInClosedForm) {
  // The field B and the polarisation both lie along z. The spin precesses at gamma (B + c - alpha
  // a) / (1 + alpha^2), and tan(theta/2) decays at gamma (a + alpha (B + c)) / (1 + alpha^2).
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
  // At e.p = cos(theta), the rate is a / (1 + asymmetry cos(theta)). The test makes one short step
  // from the equator and one from theta = 0.5.
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

/// A plane wave of small amplitude on the aligned moments of a ferromagnet.
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

/// The phase that site 0 gains during `time`.
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
  // The wave exp(i k x) gains the phase - u sin(k) t in addition to its precession, since (u.grad)
  // is a central difference.
  const double k = 2 * std::numbers::pi * 3 / 16, u = 0.4, time = 2;
  EXPECT_NEAR(phase_gained("type='chain'\nsize=[16]\n", {k, 0, 0}, {u, 0, 0}, time),
              (0.3 - u * std::sin(k)) * time, 1e-6);
  EXPECT_NEAR(phase_gained("type='chain'\nsize=[16]\n", {k, 0, 0}, {-u, 0, 0}, time),
              (0.3 + u * std::sin(k)) * time, 1e-6);
}

TEST(SpinTransferTorque, FollowsTheVelocityOnATriangularLattice) {
  // For six neighbours, the sum of r r^T is 3, and hence (u.grad) e = (1/3) sum_j (u.r_j) e_j.
  const double a = std::sqrt(3.0) / 2, time = 1.5;
  const Vec3<double> u{0.2, -0.35, 0};
  const Vec3<double> k{2 * std::numbers::pi / 12, 2 * std::numbers::pi / (12 * 2 * a) * 2, 0};
  const Vec3<double> r[3] = {{1, 0, 0}, {0.5, a, 0}, {-0.5, a, 0}};
  double rate = 0;
  for (const Vec3<double>& v : r) rate += 2.0 / 3 * dot(u, v) * std::sin(dot(k, v));
  EXPECT_NEAR(phase_gained("type='triangular'\nsize=[24,24]\n", k, u, time), (0.3 - rate) * time,
              1e-6);
}

/// A Neel wall of width delta in the middle of an open chain. Spins on the left point up.
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
  /// The number of sites whose spins point up, which is the position of the wall.
  double position() const {
    return 120 * (1 + magnetisation_per_site(system.model, system.state)[0].z);
  }
  /// The mean velocity of the wall over `steps` steps.
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
  // In the wall, e_z = - tanh(x / delta) with delta = sqrt(J / 2K). The slope at e_z = 0 gives
  // delta.
  const auto e = wall.system.state.configuration(0);
  double slope = 0;  // slope of atanh(e_z), per site
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
  // If there is no hard axis, the velocity is v = (1 + alpha beta) u / (1 + alpha^2).
  Wall wall("");
  Integrator integrator = wall.system.integrator(Scheme::depondt, 0.05, 0.5);
  integrator.set_torque(SpinTransferTorque{{0.05, 0, 0}, 0.1}, wall.system.geometry);
  EXPECT_NEAR(wall.velocity(integrator, 10000, 0.05), 0.05 * (1 + 0.05) / 1.25, 0.0005);
}

TEST(DomainWall, UnderAHardAxisMovesAtBetaOverAlphaTimesTheCurrent) {
  // Below the Walker limit, the velocity is v = (beta / alpha) u.
  Wall wall("[[anisotropy]]\nK=-0.004\naxis=[0,1,0]\n");
  const double alpha = 0.3, beta = 0.45, u = 0.01;
  Integrator integrator = wall.system.integrator(Scheme::depondt, 0.05, alpha);
  integrator.set_torque(SpinTransferTorque{{u, 0, 0}, beta}, wall.system.geometry);
  integrator.run(wall.system.state, 50000);
  EXPECT_NEAR(wall.velocity(integrator, 20000, 0.05), beta / alpha * u, 0.02 * beta / alpha * u);
}

/// The error message for a velocity; empty if the velocity is accepted.
std::string refusal(const std::string& text, const Vec3<double>& u) {
  TestSystem system(text);
  Integrator integrator = system.integrator(Scheme::depondt, 0.01);
  try {
    integrator.set_torque(SpinTransferTorque{u, 0}, system.geometry);
  } catch (const InputError& error) {
    return error.problem();
  }
  return "";
}

TEST(SpinTransferTorque, NeedsNeighboursAlongTheVelocity) {
  const std::string chain = "[lattice]\ntype='chain'\nsize=[8]\n";
  EXPECT_EQ(refusal(chain, {0, 1, 0}),
            "the drift velocity has a part along [0, 1, 0], along which site 0 has no neighbours");
  EXPECT_EQ(refusal(chain, {1, 0, -0.5}),
            "the drift velocity has a part along [0, 0, -1], along which site 0 has no neighbours");
  EXPECT_EQ(refusal("[lattice]\ntype='square'\nsize=[8,1]\n", {0.1, 0.2, 0}),
            "the drift velocity has a part along [0, 1, 0], along which site 0 has no neighbours");
  EXPECT_EQ(refusal("[lattice]\ntype='square'\nsize=[8,1]\n", {0.1, 0, 0}), "");
  // Site 6 has no neighbours among the vacancies from 3 to 9.
  const std::string hole =
      "[lattice]\ntype='chain'\nsize=[20]\n[[alloy]]\nby='vacancy'\nsites=[3,4,5,7,8,9]\n";
  EXPECT_EQ(refusal(hole, {0.3, 0, 0}),
            "the drift velocity has a part along [1, 0, 0], along which site 6 has no neighbours");
  EXPECT_EQ(refusal("[lattice]\ntype='chain'\nsize=[20]\n[[alloy]]\nby='vacancy'\n"
                    "sites=[5,7,8]\n",
                    {0.3, 0, 0}),
            "");
}

/// The largest error of de/dt over all sites of a spiral e(k.r) on a cone about z. If there are no
/// couplings, its only torque is - (u.k) z x e.
double error_of_derivative(TestSystem& system, const Vec3<double>& k, const Vec3<double>& u) {
  constexpr double time = 1e-5;
  std::vector<Vec3<double>> e;
  for (Index site = 0; site < system.geometry.sites(); ++site) {
    const double phase = dot(k, system.geometry.position(site));
    e.push_back({0.8 * std::cos(phase), 0.8 * std::sin(phase), 0.6});
  }
  system.state.set_all(e);
  Integrator integrator = system.integrator(Scheme::rk4, time);
  integrator.set_torque(SpinTransferTorque{u, 0}, system.geometry);
  integrator.run(system.state, 1);
  const std::vector<Vec3<double>> after = system.state.configuration(0);
  double most = 0;
  for (std::size_t site = 0; site < e.size(); ++site) {
    if (!system.geometry.occupied(static_cast<Index>(site))) continue;
    const Vec3<double> slope = (1 / time) * (after[site] - e[site]);
    most = std::max(most, length(slope + dot(u, k) * cross(Vec3<double>{0, 0, 1}, e[site])));
  }
  return most;
}

class EveryDerivative : public testing::TestWithParam<testing_support::Named<const char*>> {};

/// Errors are of second order in k, so half of k leaves a quarter of them. This holds at ends, near
/// vacancies, and at sites with neighbours on only one side.
TEST_P(EveryDerivative, OfASpiralIsRightToFirstOrder) {
  TestSystem system(std::string("[lattice]\n") + GetParam().value);
  const bool flat = system.geometry.crystal.dimensions < 3 || system.geometry.size[2] == 1;
  const bool chain = system.geometry.size[1] == 1;
  const Vec3<double> k{0.04, chain ? 0 : -0.03, flat ? 0 : 0.05};
  const std::vector<Vec3<double>> velocities =
      chain  ? std::vector<Vec3<double>>{{0.7, 0, 0}}
      : flat ? std::vector<Vec3<double>>{{0.7, 0, 0}, {0, 0.8, 0}, {0.5, 0.4, 0}}
             : std::vector<Vec3<double>>{{0.7, 0, 0}, {0, 0.8, 0}, {0.5, 0, 0.6}, {0.2, 0.3, -0.4}};
  for (const Vec3<double>& u : velocities) {
    const double error = error_of_derivative(system, k, u);
    EXPECT_LT(error_of_derivative(system, 0.5 * k, u), 0.27 * error + 1e-10)
        << u.x << ' ' << u.y << ' ' << u.z;
    EXPECT_LT(error, 0.25 * length(u) * length(k)) << u.x << ' ' << u.y << ' ' << u.z;
  }
}

const testing_support::Named<const char*> open_samples[] = {
    {"chain", "type='chain'\nsize=[7]\nperiodic=false\n"},
    {"square", "type='square'\nsize=[5,6]\nperiodic=false\n"},
    {"rectangular", "cell=[[1,0,0],[0,1.5,0],[0,0,10]]\nsize=[5,6,1]\nperiodic=false\n"},
    {"triangular", "type='triangular'\nsize=[5,6]\nperiodic=false\n"},
    {"honeycomb", "type='honeycomb'\nsize=[5,6]\nperiodic=false\n"},
    {"kagome", "type='kagome'\nsize=[4,5]\nperiodic=false\n"},
    {"oblique", "cell=[[1,0,0],[0.3,1.7,0],[0,0,10]]\nsize=[5,6,1]\nperiodic=false\n"},
    {"three_atoms",
     "cell=[[1,0,0],[0,10,0],[0,0,10]]\nbasis=[[0,0,0],[0.3,0,0],[0.65,0,0]]\n"
     "size=[6,1,1]\nperiodic=false\n"},
    {"tetragonal", "cell=[[1,0,0],[0,1,0],[0,0,1.5]]\nsize=[4,4,5]\nperiodic=false\n"},
    {"long_cell", "cell=[[1,0,0],[0,1.1,0],[0,0,6.5]]\nsize=[9,5,3]\nperiodic=false\n"},
    {"bcc", "type='bcc'\nsize=[4,3,3]\nperiodic=false\n"},
    {"stretched_bcc",
     "cell=[[1,0,0],[0,1,0],[0,0,2.4]]\nbasis=[[0,0,0],[0.5,0.5,0.5]]\nsize=[4,4,3]\n"
     "periodic=false\n"},
    {"fcc", "type='fcc'\nsize=[3,3,3]\nperiodic=false\n"},
    {"pyrochlore", "type='pyrochlore'\nsize=[2,2,2]\nperiodic=false\n"},
    {"triclinic",
     "cell=[[1,0.1,0.2],[-0.2,1.3,0.3],[0.4,0.2,1.7]]\nbasis=[[0,0,0],[0.4,0.45,0.6]]\n"
     "size=[4,4,4]\nperiodic=false\n"},
    {"alloy", "type='sc'\nsize=[6,6,6]\nperiodic=false\n[[alloy]]\nby='vacancy'\nfraction=0.3\n"}};

INSTANTIATE_TEST_SUITE_P(Crystals, EveryDerivative, testing::ValuesIn(open_samples),
                         testing_support::by_name);

TEST(SpinTransferTorque, IsRightToFirstOrderOnAPeriodicLattice) {
  const double k = 2 * std::numbers::pi / 64;
  TestSystem system(
      "[lattice]\ncell=[[1,0,0],[0,1.5,0],[0,0,10]]\nsize=[64,64,1]\n"
      "periodic=[true,true,false]\n");
  const Vec3<double> u{0.4, -0.7, 0};
  for (const Vec3<double>& q :
       {Vec3<double>{2 * k, 0, 0}, {0, 2 * k / 1.5, 0}, {2 * k, 2 * k / 1.5, 0}}) {
    const double error = error_of_derivative(system, q, u);
    // For central differences, half of k leaves an eighth of the error.
    EXPECT_LT(error, 0.01 * length(u) * length(q));
    EXPECT_LT(error_of_derivative(system, 0.5 * q, u), 0.13 * error);
  }
}

/// These sites have only positions. Rows are farther apart than the sites within a row.
TEST(SpinTransferTorque, IsRightToFirstOrderAmongPlainPositions) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("larmor-rows-" + std::to_string(::getpid()) + ".extxyz");
  {
    std::ofstream out(file);
    out << "30\nLattice=\"20 0 0 0 20 0 0 0 20\" Properties=species:S:1:pos:R:3 pbc=\"F F F\"\n";
    for (int n = 0; n < 30; ++n)
      out << "A " << n % 6 + 0.07 * (n / 6) << ' ' << 1.7 * (n / 6) << " 1\n";
  }
  TestSystem system("[lattice]\nfile='" + file.string() + "'\n");
  std::filesystem::remove(file);
  const Vec3<double> k{0.04, -0.03, 0};
  for (const Vec3<double>& u : {Vec3<double>{0.7, 0, 0}, {0, 0.8, 0}, {0.5, 0.4, 0}}) {
    const double error = error_of_derivative(system, k, u);
    EXPECT_LT(error_of_derivative(system, 0.5 * k, u), 0.27 * error + 1e-10);
    EXPECT_LT(error, 0.25 * length(u) * length(k));
  }
}

/// A rectangular lattice, 1 by 1.5, which this class integrates by Runge-Kutta without the
/// program's code. Torques follow the conventions, and derivatives are central differences.
class SlowRectangle {
 public:
  static constexpr int L = 8;
  static constexpr double J = 1.2, alpha = 0.2, beta = 0.35, moment = 1.7;
  static constexpr Vec3<double> u{0.3, -0.45, 0}, B{0.1, 0, 0.4};
  using Spins = std::vector<Vec3<double>>;

  static Spins step(const Spins& e, double dt) {
    const Spins a = slope(e), b = slope(moved(e, 0.5 * dt, a)), c = slope(moved(e, 0.5 * dt, b)),
                d = slope(moved(e, dt, c));
    Spins next;
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Vec3<double> v = e[i] + (dt / 6) * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
      next.push_back((1 / length(v)) * v);
    }
    return next;
  }

 private:
  static std::size_t site(int x, int y) {
    return static_cast<std::size_t>((x + L) % L + L * ((y + L) % L));
  }
  static Spins moved(const Spins& e, double dt, const Spins& slope) {
    Spins to;
    for (std::size_t i = 0; i < e.size(); ++i) to.push_back(e[i] + dt * slope[i]);
    return to;
  }
  static Spins slope(const Spins& e) {
    Spins slopes;
    for (int y = 0; y < L; ++y)
      for (int x = 0; x < L; ++x) {
        const Vec3<double> s = e[site(x, y)], right = e[site(x + 1, y)], left = e[site(x - 1, y)],
                           up = e[site(x, y + 1)], down = e[site(x, y - 1)];
        const Vec3<double> field = (J / moment) * (right + left) + B;
        const Vec3<double> G = (u.x / 2) * (right - left) + (u.y / 3) * (up - down);
        // Only the component of G perpendicular to the spin counts, since the length does not
        // change.
        const Vec3<double> T = -cross(s, field) + cross(s, cross(s, G)) + beta * cross(s, G);
        slopes.push_back((1 / (1 + alpha * alpha)) * (T + alpha * cross(s, T)));
      }
    return slopes;
  }
};

TEST(SpinTransferTorque, MovesARectangularLatticeAsASlowReferenceSays) {
  using Slow = SlowRectangle;
  // The shortest bonds carry the exchange and lie along x.
  TestSystem system(
      "[lattice]\ncell=[[1,0,0],[0,1.5,0],[0,0,10]]\nsize=[8,8,1]\n"
      "periodic=[true,true,false]\nmoment=[1.7]\n[[exchange]]\nshell=1\nJ=1.2\n"
      "[field]\nB=[0.1,0,0.4]\n");
  system.state.randomise(7);
  Slow::Spins e = system.state.configuration(0);
  Integrator integrator = system.integrator(Scheme::rk4, 0.02, Slow::alpha);
  integrator.set_torque(SpinTransferTorque{Slow::u, Slow::beta}, system.geometry);
  integrator.run(system.state, 50);
  for (int n = 0; n < 50; ++n) e = Slow::step(e, 0.02);
  const Slow::Spins found = system.state.configuration(0);
  for (std::size_t i = 0; i < e.size(); ++i) EXPECT_LT(length(found[i] - e[i]), 1e-10) << i;
}

}  // namespace larmor::torques_tests
