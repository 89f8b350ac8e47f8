// Frequencies of linear spin-wave theory compared with closed forms, in units of the couplings.
// Unless a test states other values, gamma and moments are 1.
// Rooms: spinwaves

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/spinwaves/long_waves.hpp"
#include "spin_wave_support.hpp"

namespace larmor::spin_wave_frequencies_tests {

using std::cos;
using std::numbers::pi;
using testing_support::along;
using testing_support::odd_wave_vectors;
using testing_support::sorted;
using testing_support::SpinWaveSystem;
using testing_support::spiral;
using testing_support::Theory;
using testing_support::theory_of;

void expect_frequencies(const Theory& theory, const Vec3<double>& k, std::vector<double> expected,
                        double tolerance = 1e-10) {
  expected = sorted(expected);
  const std::vector<double> found = theory.frequencies(k);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t n = 0; n < found.size(); ++n)
    EXPECT_NEAR(found[n], expected[n], tolerance) << "mode " << n << " at " << k.x << " " << k.y;
}

/// |sum of exp(i k.r) over the three neighbours|^2 on the honeycomb lattice with a = 1.
double honeycomb_square(const Vec3<double>& k) {
  const Vec3<double> a{1, 0, 0}, b{-0.5, std::sqrt(3) / 2, 0};
  return 3 + 2 * (cos(dot(k, a)) + cos(dot(k, b)) + cos(dot(k, a + b)));
}

const char* const ferromagnet_couplings =
    "[[exchange]]\nshell=1\nJ=1\n[[exchange]]\nshell=2\nJ=0.3\n[[anisotropy]]\nK=0.2\n"
    "[field]\nB=[0,0,0.5]\n";

TEST(SpinWaveFrequencies, FerromagneticChainOfLargeMoments) {
  const Theory theory = theory_of(
      std::string("[lattice]\ntype='chain'\nsize=[8]\nmoment=2\n") + ferromagnet_couplings,
      along({0, 0, 1}));
  for (const Vec3<double>& k : odd_wave_vectors())
    expect_frequencies(theory, k,
                       {0.5 + (2 * 0.2 + 2 * (1 - cos(k.x)) + 2 * 0.3 * (1 - cos(2 * k.x))) / 2});
}

TEST(SpinWaveFrequencies, FerromagnetOnTheSquareLattice) {
  const Theory theory =
      theory_of(std::string("[lattice]\ntype='square'\nsize=[6,6]\n") + ferromagnet_couplings,
                along({0, 0, 1}));
  for (const Vec3<double>& k : odd_wave_vectors())
    expect_frequencies(
        theory, k,
        {0.5 + 0.4 + 2 * (2 - cos(k.x) - cos(k.y)) + 4 * 0.3 * (1 - cos(k.x) * cos(k.y))});
}

TEST(SpinWaveFrequencies, FerromagnetOnTheBodyCentredLattice) {
  const Theory theory =
      theory_of(std::string("[lattice]\ntype='bcc'\nsize=[4,4,4]\n") + ferromagnet_couplings,
                along({0, 0, 1}));
  for (const Vec3<double>& k : odd_wave_vectors()) {
    const double near = cos(k.x / 2) * cos(k.y / 2) * cos(k.z / 2);
    const double rest = 0.5 + 0.4 + 2 * 0.3 * (3 - cos(k.x) - cos(k.y) - cos(k.z));
    // The cubic cell has two atoms. Its second branch is that of the corner of the zone.
    expect_frequencies(theory, k, {rest + 8 * (1 - near), rest + 8 * (1 + near)});
  }
}

TEST(SpinWaveFrequencies, SofterMomentsAgainstTheFieldAreNoMinimum) {
  const Theory theory = theory_of(
      "[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=1\n[field]\nB=[0,0,-0.5]\n",
      along({0, 0, 1}));
  // If exchange does not compensate the field, the mode precesses in reverse and lowers the energy,
  // without growth.
  const auto soft = theory.spectrum({0, 0, 0});
  EXPECT_FALSE(soft.minimum);
  EXPECT_NEAR(soft.lines[0].frequency, -0.5, 1e-10);
  EXPECT_EQ(soft.lines[0].growth, 0);
  EXPECT_TRUE(std::isnan(soft.lines[0].intensity()));
  EXPECT_TRUE(theory.spectrum({pi, 0, 0}).minimum);
}

