// Harmonic transition-state theory. Second derivatives are compared with finite differences, and
// factorisations with dense matrices. Rates and lifetimes are compared with closed forms.
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/spins/htst/deflated_factorisation.hpp"
#include "larmor/spins/htst/harmonic_rate.hpp"
#include "larmor/spins/landscape/energy_surface.hpp"
#include "test_system.hpp"

namespace larmor::htst_tests {

using namespace larmor::spins;
using testing_support::TestSystem;
constexpr double pi = std::numbers::pi;

SiteVectors spins_of(const TestSystem& system) {
  SiteVectors spins;
  copy_spins(system.state, 0, spins);
  return spins;
}

/// @param direction unit vector of each canonical site
SiteVectors directed(TestSystem& system, const std::function<Vec3<double>(Index)>& direction) {
  std::vector<Vec3<double>> e;
  for (Index i = 0; i < system.model.sites(); ++i) e.push_back(direction(i));
  system.state.set_all(e);
  return spins_of(system);
}

SiteVectors aligned(TestSystem& system, const Vec3<double>& e) {
  return directed(system, [&](Index) { return e; });
}

StationaryState stationary(const TestSystem& system, const SiteVectors& spins,
                           const StationarySettings& settings = {}) {
  return find_stationary_state(system.model, system.geometry, spins, settings, "the state");
}

Eigen::MatrixXd dense(const SparseMatrix& A) {
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(A.size, A.size);
  for (Index row = 0; row < A.size; ++row)
    for (Index n = A.start[static_cast<std::size_t>(row)];
         n < A.start[static_cast<std::size_t>(row) + 1]; ++n)
      full(row, A.column[static_cast<std::size_t>(n)]) += A.value[static_cast<std::size_t>(n)];
  return full;
}

/// The growth rate of the unstable mode of a spin with the curvatures c1 < 0 < c2 at the saddle
/// (Coffey et al., Phys. Rev. B 58, 3249 (1998)), for gamma = mu = 1.
double growth(double c1, double c2, double damping) {
  const double a = damping;
  return (-a * (c1 + c2) + std::sqrt(a * a * (c1 - c2) * (c1 - c2) - 4 * c1 * c2)) /
         (2 * (1 + a * a));
}

std::vector<double> ones(Index spins) {
  return std::vector<double>(static_cast<std::size_t>(spins), 1.0);
}

const std::string bonds =
    "[[exchange]]\nshell=1\nJ=1.3\n[[exchange]]\nshell=2\nJ=-0.4\n"
    "[[dmi]]\nshell=1\nstrength=0.7\ndirection='bond'\n";
const std::string tensors = "[[exchange-tensor]]\noffset=[[1,0,0]]\nA=[[1,2,3],[4,5,6],[7,8,9]]\n";
const std::string fourth_orders =
    "[[biquadratic]]\nshell=1\nb=0.6\n[[anisotropy]]\nK=0.9\naxis=[1,2,2]\nK4=0.4\nK6=-0.3\n"
    "[[cubic-anisotropy]]\nK4=0.5\n";
const std::string vacancies = "[[alloy]]\nby='vacancy'\nfraction=0.2\n";

struct Described {
  const char* name;
  std::string terms;
  friend void PrintTo(const Described& tested, std::ostream* out) { *out << tested.name; }
};

class Expansion : public testing::TestWithParam<Described> {
 protected:
  Expansion()
      : system_("[lattice]\ntype='honeycomb'\nsize=[4,3]\nperiodic=[true,false]\n" +
                GetParam().terms + "[field]\nB=[0.1,0.2,-0.4]\n") {
    system_.state.randomise(3);
  }
  /// P dE/de at other spins, by the code of the dynamics.
  SiteVectors gradient_at(const SiteVectors& spins) {
    store_spins({&spins, 1}, 0, system_.state);
    const testing_support::HostVectors h = testing_support::fields_of(system_.model, system_.state);
    SiteVectors gradient(spins.size());
    const std::size_t n = spins.size() / 3;
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3<double> e{spins[i], spins[n + i], spins[2 * n + i]};
      const Vec3<double> f = h.view.load(ScalarSlot<>{static_cast<Index>(i), 0});
      const Vec3<double> g = dot(e, f) * e - f;
      gradient[i] = g.x, gradient[n + i] = g.y, gradient[2 * n + i] = g.z;
    }
    return gradient;
  }
  TestSystem system_;
};

