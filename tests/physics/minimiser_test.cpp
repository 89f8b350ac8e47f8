// Minimisers find known ground states, do not raise the energy, and keep spins at unit length.
// Rooms: spins

#include "larmor/spins/landscape/minimiser.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "larmor/spins/landscape/tangent_view.hpp"
#include "test_system.hpp"
#include "tests/named.hpp"

namespace larmor::minimiser_tests {

using larmor::testing_support::Named;
using namespace larmor::spins;
using testing_support::fields_of;
using testing_support::HostVectors;
using testing_support::TestSystem;

/// A chain with J = 1 and D = tan(15 deg). On 24 sites, the spiral makes exactly one turn.
constexpr const char* spiral_chain =
    "[lattice]\ntype='chain'\nsize=[24]\n[[exchange]]\nshell=1\nJ=1\n"
    "[[dmi]]\noffset=[[1,0,0]]\nD=[0,0,0.2679491924311227]\n[[anisotropy]]\nK=-0.05\n";

Minimiser minimiser_of(const TestSystem& system, Method method, double tolerance,
                       double max_rotation = 0.3) {
  MinimiserSettings settings;
  settings.method = method;
  settings.tolerance = tolerance;
  settings.max_rotation = max_rotation;
  return {system.model, system.state.layout(), settings, system.device};
}

/// The largest |e x h| over all spins of a replica, from a loop in this test.
double torque_of(const TestSystem& system, Index replica) {
  const HostVectors field = fields_of(system.model, system.state), spins(system.state);
  const VectorView &h = field.view, &e = spins.view;
  double largest = 0;
  for (Index i = 0; i < system.state.layout().sites; ++i)
    largest = std::max(
        largest, length(cross(e.load(ScalarSlot<>{i, replica}), h.load(ScalarSlot<>{i, replica}))));
  return largest;
}

class EveryMinimiser : public testing::TestWithParam<Named<Method>> {};

TEST_P(EveryMinimiser, FindsTheSpiralOfEachReplicaWithItsHandAndEnergy) {
  TestSystem system(spiral_chain, 11);
  system.state.randomise(5);
  Minimiser minimiser = minimiser_of(system, GetParam().value, 1e-9);
  minimiser.start(system.state);
  minimiser.run(system.state, 20000);
  ASSERT_EQ(minimiser.converged(), 11);
  const double D = std::tan(std::numbers::pi / 12);
  const std::vector<double> energy = energy_per_site(system.model, system.state);
  int one_turn = 0;
  for (Index r = 0; r < 11; ++r) {
    EXPECT_LT(torque_of(system, r), 1.01e-9);
    EXPECT_NEAR(minimiser.energies()[static_cast<std::size_t>(r)],
                energy[static_cast<std::size_t>(r)], 1e-14);
    // Spirals with other whole numbers of turns are higher minima.
    EXPECT_GT(energy[static_cast<std::size_t>(r)], -std::hypot(1, D) - 1e-12);
    if (energy[static_cast<std::size_t>(r)] > -std::hypot(1, D) + 1e-6) continue;
    ++one_turn;
    EXPECT_NEAR(energy[static_cast<std::size_t>(r)], -std::hypot(1, D), 1e-13);
    const std::vector<Vec3<double>> e = system.state.configuration(r);
    for (std::size_t i = 0; i < 24; ++i) {
      const Vec3<double> a = e[i], b = e[(i + 1) % 24];
      EXPECT_NEAR(a.z, 0, 1e-6);
      // Spins turn counterclockwise about D, by atan(D / J) per bond.
      EXPECT_NEAR(std::atan2(cross(a, b).z, dot(a, b)), std::numbers::pi / 12, 1e-6);
    }
  }
  EXPECT_GE(one_turn, 5);
}

TEST_P(EveryMinimiser, FindsTheAntiferromagnet) {
  TestSystem system(
      "[lattice]\ntype='sc'\nsize=[4,4,4]\n[[exchange]]\nshell=1\nJ=-1\n"
      "[[anisotropy]]\nK=0.2\n",
      3);
  system.state.randomise(8);
  Minimiser minimiser = minimiser_of(system, GetParam().value, 1e-10);
  minimiser.start(system.state);
  minimiser.run(system.state, 20000);
  ASSERT_EQ(minimiser.converged(), 3);
  for (const double energy : minimiser.energies()) EXPECT_NEAR(energy, -3.2, 1e-13);
  const std::vector<Vec3<double>> e = system.state.configuration(1);
  for (std::size_t i = 0; i < 64; ++i) {
    const double sign = (i % 4 + i / 4 % 4 + i / 16) % 2 ? -1 : 1;
    EXPECT_NEAR(e[i].z, sign * e[0].z, 1e-12);
    EXPECT_NEAR(std::abs(e[i].z), 1, 1e-12);
  }
}

TEST_P(EveryMinimiser, EnergyNeverRisesAndSpinsStayUnit) {
  TestSystem system(
      "[lattice]\ntype='square'\nsize=[12,12]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[exchange]]\nshell=2\nJ=-0.7\n[[random-field]]\nwidth=0.5\n"
      "[[cubic-anisotropy]]\nK4=0.3\n",
      9);
  system.state.randomise(2);
  Minimiser minimiser = minimiser_of(system, GetParam().value, 1e-9);
  minimiser.start(system.state);
  std::vector<double> last = minimiser.energies();
  Index steps = 0;
  for (; steps < 20000 && !minimiser.done(); ++steps) {
    ASSERT_EQ(minimiser.run(system.state, 1), 1);
    const std::vector<double> now = minimiser.energies();
    for (std::size_t r = 0; r < now.size(); ++r) EXPECT_LE(now[r], last[r] + 1e-13);
    last = now;
    if (steps != 10) continue;
    for (Index r = 0; r < 9; ++r)
      EXPECT_NEAR(minimiser.torques()[static_cast<std::size_t>(r)], torque_of(system, r), 1e-12);
  }
  EXPECT_EQ(minimiser.converged(), 9);
  for (Index r = 0; r < 9; ++r) {
    EXPECT_LT(torque_of(system, r), 1.01e-9);
    for (const Vec3<double>& e : system.state.configuration(r)) EXPECT_NEAR(dot(e, e), 1, 1e-14);
  }
}

TEST_P(EveryMinimiser, LeavesASaddleThatItStandsNextTo) {
  // All spins lie on the hard axis within 1e-5. A uniform rotation is a hundred times softer than
  // exchange.
  TestSystem system(
      "[lattice]\ntype='sc'\nsize=[3,3,3]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[anisotropy]]\nK=0.01\n");
  system.state.set_all(std::vector<Vec3<double>>(27, {1, 0, 0}));
  perturb(system.state, system.model.canonical(), 3, 1e-5, 0, 1);
  Minimiser minimiser = minimiser_of(system, GetParam().value, 1e-10);
  minimiser.start(system.state);
  const Index steps = minimiser.run(system.state, 20000);
  ASSERT_EQ(minimiser.converged(), 1);
  EXPECT_NEAR(minimiser.energies()[0], -3.01, 1e-12);
  EXPECT_LT(steps, GetParam().value == Method::damped ? 20000 : 200);
}

TEST_P(EveryMinimiser, FollowsAUniformFieldBesideTheModels) {
  // One spin with the field of the model along x and an additional field along y. It ends between
  // these fields.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\nmoment=2\n"
      "[field]\nB=[0.3,0,0]\n");
  Minimiser minimiser = minimiser_of(system, GetParam().value, 1e-12);
  minimiser.set_field({0, 0.4, 0});
  minimiser.start(system.state);
  minimiser.run(system.state, 10000);
  EXPECT_NEAR(minimiser.energies()[0], -1.0, 1e-14);
  EXPECT_LT(length(system.state.configuration(0)[0] - Vec3<double>{0.6, 0.8, 0}), 1e-11);
}