TEST(SpinWaveFrequencies, AnUnstableStateGrows) {
  // The spins lie along a hard axis in their plane. At k = 0, w^2 = K_u K_v < 0, and the growth is
  // sqrt(2 K (2 K')).
  const Theory theory = theory_of(
      "[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[anisotropy]]\nK=-0.3\naxis=[0,1,0]\n[[anisotropy]]\nK=0.2\naxis=[1,0,0]\n",
      along({0, 0, 1}));
  const auto soft = theory.spectrum({0, 0, 0});
  EXPECT_FALSE(soft.minimum);
  EXPECT_NEAR(soft.lines[0].frequency, 0, 1e-10);
  EXPECT_NEAR(soft.lines[0].growth, std::sqrt(2 * 0.3 * 2 * 0.2), 1e-10);
}

TEST(SpinWaveFrequencies, AntiferromagneticSquareLatticeInAFieldAlongItsEasyAxis) {
  const Theory theory = theory_of(
      "[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=-1\n"
      "[[anisotropy]]\nK=0.3\n[field]\nB=[0,0,0.7]\n",
      spiral({pi, pi, 0}, {0, 0, 1}, {1, 0, 0}));
  EXPECT_EQ(theory.cell.spins(), 2);
  for (const Vec3<double>& k : odd_wave_vectors()) {
    const double gamma = (cos(k.x) + cos(k.y)) / 2, stiff = 4 + 2 * 0.3;
    const double w = std::sqrt(stiff * stiff - 16 * gamma * gamma);
    expect_frequencies(theory, k, {w - 0.7, w + 0.7});
  }
}

TEST(SpinWaveFrequencies, AntiferromagneticChain) {
  const Theory theory = theory_of(
      "[lattice]\ntype='chain'\nsize=[6]\n[[exchange]]\nshell=1\nJ=-1.5\n[[anisotropy]]\nK=0.1\n",
      spiral({pi, 0, 0}, {0, 0, 1}, {1, 0, 0}));
  for (const Vec3<double>& k : odd_wave_vectors()) {
    const double w = std::sqrt(std::pow(3 + 0.2, 2) - std::pow(3 * cos(k.x), 2));
    expect_frequencies(theory, k, {w, w});
  }
}

TEST(SpinWaveFrequencies, FloppedAntiferromagnet) {
  // Spins across the field tilt towards it: e_z = B / (2 (J' - K)) with J' = 4.
  const double K = 0.3, B = 3, c = B / (2 * (4 - K)), s = std::sqrt(1 - c * c);
  const Theory theory = theory_of(
      "[lattice]\ntype='square'\nsize=[4,4]\n[[exchange]]\nshell=1\nJ=-1\n"
      "[[anisotropy]]\nK=0.3\n[field]\nB=[0,0,3]\n",
      [=](const Vec3<double>& r, int) {
        return Vec3<double>{std::lround(r.x + r.y) % 2 == 0 ? s : -s, 0, c};
      });
  EXPECT_LT(theory.quadratic.largest_torque(), 1e-12);
  for (const Vec3<double>& k : odd_wave_vectors()) {
    const double bond = 4 * (cos(k.x) + cos(k.y)) / 2;
    const auto w = [&](double x) {
      return std::sqrt((4 - 2 * K * s * s + x * (2 * c * c - 1)) * (4 + x));
    };
    expect_frequencies(theory, k, {w(bond), w(-bond)});
  }
  // A turn of both spins about the field costs no energy.
  EXPECT_EQ(theory.frequencies({0, 0, 0})[0], 0);
}