TEST_P(Expansion, HessianIsTheDerivativeOfTheGradient) {
  const SiteVectors spins = spins_of(system_);
  const EnergyExpansion at = expand_energy(system_.model, spins);
  EXPECT_NEAR(at.energy,
              energy_per_site(system_.model, system_.state)[0] *
                  static_cast<double>(system_.state.layout().spins()),
              1e-12);
  const std::vector<double> own = at.space.components(gradient_at(spins));
  ASSERT_EQ(own.size(), at.gradient.size());
  for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(at.gradient[i], own[i], 1e-13);
  const Eigen::MatrixXd H = dense(at.hessian);
  EXPECT_LT((H - H.transpose()).norm(), 1e-13);
  constexpr double step = 1e-5;
  for (std::size_t i = 0; i < own.size(); i += 5) {
    std::vector<double> along(own.size());
    along[i] = 1;
    SiteVectors ahead(spins.size()), back(spins.size());
    turn(spins, at.space.vectors(along), step, ahead, 1);
    turn(spins, at.space.vectors(along), -step, back, 1);
    const std::vector<double> plus = at.space.components(gradient_at(ahead)),
                              minus = at.space.components(gradient_at(back));
    for (std::size_t j = 0; j < own.size(); ++j)
      EXPECT_NEAR(H(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)),
                  (plus[j] - minus[j]) / (2 * step), 1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(Terms, Expansion,
                         testing::Values(Described{"exchange", "[[exchange]]\nshell=1\nJ=1.3\n"},
                                         Described{"dmi", bonds}, Described{"tensor", tensors},
                                         Described{"fourth_orders", fourth_orders},
                                         Described{"vacancies", vacancies + bonds + fourth_orders},
                                         Described{"all", bonds + tensors + fourth_orders}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Expansion, DipolesOfAnyRangeAreRefused) {
  TestSystem system("[lattice]\ntype='square'\nsize=[4,4]\n[dipolar]\nstrength=1\nmethod='fft'\n");
  EXPECT_THROW(expand_energy(system.model, spins_of(system)), InputError);
}

TEST(SparseFactorisation, DeterminantInertiaAndSolutionAreThoseOfTheDenseMatrix) {
  TestSystem system("[lattice]\ntype='square'\nsize=[7,6]\n" + bonds + fourth_orders);
  system.state.randomise(9);
  const SparseMatrix A = expand_energy(system.model, spins_of(system)).hessian;
  const Eigen::MatrixXd full = dense(A);
  const Eigen::VectorXd eigenvalues = eigensystem(full).values;
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(A.size, -1, 2);
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
    SparseFactorisation factorisation(A, symmetry);
    for (const double shift : {0.0, 1.5}) {  // both shifts use one order of elimination
      factorisation.factorise(shifted(A, shift));
      const Eigen::ArrayXd moved = eigenvalues.array() + shift;
      EXPECT_NEAR(factorisation.log_determinant(), moved.abs().log().sum(), 1e-10);
      if (symmetry == Symmetry::symmetric) {
        EXPECT_EQ(factorisation.negative_eigenvalues(), (moved < 0).count());
        EXPECT_GT((moved < 0).count(), 5);
      }
      const std::vector<double> x = factorisation.solve({b.data(), b.data() + b.size()});
      const std::vector<double> image = product(shifted(A, shift), x);
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(image[i], b[static_cast<Eigen::Index>(i)], 1e-11);
    }
  }
}

TEST(SparseFactorisation, SingularMatricesAreRefused) {
  SparseMatrix zero{2, {0, 2, 4}, {0, 1, 0, 1}, {0, 0, 0, 0}};
  SparseFactorisation factorisation(zero, Symmetry::symmetric);
  EXPECT_THROW(factorisation.factorise(zero), UnphysicalError);
}

TEST(LowestModes, AreThoseOfTheDenseMatrixAlsoWhereTheyAreEqual) {
  // The ring has the eigenvalues 2 (1 - cos q) - 0.3. All except two are double, and each spin has
  // two modes.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[40]\n[[exchange]]\nshell=1\nJ=1\n[field]\nB=[0,0,-0.3]\n");
  const SparseMatrix H = expand_energy(system.model, aligned(system, {0, 0, 1})).hessian;
  const Eigen::VectorXd all = eigensystem(dense(H)).values;
  constexpr double shift = -0.01;
  SparseFactorisation inverse(H, Symmetry::symmetric);
  inverse.factorise(shifted(H, -shift));
  const std::vector<Mode> modes = lowest_modes(H, inverse, shift, 4, 2);
  const auto below = static_cast<std::size_t>((all.array() < shift).count());
  EXPECT_GT(below, 5u);
  ASSERT_EQ(modes.size(), below + 6);
  for (std::size_t n = 0; n < modes.size(); ++n) {
    EXPECT_NEAR(modes[n].value, all[static_cast<Eigen::Index>(n)], 1e-11);
    for (std::size_t m = 0; m < n; ++m)
      EXPECT_NEAR(scalar_product(modes[n].vector, modes[m].vector), 0, 1e-9);
  }
}

TEST(DeflatedFactorisation, LeavesOutExactlyTheModesThatItIsTold) {
  TestSystem system("[lattice]\ntype='square'\nsize=[5,5]\n" + bonds);
  system.state.randomise(2);
  const SparseMatrix H = expand_energy(system.model, spins_of(system)).hessian;
  const Eigensystem<Eigen::MatrixXd> solved = eigensystem(dense(H));
  std::vector<Mode> left_out;
  std::vector<Eigen::Index> kept;
  for (Eigen::Index n = 0; n < H.size; ++n) {
    const Eigen::VectorXd v = solved.vectors.col(n);
    if (n == 3 || n == 20 || n == 21) {
      left_out.push_back({solved.values[n], {v.data(), v.data() + v.size()}});
    } else {
      kept.push_back(n);
    }
  }
  SparseFactorisation factorisation(H, Symmetry::symmetric);
  const DeflatedFactorisation deflated(factorisation, H, left_out);
  double log_determinant = 0;
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(H.size, -1, 2);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(H.size);
  for (const Eigen::Index n : kept) {
    log_determinant += std::log(std::abs(solved.values[n]));
    const Eigen::VectorXd v = solved.vectors.col(n);
    x += v.dot(b) / solved.values[n] * v;
  }
  EXPECT_NEAR(deflated.log_determinant(), log_determinant, 1e-9);
  const std::vector<double> solution = deflated.solve({b.data(), b.data() + b.size()});
  for (std::size_t i = 0; i < solution.size(); ++i)
    EXPECT_NEAR(solution[i], x[static_cast<Eigen::Index>(i)], 1e-9);
}

/// One spin with the energy - K z^2 - mu B z. The minimum is up, and the saddle is a circle at cos
/// theta = - h with h = B / 2 K.
class StonerWohlfarthGrain : public testing::TestWithParam<double> {};

TEST_P(StonerWohlfarthGrain, HasBrownsRate) {
  const double K = 1.7, B = GetParam(), h = B / (2 * K), damping = 0.3, T = 0.1;
  TestSystem system("[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=1.7\n" +
                    std::string("[field]\nB=[0,0,") + std::to_string(B) + "]\n");
  const StationaryState minimum = stationary(system, aligned(system, {0.01, 0, 1}));
  // The spin is slightly off the saddle.
  const double angle = std::acos(-h) + 0.02;
  const StationaryState saddle =
      stationary(system, aligned(system, {std::sin(angle), 0, std::cos(angle)}));
  EXPECT_EQ(minimum.negative, 0);
  EXPECT_EQ(saddle.negative, 1);
  EXPECT_EQ(saddle.valley.rotations, 1);
  EXPECT_NEAR(std::exp(saddle.valley.log_volume), 2 * pi * std::sqrt(1 - h * h), 1e-12);
  const Escape escape(minimum, saddle, 1);
  EXPECT_NEAR(escape.barrier, K * (1 + h) * (1 + h), 1e-13);
  // The factor is from Brown, Phys. Rev. 130, 1677 (1963), equation 4.49.
  const double kappa = langer_factor(saddle, ones(1), damping);
  const double expected = 2 * K * damping / (1 + damping * damping) * std::sqrt(K / (pi * T)) *
                          (1 - h * h) * (1 + h) * std::exp(-K * (1 + h) * (1 + h) / T);
  EXPECT_NEAR(escape.rate(kappa, T) / expected, 1, 1e-11);
  // If spins only precess, they stay on their circle of latitude.
  EXPECT_NEAR(transition_state_factor(saddle, ones(1)), 0, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Fields, StonerWohlfarthGrain, testing::Values(0.0, 0.5, -0.8));

TEST(HarmonicRate, OfABiaxialGrainIsTheClosedForm) {
  // The energy is - K z^2 + D y^2, with gamma/mu = 1/2. The spin escapes over +x and -x.
  const double K = 1, D = 0.4, T = 0.2;
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\nmoment=[2]\n[[anisotropy]]\nK=1\n"
      "[[anisotropy]]\nK=-0.4\naxis=[0,1,0]\n");
  const StationaryState minimum = stationary(system, aligned(system, {0, 0.02, 1}));
  const StationaryState saddle = stationary(system, aligned(system, {1, 0.01, 0.03}));
  const std::vector<double> inertia = spin_inertia(system.model, 1);
  ASSERT_EQ(inertia, std::vector<double>{2});
  const Escape escape(minimum, saddle, 2);
  const double curvatures =
      std::sqrt(2 * K * (2 * K + 2 * D) / (2 * K * 2 * D)) * std::exp(-K / T) / pi;
  EXPECT_NEAR(escape.rate(transition_state_factor(saddle, inertia), T),
              std::sqrt(4 * K * D) / 2 * curvatures, 1e-14);
  for (const double damping : {0.0, 0.05, 1.0, 30.0})
    EXPECT_NEAR(escape.rate(langer_factor(saddle, inertia, damping), T),
                growth(-2 * K, 2 * D, damping) / 2 * curvatures, 1e-13)
        << damping;
}

TEST(HarmonicRate, OfAChainThatTurnsTogetherIsASumOverItsWaves) {
  const int N = 8;
  const double J = 4, K = 1, D = 0.4, T = 0.7, damping = 0.1;
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=4\n[[anisotropy]]\nK=1\n"
      "[[anisotropy]]\nK=-0.4\naxis=[0,1,0]\n");
  const StationaryState minimum = stationary(system, aligned(system, {0, 0, 1}));
  const StationaryState saddle = stationary(system, aligned(system, {1, 0, 0}));
  double log_ratio = 0;
  for (int n = 0; n < N; ++n) {
    const double wave = 2 * J * (1 - std::cos(2 * pi * n / N));
    log_ratio += std::log((wave + 2 * K) * (wave + 2 * K + 2 * D) /
                          std::abs((wave - 2 * K) * (wave + 2 * D)));
  }
  EXPECT_EQ(saddle.negative, 1);
  EXPECT_EQ(saddle.zero_modes.size(), 0u);
  const Escape escape(minimum, saddle, 2);
  EXPECT_NEAR(escape.barrier, N * K, 1e-12);
  const double before = std::exp(log_ratio / 2 - N * K / T) / pi;
  EXPECT_NEAR(escape.rate(langer_factor(saddle, ones(N), damping), T) /
                  (growth(-2 * K, 2 * D, damping) * before),
              1, 1e-11);
  EXPECT_NEAR(
      escape.rate(transition_state_factor(saddle, ones(N)), T) / (std::sqrt(4 * K * D) * before), 1,
      1e-11);
}

TEST(HarmonicRate, OfAChainWithACircleOfSaddlesHasTheirVolume) {
  const int N = 8;
  const double J = 4, K = 1, T = 0.7, damping = 0.2;
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=4\n[[anisotropy]]\nK=1\n");
  const StationaryState minimum = stationary(system, aligned(system, {0, 0, 1}));
  const StationaryState saddle = stationary(system, aligned(system, {0.6, 0.8, 0}));
  EXPECT_EQ(saddle.valley.rotations, 1);
  double log_ratio = 0;
  for (int n = 0; n < N; ++n) {
    const double wave = 2 * J * (1 - std::cos(2 * pi * n / N));
    log_ratio += 2 * std::log(wave + 2 * K) - std::log(std::abs(wave - 2 * K));
    if (n > 0) log_ratio -= std::log(wave);
  }
  const double kappa = 2 * K * damping / (1 + damping * damping);
  const double expected =
      kappa / (2 * pi) * 2 * pi * std::sqrt(N / (2 * pi * T)) * std::exp(log_ratio / 2 - N * K / T);
  EXPECT_NEAR(
      Escape(minimum, saddle, 1).rate(langer_factor(saddle, ones(N), damping), T) / expected, 1,
      1e-11);
}

TEST(ZeroModes, OfAFerromagnetAreAllItsDirections) {
  TestSystem system("[lattice]\ntype='chain'\nsize=[9]\n[[exchange]]\nshell=1\nJ=1\n");
  const StationaryState state = stationary(system, aligned(system, {2.0 / 3, -1.0 / 3, 2.0 / 3}));
  EXPECT_EQ(state.valley.rotations, 2);
  EXPECT_NEAR(std::exp(state.valley.log_volume), 4 * pi * 9, 1e-9);
  double log_determinant = 0;
  for (int n = 1; n < 9; ++n) log_determinant += 2 * std::log(2 - 2 * std::cos(2 * pi * n / 9));
  EXPECT_NEAR(state.log_determinant, log_determinant, 1e-10);
}

TEST(ZeroModes, OfATriangleAreAllRotations) {
  // Neighbours are at 120 degrees, so the moments of inertia are 3/2, 3/2 and 3.
  TestSystem system("[lattice]\ntype='chain'\nsize=[3]\n[[exchange]]\nshell=1\nJ=-1\n");
  const SiteVectors spins = directed(system, [](Index i) {
    const double angle = 2 * pi * static_cast<double>(i) / 3;
    return Vec3<double>{std::cos(angle), 0.8 * std::sin(angle), 0.6 * std::sin(angle)};
  });
  // A translation equals a rotation here, and both together count once.
  const StationaryState state = stationary(system, spins);
  EXPECT_EQ(state.zero_modes.size(), 3u);
  EXPECT_EQ(state.valley.translations + state.valley.rotations, 3);
}

TEST(ZeroModes, OfAHelixAreItsTranslationsThatDiffer) {
  // The spiral has two turns on 16 sites. It has 8 distinct translations, each of which is a turn
  // of 2 pi / 8 about the axis of D.
  const int N = 16;
  const double J = 1, D = std::tan(2 * pi / 8) * J, all = std::hypot(J, D);
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[16]\n[[exchange]]\nshell=1\nJ=1\n[[dmi]]\n"
      "shell=1\nstrength=" +
      std::to_string(D) + "\ndirection='bond'\n");
  const SiteVectors spins = directed(system, [](Index i) {
    const double angle = 2 * pi * static_cast<double>(i) / 8;
    return Vec3<double>{0, std::cos(angle), std::sin(angle)};
  });
  const StationaryState state = stationary(system, spins);
  EXPECT_EQ(state.negative, 0);
  EXPECT_EQ(state.valley.translations, 1);
  EXPECT_EQ(state.valley.rotations, 0);
  EXPECT_NEAR(std::exp(state.valley.log_volume), 2 * pi * std::sqrt(N), 1e-9);
  double log_determinant = 0;
  for (int n = 0; n < N; ++n) {
    const double c = std::cos(2 * pi * n / N);
    log_determinant += std::log(2 * all - 2 * J * c);
    if (n > 0) log_determinant += std::log(2 * all * (1 - c));
  }
  EXPECT_NEAR(state.log_determinant, log_determinant, 1e-9);
}