TEST_P(EveryMinimiser, GivesTheSameBitsForAnyThreadsAndAfterBeingSaved) {
  const char* text =
      "[lattice]\ntype='square'\nsize=[96,96]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[random-field]]\nwidth=1\n";
  for (const Index replicas : {Index{1}, Index{3}}) {
    std::vector<double> expected;
    for (const int threads : {1, 2, 3}) {
      TestSystem system(text, replicas, threads);
      system.state.randomise(4);
      Minimiser minimiser = minimiser_of(system, GetParam().value, 1e-9);
      minimiser.start(system.state);
      minimiser.run(system.state, 20);
      // A new minimiser continues from the saved state of the first minimiser.
      Minimiser resumed = minimiser_of(system, GetParam().value, 1e-9);
      const std::vector<double> saved = minimiser.save();
      resumed.load(saved);
      (threads == 1 ? minimiser : resumed).run(system.state, 20);
      const std::vector<double> relaxed = system.state.configurations(replicas);
      if (expected.empty()) expected = relaxed;
      EXPECT_EQ(relaxed, expected);
    }
  }
}

TEST_P(EveryMinimiser, GoesTheSameWayBesideAReplicaThatRests) {
  // If all replicas accept a turn, all spins move to the trial state at once. If one replica has
  // converged, spins are copied.
  const std::string text =
      "[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=1\n[[anisotropy]]\nK=0.3\n";
  TestSystem alike(text, 2), beside(text, 2);
  alike.state.randomise(8);
  SiteVectors random, up;
  copy_spins(alike.state, 0, random);
  up.assign(36 * 2, 0.0);
  up.insert(up.end(), 36, 1.0);
  store_spins(std::vector<SiteVectors>{random, random}, 0, alike.state);
  store_spins(std::vector<SiteVectors>{random, up}, 0, beside.state);
  Minimiser together = minimiser_of(alike, GetParam().value, 1e-9),
            other = minimiser_of(beside, GetParam().value, 1e-9);
  together.start(alike.state);
  other.start(beside.state);
  ASSERT_EQ(other.converged(), 1);
  for (int step = 0; step < 25; ++step) {
    together.run(alike.state, 1);
    other.run(beside.state, 1);
    ASSERT_EQ(alike.state.configuration(0), beside.state.configuration(0)) << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Minimisers, EveryMinimiser,
                         testing::Values(Named<Method>{"lbfgs", Method::lbfgs},
                                         Named<Method>{"cg", Method::conjugate_gradient},
                                         Named<Method>{"damped", Method::damped}),
                         testing_support::by_name);

/// Raises a field along `direction` from `first` in steps of `step`. After each step, the spins
/// relax from their last state.
/// @return the first field at which the moment along `axis` is less than `below`
double field_of_change(TestSystem& system, const Vec3<double>& direction, double first, double step,
                       const Vec3<double>& axis, double below) {
  Minimiser minimiser = minimiser_of(system, Method::lbfgs, 1e-10, 0.1);
  for (int n = 0; n < 2000; ++n) {
    const double B = first + n * step;
    minimiser.set_field(B * direction);
    perturb(system.state, system.model.canonical(), 9, 1e-4, 0, 1);
    minimiser.start(system.state);
    minimiser.run(system.state, 20000);
    if (minimiser.converged() != 1) return -1;
    if (dot(axis, magnetisation_per_site(system.model, system.state)[0]) < below) return B;
  }
  return 1e9;
}

TEST(Hysteresis, AStonerWohlfarthParticleSwitchesOnTheAstroid) {
  // The switching field is h_sw = (cos^{2/3} psi + sin^{2/3} psi)^{-3/2}, in units of the field 2 K
  // / mu. The field is at the angle psi to the axis (Stoner and Wohlfarth, Phil. Trans. R. Soc. A
  // 240 (1948) 599).
  const double K = 0.6, moment = 1.5, step = 1e-4;
  for (const double degrees : {2.0, 15.0, 30.0, 45.0, 60.0, 80.0}) {
    TestSystem system(
        "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\nmoment=1.5\n"
        "[[anisotropy]]\nK=0.6\n");
    const double psi = degrees * std::numbers::pi / 180;
    const Vec3<double> direction{-std::sin(psi), 0, -std::cos(psi)};
    const double h =
        std::pow(std::pow(std::cos(psi), 2.0 / 3) + std::pow(std::sin(psi), 2.0 / 3), -1.5);
    const double exact = 2 * K / moment * h;
    // The sweep starts just below the switching field. The moment stays above the plane until it
    // switches.
    const double B = field_of_change(system, direction, exact - 0.02, step, {0, 0, 1}, 0);
    EXPECT_GT(B, exact - 0.5 * step) << degrees;
    EXPECT_LT(B, exact + 1.5 * step) << degrees;
  }
}

TEST(Hysteresis, AnAntiferromagnetFlopsAndThenSaturates) {
  // Two sublattices have z neighbours and J' = z |J|. A pair of spins of both has the energy J'
  // e1.e2 - K (e1z^2 + e2z^2) - mu B (e1z + e2z). The collinear state is unstable above mu B = 2
  // sqrt(K (J' + K)). The flopped state has e_z = mu B / (2 (J' - K)) and is saturated above mu B =
  // 2 (J' - K). As the field falls, the flopped state is unstable below mu B = 2 (J' - K) sqrt(K /
  // (J' + K)).
  const double J = 4, K = 0.3, step = 2e-3;
  TestSystem system(
      "[lattice]\ntype='square'\nsize=[4,4]\n[[exchange]]\nshell=1\nJ=-1\n"
      "[[anisotropy]]\nK=0.3\n");
  std::vector<Vec3<double>> e;
  for (int i = 0; i < 16; ++i) e.push_back({0, 0, (i + i / 4) % 2 ? -1.0 : 1.0});
  system.state.set_all(e);
  const Vec3<double> z{0, 0, 1};
  const double flop = 2 * std::sqrt(K * (J + K));
  const double seen = field_of_change(system, z, flop - 0.05, step, -1.0 * z, -0.1);
  EXPECT_GT(seen, flop - 0.5 * step);
  EXPECT_LT(seen, flop + 1.5 * step);
  EXPECT_NEAR(magnetisation_per_site(system.model, system.state)[0].z, seen / (2 * (J - K)), 1e-6);
  const double saturation = 2 * (J - K);
  const double full = field_of_change(system, z, saturation - 0.05, step, -1.0 * z, -1 + 1e-6);
  EXPECT_GT(full, saturation - 1.5 * step);
  EXPECT_LT(full, saturation + 1.5 * step);
  const double back = 2 * (J - K) * std::sqrt(K / (J + K));
  const double returned = field_of_change(system, z, back + 0.05, -step, z, 0.01);
  EXPECT_LT(returned, back + 0.5 * step);
  EXPECT_GT(returned, back - 1.5 * step);
}

TEST(Minimisers, LbfgsTurnsTheCurvatureOfASaddleRound) {
  // The field on the hard axis is nearly strong enough to hold the spin there. The energy curves
  // down by 2 K - B, a hundredth of the field. The spin ends at e_x = B / 2 K.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=0.505\n"
      "[field]\nB=[1,0,0]\n");
  system.state.set_all(std::vector<Vec3<double>>{{std::cos(1e-5), 0, std::sin(1e-5)}});
  Minimiser minimiser = minimiser_of(system, Method::lbfgs, 1e-10);
  minimiser.start(system.state);
  EXPECT_LT(minimiser.run(system.state, 20000), 60);
  EXPECT_EQ(minimiser.converged(), 1);
  EXPECT_NEAR(system.state.configuration(0)[0].x, 1 / 1.01, 1e-8);
}