TEST(SpinWaveFrequencies, HoneycombFerromagnetHasDiracPoints) {
  const Theory theory = theory_of(
      "[lattice]\ntype='honeycomb'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=1\n[field]\nB=[0,0,0.1]\n",
      along({0, 0, 1}));
  for (const Vec3<double>& k : odd_wave_vectors()) {
    const double f = std::sqrt(honeycomb_square(k));
    expect_frequencies(theory, k, {0.1 + 3 - f, 0.1 + 3 + f});
  }
  expect_frequencies(theory, {4 * pi / 3, 0, 0}, {3.1, 3.1});
}

TEST(SpinWaveFrequencies, HoneycombAntiferromagnet) {
  const Theory theory = theory_of(
      "[lattice]\ntype='honeycomb'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=-1\n"
      "[[anisotropy]]\nK=0.05\n",
      [](const Vec3<double>&, int atom) {
        return Vec3<double>{0, 0, atom == 0 ? 1.0 : -1.0};
      });
  EXPECT_EQ(theory.cell.spins(), 2);
  for (const Vec3<double>& k : odd_wave_vectors()) {
    const double w = std::sqrt(3.1 * 3.1 - honeycomb_square(k));
    expect_frequencies(theory, k, {w, w});
  }
}

TEST(SpinWaveFrequencies, DmiAlongTheFieldTellsKFromMinusK) {
  // As in Spectrum.DmiChainTellsQFromMinusQ, the line of positive frequency at q is the mode -q of
  // the moments, with w = B + 2 J (1 - cos q) + 2 D sin q.
  const Theory theory = theory_of(
      "[lattice]\ntype='chain'\nsize=[32]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[dmi]]\noffset=[[1,0,0]]\nD=[0,0,0.4]\n[field]\nB=[0,0,1.5]\n",
      along({0, 0, 1}));
  for (const Vec3<double>& k : odd_wave_vectors()) {
    expect_frequencies(theory, k, {1.5 + 2 * (1 - cos(k.x)) + 0.8 * std::sin(k.x)});
    EXPECT_NEAR(theory.spectrum(k).mirror[0].frequency,
                -(1.5 + 2 * (1 - cos(k.x)) - 0.8 * std::sin(k.x)), 1e-10);
  }
}

TEST(SpinWaveFrequencies, TriangularAntiferromagnetOf120Degrees) {
  // The frequency is w = 3 J sqrt((1 - g) (1 + 2 g)), where g is the mean of cos(k.r) over the
  // bonds. The cell of three spins shows this mode at k and at k +- K.
  const Vec3<double> K{4 * pi / 3, 0, 0};
  const Theory theory =
      theory_of("[lattice]\ntype='triangular'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=-1\n",
                spiral(K, {1, 0, 0}, {0, 1, 0}));
  EXPECT_EQ(theory.cell.spins(), 3);
  EXPECT_LT(theory.quadratic.largest_torque(), 1e-12);
  const auto w = [](const Vec3<double>& k) {
    const Vec3<double> a{1, 0, 0}, b{-0.5, std::sqrt(3) / 2, 0};
    const double g = (cos(dot(k, a)) + cos(dot(k, b)) + cos(dot(k, a + b))) / 3;
    return 3 * std::sqrt((1 - g) * (1 + 2 * g));
  };
  for (const Vec3<double>& k : odd_wave_vectors())
    expect_frequencies(theory, k, {w(k), w(k + K), w(k - K)}, 1e-9);
}

TEST(SpinWaveFrequencies, FerrimagnetOfUnequalMoments) {
  const Theory theory = theory_of(
      "[lattice]\ncell=[[1,0,0],[0,5,0],[0,0,5]]\nbasis=[[0,0,0],[0.5,0,0]]\nsize=[6]\n"
      "moment=[2,0.5]\n[[exchange]]\nshell=1\nJ=-1\n",
      [](const Vec3<double>&, int atom) {
        return Vec3<double>{0, 0, atom == 0 ? 1.0 : -1.0};
      });
  const double s = 1 / 2.0, t = 1 / 0.5;
  for (const Vec3<double>& k : odd_wave_vectors()) {
    const double mean = std::sqrt(std::pow(s + t, 2) - s * t * std::pow(2 * cos(k.x / 2), 2));
    expect_frequencies(theory, k, {mean + (s - t), mean - (s - t)});
  }
}

