// Intensities of linear spin-wave theory, compared with sum rules, closed forms and the exact
// Gaussian integral. The second derivatives of the energy come from the engine's fields.
// Rooms: spinwaves

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numeric>

#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/correlations/spectra/correlator.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/spinwaves/broadening.hpp"
#include "spin_wave_support.hpp"

namespace larmor::spin_wave_intensities_tests {

using std::cos;
using std::numbers::pi;
using testing_support::along;
using testing_support::odd_wave_vectors;
using testing_support::SpinWaveSystem;
using testing_support::spiral;
using testing_support::Theory;
using testing_support::theory_of;

double total(const std::vector<spinwaves::Line>& lines) {
  return std::accumulate(lines.begin(), lines.end(), 0.0,
                         [](double sum, const spinwaves::Line& l) { return sum + l.intensity(); });
}

/// The mean (1/N) <A_a(q) conj A_b(q)> of deviations with the weight exp(-H2 / k_B T), for k_B T =
/// 1.
Eigen::Matrix3cd gaussian_correlations(SpinWaveSystem& of, const Vec3<double>& q) {
  constexpr double small = 1e-5;
  const std::vector<Vec3<double>> rest = of.spins();
  const auto N = static_cast<Eigen::Index>(rest.size());
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(3 * N, 2 * N);
  for (Eigen::Index i = 0; i < N; ++i) {
    const Vec3<double>& e = rest[static_cast<std::size_t>(i)];
    const Eigen::Vector3d n(e.x, e.y, e.z);
    const Eigen::Vector3d u = n.unitOrthogonal();
    P.block<3, 1>(3 * i, 2 * i) = u;
    P.block<3, 1>(3 * i, 2 * i + 1) = n.cross(u);
  }
  // The torque-free part of -h changes linearly, so its derivative is the Hessian on the sphere.
  const auto gradient = [&](Eigen::Index column, double size) {
    std::vector<Vec3<double>> e = rest;
    const auto i = static_cast<std::size_t>(column / 2);
    const Eigen::Vector3d u = size * P.block<3, 1>(3 * (column / 2), column);
    e[i] = e[i] + Vec3<double>{u.x(), u.y(), u.z()};
    e[i] = (1 / length(e[i])) * e[i];
    of.system.state.set_all(e);
    RealArray field(of.system.device, of.system.state.layout().numbers());
    spins::store_effective_field(of.system.model, of.system.state, field);
    std::vector<double> numbers = field.to_host();
    const VectorView h(numbers.data(), of.system.state.layout());
    Eigen::VectorXd g(3 * N);
    for (Index position = 0; position < N; ++position) {
      const auto site = of.system.state.canonical()[static_cast<std::size_t>(position)];
      const Vec3<double>& there = e[static_cast<std::size_t>(site)];
      const Vec3<double> at = h.load(ScalarSlot<>{position, 0});
      const Vec3<double> across = at - dot(at, there) * there;
      g.segment<3>(3 * site) = -Eigen::Vector3d(across.x, across.y, across.z);
    }
    return Eigen::VectorXd(P.transpose() * g);
  };
  Eigen::MatrixXd hessian(2 * N, 2 * N);
  for (Eigen::Index column = 0; column < 2 * N; ++column)
    hessian.col(column) = (gradient(column, small) - gradient(column, -small)) / (2 * small);
  of.system.state.set_all(rest);
  const Eigen::MatrixXd covariance = P * inverse(hessian) * P.transpose();
  Eigen::MatrixXcd wave = Eigen::MatrixXcd::Zero(3, 3 * N);
  for (Eigen::Index i = 0; i < N; ++i)
    wave.block<3, 3>(0, 3 * i) =
        std::polar(1.0, -dot(q, of.system.geometry.position(i))) * Eigen::Matrix3cd::Identity();
  return wave * covariance * wave.adjoint() / static_cast<double>(N);
}

TEST(SpinWaveIntensities, SumToTheExactGaussianIntegralTensorByTensor) {
  SpinWaveSystem system(
      "[lattice]\ntype='honeycomb'\nsize=[3,2]\nmoment=[1.5,0.6]\n[[exchange]]\nshell=1\nJ=-1\n"
      "[[dmi]]\nshell=2\nstrength=0.3\ndirection='interface'\n[[biquadratic]]\nshell=1\nb=0.1\n"
      "[[anisotropy]]\nK=0.4\naxis=[0,0,1]\n[field]\nB=[0.7,0,0.3]\n");
  system.relax(4);
  const Theory theory(system);
  for (const Vec3<double>& q : correlations::q_grid(system.system.geometry).cartesian) {
    const auto spectrum = theory.spectrum(q);
    ASSERT_TRUE(spectrum.minimum);
    Eigen::Matrix3cd sum = Eigen::Matrix3cd::Zero();
    for (const auto* lines : {&spectrum.lines, &spectrum.mirror})
      for (const spinwaves::Line& line : *lines) {
        const Eigen::Vector3cd f(line.amplitude[0], line.amplitude[1], line.amplitude[2]);
        sum += f * f.adjoint();
      }
    EXPECT_LT((sum - gaussian_correlations(system, q)).norm(), 1e-6 * (1 + sum.norm()));
  }
}

TEST(SpinWaveIntensities, OfAClassicalFerromagnet) {
  const Theory theory = theory_of(
      "[lattice]\ntype='square'\nsize=[6,6]\nmoment=2\n[[exchange]]\nshell=1\nJ=1\n"
      "[field]\nB=[0,0,0.5]\n",
      along({0, 0, 1}));
  for (const Vec3<double>& k : odd_wave_vectors()) {
    // The intensity is 2 T over the stiffness. Half of it lies on each side of zero frequency.
    const double stiffness = 2 * 0.5 + 2 * (2 - cos(k.x) - cos(k.y));
    const auto spectrum = theory.spectrum(k, 0.01);
    EXPECT_NEAR(total(spectrum.lines), 0.01 / stiffness, 1e-14);
    EXPECT_NEAR(total(spectrum.mirror), 0.01 / stiffness, 1e-14);
    EXPECT_NEAR(std::norm(spectrum.lines[0].amplitude[2]), 0, 1e-20);
  }
}

TEST(SpinWaveIntensities, AreAtTheFrequenciesThatCirculateCounterclockwise) {
  // Spins with e_x + i e_y ~ exp(i (k.r + w t)) give A ~ exp(-i w t) of positive w, where y leads x
  // by a quarter of a period.
  const Theory theory =
      theory_of("[lattice]\ntype='chain'\nsize=[4]\n[field]\nB=[0,0,1]\n", along({0, 0, 1}));
  const auto f = theory.spectrum({0.3, 0, 0}).lines[0].amplitude;
  EXPECT_NEAR(std::abs(f[1] / f[0] - std::complex<double>(0, 1)), 0, 1e-12);
}

TEST(SpinWaveIntensities, OfAnAntiferromagnetClassicalAndQuantum) {
  const Theory theory = theory_of(
      "[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=-1\n"
      "[[anisotropy]]\nK=0.3\n",
      spiral({pi, pi, 0}, {0, 0, 1}, {1, 0, 0}));
  for (const Vec3<double>& k : odd_wave_vectors()) {
    const double bond = 2 * (cos(k.x) + cos(k.y)), stiff = 4.6;
    const auto classical = theory.spectrum(k, 0.02);
    EXPECT_NEAR(total(classical.lines) + total(classical.mirror), 2 * 0.02 / (stiff + bond), 1e-12);
    // The zero-point motion is <u^2> = (hbar / 2) sqrt(K_v / K_u).
    const auto quantum = theory.spectrum(k, 0, true);
    EXPECT_NEAR(total(quantum.lines), std::sqrt((stiff - bond) / (stiff + bond)), 1e-12);
    EXPECT_EQ(total(quantum.mirror), 0);
    // Tests detailed balance at a temperature, and the classical limit far above the frequencies.
    const double w = theory.frequencies(k)[0], T = 2.5;
    const auto warm = theory.spectrum(k, T, true);
    EXPECT_NEAR(total(warm.mirror) / total(warm.lines), std::exp(-w / T), 1e-10);
    const auto hot = theory.spectrum(k, 1e4, true), limit = theory.spectrum(k, 1e4);
    EXPECT_NEAR(total(hot.lines) / total(limit.lines), 1, 1e-3);
  }
}

TEST(SpinWaveIntensities, OfEachOfTheTwoLinesOfAHoneycombFerromagnet) {
  // The equation is i dxi/dt = H xi with H_aa = B + 3 J / mu_a and H_01 = - J g(k) / sqrt(mu_0
  // mu_1). Here g is the sum over the three bonds of exp(i k.r). A mode xi has the intensity k_B T
  // / w |xi_0 / sqrt(mu_0) + xi_1 / sqrt(mu_1)|^2 / 2.
  const double mu[] = {1.0, 1.6}, B = 0.3, T = 0.01;
  SpinWaveSystem system(
      "[lattice]\ntype='honeycomb'\nsize=[6,6]\nmoment=[1,1.6]\n[[exchange]]\nshell=1\nJ=1\n"
      "[field]\nB=[0,0,0.3]\n");
  system.set(along({0, 0, 1}));
  const Theory theory(system);
  std::vector<Vec3<double>> bonds;
  for (const auto& c : system.terms[0].stencil)
    bonds.push_back(c.bond.from == 0 ? c.bond.r : -c.bond.r);
  ASSERT_EQ(bonds.size(), 3u);
  for (Vec3<double> k : odd_wave_vectors()) {
    k.z = 0;
    std::complex<double> g = 0;
    for (const Vec3<double>& r : bonds) g += std::polar(1.0, dot(k, r));
    Eigen::MatrixXcd H(2, 2);
    H << B + 3 / mu[0], -g / std::sqrt(mu[0] * mu[1]), -std::conj(g) / std::sqrt(mu[0] * mu[1]),
        B + 3 / mu[1];
    const Eigensystem<Eigen::MatrixXcd> modes = eigensystem(H, true);
    const auto classical = theory.spectrum(k, T), quantum = theory.spectrum(k, 0.7, true);
    for (int m = 0; m < 2; ++m) {
      const double w = modes.values[m];
      const Eigen::Vector2cd xi = modes.vectors.col(m);
      const double form = 0.5 * std::norm(xi[0] / std::sqrt(mu[0]) + xi[1] / std::sqrt(mu[1]));
      const auto at = static_cast<std::size_t>(m);
      EXPECT_NEAR(classical.lines[at].frequency, w, 1e-12);
      EXPECT_NEAR(classical.lines[at].intensity(), T / w * form, 1e-13);
      EXPECT_NEAR(classical.mirror[at].intensity(), T / w * form, 1e-13);
      const double bosons = 1 / std::expm1(w / 0.7);
      EXPECT_NEAR(quantum.lines[at].intensity(), (bosons + 1) * form, 1e-11);
      EXPECT_NEAR(quantum.mirror[at].intensity(), bosons * form, 1e-11);
    }
  }
}

TEST(SpinWaveIntensities, OfTheTwoBranchesThatAFieldPartsInAnAntiferromagnet) {
  // With a = 4 |J| + 2 K and b = 2 |J| (cos kx + cos ky), w0 = sqrt(a^2 - b^2). Along the field,
  // waves turn counterclockwise at w0 + B and clockwise at w0 - B. Each wave has half of sqrt((a -
  // b) / (a + b)) times its occupation.
  const double B = 0.4, T = 0.03;
  const Theory theory = theory_of(
      "[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=-1\n"
      "[[anisotropy]]\nK=0.3\n[field]\nB=[0,0,0.4]\n",
      spiral({pi, pi, 0}, {0, 0, 1}, {1, 0, 0}));
  for (const Vec3<double>& k : odd_wave_vectors()) {
    const double a = 4.6, b = 2 * (cos(k.x) + cos(k.y));
    const double w0 = std::sqrt(a * a - b * b), form = 0.5 * std::sqrt((a - b) / (a + b));
    const auto classical = theory.spectrum(k, T), cold = theory.spectrum(k, 0, true);
    const struct { double frequency, sense; } expected[] = {{w0 - B, -1}, {w0 + B, 1}};
    for (std::size_t m = 0; m < 2; ++m) {
      const auto& [w, sense] = expected[m];
      EXPECT_NEAR(classical.lines[m].frequency, w, 1e-12);
      EXPECT_NEAR(classical.lines[m].intensity(), T / w * form, 1e-12);
      EXPECT_NEAR(classical.mirror[m].intensity(), T / w * form, 1e-12);
      EXPECT_NEAR(cold.lines[m].intensity(), form, 1e-12);
      EXPECT_EQ(cold.mirror[m].intensity(), 0);
      const auto& f = classical.lines[m].amplitude;
      EXPECT_NEAR(std::abs(f[1] / f[0] - std::complex<double>(0, sense)), 0, 1e-10);
    }
  }
}

TEST(SpinWaveIntensities, AreNotKnownWhereNothingHoldsAModeBack) {
  const Theory theory =
      theory_of("[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=-1\n",
                spiral({pi, pi, 0}, {0, 0, 1}, {1, 0, 0}));
  const auto spectrum = theory.spectrum({0, 0, 0});
  EXPECT_TRUE(spectrum.minimum);
  EXPECT_EQ(spectrum.lines[0].frequency, 0);
  EXPECT_TRUE(std::isnan(spectrum.lines[0].intensity()));
}

TEST(SpinWaveMaps, KeepTheIntensityOfTheirLines) {
  const Theory theory = theory_of(
      "[lattice]\ntype='honeycomb'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=1\n[field]\nB=[0,0,1]\n",
      along({0, 0, 1}));
  const auto spectrum = theory.spectrum({0.7, 0.2, 0});
  std::vector<double> frequency;
  for (int n = -4000; n <= 4000; ++n) frequency.push_back(0.005 * n);
  for (const auto shape : {spinwaves::LineShape::gaussian, spinwaves::LineShape::lorentzian}) {
    const auto S = spinwaves::broadened(spectrum, frequency, {shape, 0.1});
    const double sum = 0.005 * std::accumulate(S.begin(), S.end(), 0.0) / (2 * pi);
    const double expected = total(spectrum.lines) + total(spectrum.mirror);
    // A Lorentzian has the fraction 2 * width / (2 pi * 20) beyond the ends of the frequencies.
    EXPECT_NEAR(sum / expected, 1, shape == spinwaves::LineShape::gaussian ? 1e-10 : 3e-3);
  }
  const spinwaves::Resolution line{spinwaves::LineShape::lorentzian, 0.4};
  EXPECT_NEAR(line.at(0.2) / line.at(0), 0.5, 1e-14);
  const spinwaves::Resolution bell{spinwaves::LineShape::gaussian, 0.4};
  EXPECT_NEAR(bell.at(0.2) / bell.at(0), 0.5, 1e-14);
}

TEST(SpinWaveIntensities, QuantumOnesAreClassicalOnesWithDetailedBalance) {
  constexpr double kT = 0.6;
  const Theory theory = theory_of(
      "[lattice]\ntype='chain'\nsize=[6]\n[[exchange]]\nshell=1\nJ=-1\n[[anisotropy]]\nK=0.3\n"
      "[[dmi]]\noffset=[[1,0,0]]\nD=[0,0,0.1]\n",
      [](const Vec3<double>& r, int) {
        return Vec3<double>{0, 0, std::lround(r.x) % 2 == 0 ? 1.0 : -1.0};
      });
  for (const Vec3<double>& q : odd_wave_vectors()) {
    const auto classical = theory.spectrum(q, kT), quantum = theory.spectrum(q, kT, true);
    for (std::size_t m = 0; m < classical.lines.size(); ++m) {
      const double up = classical.lines[m].frequency / kT,
                   down = classical.mirror[m].frequency / kT;
      EXPECT_NEAR(quantum.lines[m].intensity() / classical.lines[m].intensity(),
                  correlations::detailed_balance_factor(up), 1e-10);
      EXPECT_NEAR(quantum.mirror[m].intensity() / classical.mirror[m].intensity(),
                  correlations::detailed_balance_factor(down), 1e-10);
    }
  }
}

TEST(SpinWaveStates, OfAChainPileUpAtItsBandEdges) {
  // For w = 2 (1 - cos k), the density is g(w) = 1 / (pi sqrt(w (4 - w))).
  const Theory theory = theory_of("[lattice]\ntype='chain'\nsize=[4]\n[[exchange]]\nshell=1\nJ=1\n",
                                  along({0, 0, 1}));
  std::vector<double> all;
  for (int n = 0; n < 20000; ++n) all.push_back(theory.frequencies({2 * pi * n / 20000, 0, 0})[0]);
  const auto states = spinwaves::density_of_states(all, 102, nullptr);
  const double bin = states.frequency[1] - states.frequency[0];
  EXPECT_NEAR(std::accumulate(states.density.begin(), states.density.end(), 0.0) * bin, 1, 1e-12);
  EXPECT_NEAR(states.density[50],
              1 / (pi * std::sqrt(states.frequency[50] * (4 - states.frequency[50]))), 2e-3);
  const spinwaves::Resolution bell{spinwaves::LineShape::gaussian, 0.2};
  const auto smooth = spinwaves::density_of_states(all, 400, &bell);
  const double width = smooth.frequency[1] - smooth.frequency[0];
  // Intensity that is smeared below zero frequency is lost.
  EXPECT_NEAR(std::accumulate(smooth.density.begin(), smooth.density.end(), 0.0) * width, 1, 0.08);
}

}  // namespace larmor::spin_wave_intensities_tests