TEST(Minimisers, LearnFromTheirSteps) {
  // For a soft spiral, quasi-Newton and conjugate-gradient steps need far fewer evaluations than
  // damping.
  Index steps[3];
  for (const Method method : {Method::lbfgs, Method::conjugate_gradient, Method::damped}) {
    TestSystem system(spiral_chain);
    system.state.set_all(std::vector<Vec3<double>>(24, {1, 0, 0}));
    perturb(system.state, system.model.canonical(), 1, 0.1, 0, 1);
    Minimiser minimiser = minimiser_of(system, method, 1e-9);
    minimiser.start(system.state);
    steps[static_cast<int>(method)] = minimiser.run(system.state, 20000);
    EXPECT_EQ(minimiser.converged(), 1);
  }
  EXPECT_LT(2 * steps[0], steps[2]);
  EXPECT_LT(2 * steps[1], steps[2]);
}

TEST(Minimisers, CarryTangentVectorsAlong) {
  // A quarter turn from z to x maps x to -z and leaves y unchanged.
  using Frame = SpinFrame<double>;
  const Frame frame({0, 0, 1}, {1, 0, 0});
  const Tangent<double> quarter{std::numbers::pi / 2, 0};
  const Vec3<double> turned = turned_spin(frame, quarter);
  const Frame after = turned_frame(frame, quarter, turned);
  EXPECT_LT(length(turned - Vec3<double>{1, 0, 0}), 1e-15);
  EXPECT_LT(length(after.u - Vec3<double>{0, 0, -1}), 1e-15);
  EXPECT_LT(length(after.v - Vec3<double>{0, 1, 0}), 1e-15);
  EXPECT_EQ(turned_spin(frame, Tangent<double>{0, 0}), frame.e);
}