TEST(ZeroModes, AreKeptWhereOneAsksForIt) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=4\n[[anisotropy]]\nK=1\n");
  EXPECT_THROW(stationary(system, aligned(system, {1, 0, 0}), {false, 1e-4}), UnphysicalError);
}

TEST(StationaryState, IsReachedInAFewStepsToTheLastDigits) {
  TestSystem system("[lattice]\ntype='square'\nsize=[8,8]\n[[exchange]]\nshell=1\nJ=1\n" +
                    vacancies + "[[anisotropy]]\nK=0.5\n[[anisotropy]]\nK=-0.3\naxis=[1,2,2]\n");
  const StationaryState state = stationary(system, aligned(system, {0.05, -0.02, 1}));
  EXPECT_LE(state.steps, 6);
  EXPECT_LT(state.torque, 1e-12);
  EXPECT_EQ(state.negative, 0);
}

TEST(StationaryState, FarFromOneIsRefused) {
  TestSystem system(
      "[lattice]\ntype='square'\nsize=[8,8]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[anisotropy]]\nK=0.5\n");
  system.state.randomise(4);
  EXPECT_THROW(stationary(system, spins_of(system)), UnphysicalError);
}

/// The only positive eigenvalue of L. A high power of the Cayley transform keeps its eigenvector,
/// because the transforms of the other eigenvalues are not larger than 1.
double fastest_growth(const Eigen::MatrixXd& L) {
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(L.rows(), L.cols());
  Eigen::MatrixXd power = inverse(one - 0.05 * L) * (one + 0.05 * L);
  for (int n = 0; n < 20; ++n) {
    power = power * power;
    power /= power.norm();
  }
  const Eigen::VectorXd v = power * Eigen::VectorXd::LinSpaced(L.rows(), 1, 2);
  return v.dot(L * v) / v.squaredNorm();
}