TEST(SpinWaveFrequencies, KagomeFerromagnetWithDmiHasGaps) {
  // D lies along the moments, on counterclockwise bonds of both triangles. At Gamma, a gap of 4
  // sqrt(3) D opens between the flat band and the next band below. At K, the gap is 2 sqrt(3) D.
  const auto text = [](const std::string& D) {
    const std::string dmi = "[[dmi]]\nD=[0,0," + D + "]\n";
    return "[lattice]\ntype='kagome'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=1\n" + dmi +
           "atoms=[0,1]\noffset=[[1,0,0],[0,-1,0]]\n" + dmi +
           "atoms=[1,2]\noffset=[[-1,0,0],[0,0,0]]\n" + dmi +
           "atoms=[2,0]\noffset=[[0,0,0],[0,1,0]]\n[field]\nB=[0,0,0.2]\n";
  };
  const Theory chiral = theory_of(text("0.15"), along({0, 0, 1}));
  const double d = std::sqrt(3) * 0.15;
  expect_frequencies(chiral, {0, 0, 0}, {0.2, 6.2 - 2 * d, 6.2 + 2 * d});
  expect_frequencies(chiral, {4 * pi / 3, 0, 0}, {3.2 - d, 3.2 + d, 6.2});
  const Theory plain = theory_of(text("0"), along({0, 0, 1}));
  for (const Vec3<double>& k : odd_wave_vectors()) EXPECT_NEAR(plain.frequencies(k)[2], 6.2, 1e-10);
}

TEST(SpinWaveFrequencies, BiquadraticExchangeStiffensCollinearStates) {
  const char* const couplings = "[[biquadratic]]\nshell=1\nb=0.2\n[[anisotropy]]\nK=0.1\n";
  const Theory ferromagnet = theory_of(
      std::string("[lattice]\ntype='chain'\nsize=[6]\n[[exchange]]\nshell=1\nJ=1\n") + couplings,
      along({0, 0, 1}));
  const Theory antiferromagnet = theory_of(
      std::string("[lattice]\ntype='chain'\nsize=[6]\n[[exchange]]\nshell=1\nJ=-1\n") + couplings,
      spiral({pi, 0, 0}, {0, 0, 1}, {1, 0, 0}));
  for (const Vec3<double>& k : odd_wave_vectors()) {
    expect_frequencies(ferromagnet, k, {0.2 + 2 * 1.4 * (1 - cos(k.x))});
    const double w = std::sqrt(std::pow(2.8 + 0.2, 2) - std::pow(2.8 * cos(k.x), 2));
    expect_frequencies(antiferromagnet, k, {w, w});
  }
}

TEST(SpinWaveFrequencies, CubicAnisotropy) {
  const auto text = [](const std::string& K) {
    return "[lattice]\ntype='sc'\nsize=[4,4,4]\n[[exchange]]\nshell=1\nJ=1\n[[cubic-anisotropy]]\n"
           "K4=" +
           K + "\n";
  };
  const double third = 1 / std::sqrt(3);
  const Theory axis = theory_of(text("0.1"), along({0, 0, 1}));
  const Theory diagonal = theory_of(text("-0.1"), along({third, third, third}));
  for (const Vec3<double>& k : odd_wave_vectors()) {
    const double exchange = 2 * (3 - cos(k.x) - cos(k.y) - cos(k.z));
    expect_frequencies(axis, k, {4 * 0.1 + exchange});
    expect_frequencies(diagonal, k, {8.0 / 3 * 0.1 + exchange});
  }
}

TEST(SpinWaveFrequencies, UniaxialAnisotropyOfAllOrders) {
  const Theory theory =
      theory_of("[lattice]\ntype='chain'\nsize=[4]\n[[anisotropy]]\nK=0.3\nK4=0.2\nK6=-0.05\n",
                along({0, 0, 1}));
  expect_frequencies(theory, {1, 0, 0}, {2 * 0.3 + 4 * 0.2 - 6 * 0.05});
}