TEST(Minimisers, FindTheWayToAnotherSpin) {
  const Vec3<double> axis = normalised(Vec3<double>{0.3, -0.5, 0.8});
  const SpinFrame<double> frame(axis, any_axis(axis));
  EXPECT_NEAR(dot(frame.u, frame.e), 0, 1e-16);
  EXPECT_NEAR(dot(frame.u, frame.u), 1, 1e-15);
  for (const double angle : {1e-9, 0.1, 1.5, 3.0, 3.1415}) {
    const Tangent<double> way{angle * 0.6, angle * -0.8};
    const Tangent<double> found = leading_to(frame, turned_spin(frame, way));
    EXPECT_NEAR(found.u, way.u, 1e-11 * angle + 2e-16) << angle;
    EXPECT_NEAR(found.v, way.v, 1e-11 * angle + 2e-16) << angle;
  }
  EXPECT_LT(dot(leading_to(frame, frame.e), leading_to(frame, frame.e)), 1e-31);
  const SpinFrame<double> up({0, 0, 1}, {1, 0, 0});
  const Tangent<double> opposite = leading_to(up, Vec3<double>{0, 0, -1});
  EXPECT_NEAR(std::sqrt(dot(opposite, opposite)), std::numbers::pi, 1e-15);
}

TEST(Minimisers, CountSpinsAndNotVacancies) {
  // If spins are aligned, each bond between two spins gives - J, and each spin gives - K - mu B.
  TestSystem system(
      "[lattice]\ntype='square'\nsize=[16,16]\n[[alloy]]\nby='vacancy'\n"
      "fraction=0.3\n[[exchange]]\nshell=1\nJ=1\n[[anisotropy]]\nK=0.1\n",
      2);
  const double spins = static_cast<double>(system.state.layout().spins());
  ASSERT_LT(spins, 200);
  std::vector<char> there;
  for (const double moment : system.model.moments().of_sites()) there.push_back(moment > 0);
  double bonds = 0;
  for (std::size_t x = 0; x < 16; ++x)
    for (std::size_t y = 0; y < 16; ++y)
      for (const std::size_t other : {(x + 1) % 16 + 16 * y, x + 16 * ((y + 1) % 16)})
        bonds += there[x + 16 * y] && there[other] ? 1 : 0;
  perturb(system.state, system.model.canonical(), 1, 0.5, 0, 2);
  Minimiser minimiser = minimiser_of(system, Method::lbfgs, 1e-10);
  minimiser.set_field({0, 0, 0.3});
  minimiser.start(system.state);
  minimiser.run(system.state, 2000);
  EXPECT_EQ(minimiser.converged(), 2);
  for (const double energy : minimiser.energies()) EXPECT_NEAR(energy, -bonds / spins - 0.4, 1e-12);
  const std::vector<Vec3<double>> e = system.state.configuration(1);
  for (std::size_t i = 0; i < e.size(); ++i) EXPECT_NEAR(e[i].z, there[i], 1e-12);
}

TEST(Minimisers, PerturbBySmallAnglesInAllDirections) {
  TestSystem system("[lattice]\ntype='square'\nsize=[50,50]\n");
  perturb(system.state, system.model.canonical(), 3, 1e-3, 0, 1);
  EXPECT_EQ(system.state.step, 1u);
  Vec3<double> mean{0, 0, 0};
  double square = 0, largest = 0;
  for (const Vec3<double>& e : system.state.configuration(0)) {
    const Vec3<double> off = 1e3 * (e - Vec3<double>{0, 0, 1});
    mean += off;
    square += dot(off, off) / 2500;
    largest = std::max(largest, length(off));
  }
  EXPECT_LE(largest, 1 + 1e-9);
  // The axes are uniform on the sphere, so <sin^2> = 2/3.
  EXPECT_NEAR(square, 2.0 / 3, 0.03);
  EXPECT_LT(std::hypot(mean.x, mean.y) / 2500, 0.05);
}

}  // namespace larmor::minimiser_tests