TEST(LangerFactor, IsTheGrowingEigenvalueOfTheLinearisedDynamics) {
  // Moments differ and there is a field, so the unstable mode of the dynamics is not that of the
  // energy.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[6]\nmoment=[1.5]\n[[alloy]]\nby='B'\nfraction=0.5\n"
      "moment=0.6\n[[exchange]]\nshell=1\nJ=4\n[[anisotropy]]\nK=1\n[[anisotropy]]\nK=-0.4\n"
      "axis=[0,1,0]\nspecies='B'\n[field]\nB=[0,0.2,0.1]\n");
  const StationaryState saddle = stationary(system, aligned(system, {1, 0.1, 0}));
  ASSERT_EQ(saddle.negative, 1);
  const double gamma = 1.7;
  const std::vector<double> inertia = spin_inertia(system.model, gamma);
  for (const double damping : {0.0, 0.02, 0.5}) {
    // The equation is de/dt = - gamma / (1 + alpha^2) [e x B + alpha e x (e x B)] with B = - H v /
    // mu.
    const Eigen::MatrixXd H = dense(saddle.expansion.hessian);
    Eigen::MatrixXd L = Eigen::MatrixXd::Zero(H.rows(), H.cols());
    for (Eigen::Index i = 0; i < H.rows() / 2; ++i) {
      Eigen::Matrix2d block;
      block << -damping, -1, 1, -damping;
      L.middleRows(2 * i, 2) = block * H.middleRows(2 * i, 2) /
                               (inertia[static_cast<std::size_t>(i)] * (1 + damping * damping));
    }
    const double grows = fastest_growth(L);
    EXPECT_GT(grows, 0.1);
    EXPECT_NEAR(langer_factor(saddle, inertia, damping), grows, 1e-11) << damping;
    EXPECT_LE(grows, transition_state_factor(saddle, inertia) * (1 + 1e-12));
  }
}

}  // namespace larmor::htst_tests