TEST(SpinWaveFrequencies, LongWavesOfAFerromagnetAreQuadratic) {
  SpinWaveSystem system("[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=1.3\n");
  system.set(along({0, 0, 1}));
  const auto waves = spinwaves::long_waves(Theory(system).quadratic, system.system.geometry, 1);
  for (const std::size_t d : {0u, 1u}) {
    EXPECT_NEAR(waves.stiffness[d], 1.3, 1e-6);
    EXPECT_TRUE(std::isnan(waves.velocity[d]));
  }
  EXPECT_TRUE(std::isnan(waves.stiffness[2]));
}

TEST(SpinWaveFrequencies, LongWavesOfAnAntiferromagnetAreLinear) {
  SpinWaveSystem system("[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=-1\n");
  system.set(spiral({pi, pi, 0}, {0, 0, 1}, {1, 0, 0}));
  const auto waves = spinwaves::long_waves(Theory(system).quadratic, system.system.geometry, 2);
  for (const std::size_t d : {0u, 1u}) {
    EXPECT_NEAR(waves.velocity[d], 2 * std::sqrt(2), 1e-5);
    EXPECT_TRUE(std::isnan(waves.stiffness[d]));
  }
}

TEST(SpinWaveFrequencies, LongWavesOfBranchesThatPartAtAnOddPower) {
  // The state of 120 degrees folds K and -K to k = 0 of its cell. Along x, the softer branch is c k
  // (1 - a k).
  SpinWaveSystem system("[lattice]\ntype='triangular'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=-1\n");
  system.set(spiral({4 * pi / 3, 0, 0}, {1, 0, 0}, {0, 1, 0}));
  const auto waves = spinwaves::long_waves(Theory(system).quadratic, system.system.geometry, 3);
  for (const std::size_t d : {0u, 1u}) EXPECT_NEAR(waves.velocity[d], 3 * std::sqrt(3.0 / 8), 1e-5);
}

/// The frequency is w = B + 2 J (1 - cos k).
TEST(SpinWaveFrequencies, LongWavesOfAFerromagnetRiseFromItsGap) {
  for (const double B : {0.0, 2e-6, 1e-5, 0.003, 0.1, 7.0}) {
    SpinWaveSystem system(
        "[lattice]\ntype='chain'\nsize=[6]\n[[exchange]]\nshell=1\nJ=1\n[field]\nB=[0,0," +
        std::to_string(B) + "]\n");
    system.set(along({0, 0, 1}));
    const auto waves = spinwaves::long_waves(Theory(system).quadratic, system.system.geometry, 1);
    EXPECT_NEAR(waves.gap, B, 1e-12) << B;
    EXPECT_NEAR(waves.stiffness[0], 1, 1e-6) << B;
    EXPECT_TRUE(std::isnan(waves.velocity[0])) << B;
  }
}

/// Two sublattices along z with K e_z^2 and J = -1 have w^2 = (2 + 2 K)^2 - 4 cos^2(k). If the gap
/// is small compared with the smallest k, long waves have a velocity. If it is larger, they have a
/// stiffness.
TEST(SpinWaveFrequencies, LongWavesOfAnAntiferromagnetRiseFromItsGap) {
  for (const double K : {1e-7, 1e-6, 1.0}) {
    SpinWaveSystem system(
        "[lattice]\ntype='chain'\nsize=[6]\n[[exchange]]\nshell=1\nJ=-1\n"
        "[[anisotropy]]\nK=" +
        std::to_string(K * 1e9) + "e-9\n");
    system.set(spiral({pi, 0, 0}, {0, 0, 1}, {1, 0, 0}));
    const auto waves = spinwaves::long_waves(Theory(system).quadratic, system.system.geometry, 2);
    const double gap = std::sqrt((2 + 2 * K) * (2 + 2 * K) - 4);
    EXPECT_NEAR(waves.gap, gap, 1e-6 * gap) << K;
    if (K < 0.1)
      EXPECT_NEAR(waves.velocity[0], 2, 1e-4) << K;
    else
      EXPECT_NEAR(waves.stiffness[0], 2 / gap, 1e-4) << K;
    EXPECT_EQ(std::isnan(waves.velocity[0]), K > 0.1) << K;
    EXPECT_EQ(std::isnan(waves.stiffness[0]), K < 0.1) << K;
  }
}

/// The small torques of an imperfect minimum must not hide a gap.
TEST(SpinWaveFrequencies, LongWavesOfAStateThatIsNotQuiteStationary) {
  SpinWaveSystem system(
      "[lattice]\ntype='chain'\nsize=[6]\n[[exchange]]\nshell=1\nJ=1\n[[anisotropy]]\nK=2e-3\n");
  system.set(along({4e-4, 0, 1}));
  const auto waves = spinwaves::long_waves(Theory(system).quadratic, system.system.geometry, 1);
  EXPECT_NEAR(waves.gap, 0.004, 1e-5);
  EXPECT_NEAR(waves.stiffness[0], 1, 1e-4);
}

TEST(SpinWaveFrequencies, FlatBranchesHaveNeitherStiffnessNorVelocity) {
  SpinWaveSystem system("[lattice]\ntype='chain'\nsize=[6]\n[[anisotropy]]\nK=0.4\n");
  system.set(along({0, 0, 1}));
  const auto waves = spinwaves::long_waves(Theory(system).quadratic, system.system.geometry, 1);
  EXPECT_NEAR(waves.gap, 0.8, 1e-12);
  EXPECT_TRUE(std::isnan(waves.stiffness[0]) && std::isnan(waves.velocity[0]));
}

/// The frequency w = B + 2 J (1 - cos k) - 2 D sin k rises on one side and falls on the other.
TEST(SpinWaveFrequencies, AWaveThatRisesOnOneSideHasNeitherStiffnessNorVelocity) {
  using spinwaves::DispersionForm;
  for (const char* J : {"1", "0"}) {
    SpinWaveSystem system(
        std::string("[lattice]\ntype='chain'\nsize=[6]\n[[exchange]]\nshell=1\nJ=") + J +
        "\n[[dmi]]\noffset=[[1,0,0]]\nD=[0,0,0.3]\n[field]\nB=[0,0,1]\n");
    system.set(along({0, 0, 1}));
    const auto waves = spinwaves::long_waves(Theory(system).quadratic, system.system.geometry, 1);
    EXPECT_EQ(waves.form[0], DispersionForm::one_sided);
    EXPECT_EQ(waves.form[1], DispersionForm::nowhere);
    EXPECT_TRUE(std::isnan(waves.stiffness[0]));
    EXPECT_TRUE(std::isnan(waves.velocity[0]));
  }
}

/// Along y, the chiral term has no effect. Along x, its effect is of third order in k.
TEST(SpinWaveFrequencies, AChiralTermHidesTheStiffnessOnlyWhereItShows) {
  using spinwaves::DispersionForm;
  SpinWaveSystem system(
      "[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[dmi]]\noffset=[[1,0,0]]\nD=[0,0,0.3]\n[field]\nB=[0,0,1]\n");
  system.set(along({0, 0, 1}));
  const auto waves = spinwaves::long_waves(Theory(system).quadratic, system.system.geometry, 1);
  EXPECT_EQ(waves.form[0], DispersionForm::one_sided);
  EXPECT_EQ(waves.form[1], DispersionForm::quadratically);
  EXPECT_NEAR(waves.stiffness[1], 1, 1e-6);
  // The two terms give 2 (D sin k - D sin(2 k) / 2) = D k^3 + ...
  SpinWaveSystem cubic(
      "[lattice]\ntype='chain'\nsize=[6]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[dmi]]\noffset=[[1,0,0]]\nD=[0,0,0.3]\n[[dmi]]\noffset=[[2,0,0]]\nD=[0,0,-0.15]\n"
      "[field]\nB=[0,0,1]\n");
  cubic.set(along({0, 0, 1}));
  const auto of_cubic = spinwaves::long_waves(Theory(cubic).quadratic, cubic.system.geometry, 1);
  EXPECT_EQ(of_cubic.form[0], DispersionForm::quadratically);
  EXPECT_NEAR(of_cubic.stiffness[0], 1, 1e-4);
}

TEST(MagneticCells, AreTheSmallestThatRepeat) {
  const auto spins_of = [](const std::string& text, const testing_support::Texture& texture) {
    return theory_of(text, texture).cell.spins();
  };
  const std::string square = "[lattice]\ntype='square'\nsize=[12,12]\n";
  EXPECT_EQ(spins_of(square, along({0, 0, 1})), 1);
  EXPECT_EQ(spins_of(square, spiral({pi, 0, 0}, {0, 0, 1}, {1, 0, 0})), 2);
  EXPECT_EQ(spins_of(square, spiral({pi / 6, pi / 6, 0}, {0, 0, 1}, {1, 0, 0})), 12);
  // A field on one of 144 sites, vacancies, and open boundaries also break translations.
  EXPECT_EQ(spins_of(square + "[[local-field]]\nsites=[7]\nB=[0,0,1]\n", along({0, 0, 1})), 144);
  EXPECT_EQ(spins_of(square + "[[alloy]]\nsites=[3]\nby='vacancy'\n", along({0, 0, 1})), 143);
  EXPECT_EQ(
      spins_of("[lattice]\ntype='square'\nsize=[12,12]\nperiodic=[true,false]\n", along({0, 0, 1})),
      12);
  EXPECT_EQ(spins_of(square + "[[exchange]]\nshell=1\nJ=1\ndisorder=0.1\n", along({0, 0, 1})), 144);
}

TEST(MagneticCells, HaveVectorsThatSpanTheTranslations) {
  const Theory theory = theory_of("[lattice]\ntype='triangular'\nsize=[6,6]\n",
                                  spiral({4 * pi / 3, 0, 0}, {1, 0, 0}, {0, 1, 0}));
  const auto v = theory.cell.vectors();
  EXPECT_EQ(v[0], (std::array<Index, 3>{3, 0, 0}));
  EXPECT_EQ(v[1], (std::array<Index, 3>{2, 1, 0}));
  EXPECT_EQ(v[2], (std::array<Index, 3>{0, 0, 1}));
}

TEST(MagneticCells, ThatAreGivenMustRepeat) {
  SpinWaveSystem system("[lattice]\ntype='chain'\nsize=[12]\n[[exchange]]\nshell=1\nJ=-1\n");
  system.set(spiral({pi, 0, 0}, {0, 0, 1}, {1, 0, 0}));
  const auto e = system.spins();
  const auto given = [&](Index cells) {
    return spinwaves::MagneticCell::given(system.hamiltonian(), e, {cells, 1, 1}, 1e-5).spins();
  };
  EXPECT_EQ(given(4), 4);
  EXPECT_THROW(given(3), InputError);
  EXPECT_THROW(given(5), InputError);
}

TEST(MagneticCells, ThatAreTooLargeAreRefused) {
  SpinWaveSystem system("[lattice]\ntype='square'\nsize=[32,32]\n");
  system.system.state.randomise(1);
  EXPECT_THROW(Theory{system}, InputError);
}

TEST(SpinWaveTorques, NameTheSiteThatIsNotAtRest) {
  SpinWaveSystem system(
      "[lattice]\ntype='chain'\nsize=[6]\n[[local-field]]\nsites=[4]\nB=[0.25,0,0]\n");
  system.set(along({0, 0, 1}));
  const Theory theory(system);
  EXPECT_NEAR(theory.quadratic.largest_torque(), 0.25, 1e-14);
  EXPECT_EQ(theory.quadratic.site_of_largest_torque(), 4);
}

}  // namespace larmor::spin_wave_frequencies_tests
