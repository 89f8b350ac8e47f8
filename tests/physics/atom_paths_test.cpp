// Minimum-energy paths of atoms, stationary structures and harmonic rates. Barriers and frequencies
// have closed forms, follow from symmetry, or come from a dense Hessian without projections.
// Rooms: atoms, paths

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>

#include "larmor/atoms/minimisers/lbfgs.hpp"
#include "larmor/atoms/paths/first_path.hpp"
#include "larmor/atoms/paths/harmonic_rate.hpp"
#include "larmor/atoms/paths/nudged_band.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"
#include "tests/expectations.hpp"
#include "tests/physics/molecular_dynamics_support.hpp"

namespace larmor::atoms::atom_paths_tests {
namespace {

constexpr double pi = std::numbers::pi;

/// Two atoms with the relative vector r: V = W(x) + b/2 (y - c (x^2 - 1))^2 + k/2 z^2 with the
/// slope W' = a (x + 1) (x - s) (x - 1). Minima are at x = -1 and x = 1 with y = 0, and the saddle
/// at x = s. The way between them is curved.
class CurvedValley : public ForceField {
 public:
  static constexpr double a = 1.7, s = 0.2, b = 3, c = 0.6, k = 1.1;

  static double along(double x) {
    return a * (x * x * x * x / 4 - s * x * x * x / 3 - x * x / 2 + s * x);
  }

  void evaluate(AtomState& state) override {
    for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
      const auto first = static_cast<std::size_t>(state.layout.first(replica));
      const Vec3<double> r = state.position[first + 1] - state.position[first];
      const double u = r.y - c * (r.x * r.x - 1);
      const Vec3<double> slope{a * (r.x + 1) * (r.x - s) * (r.x - 1) - 2 * b * u * c * r.x, b * u,
                               k * r.z};
      state.energy[static_cast<std::size_t>(replica)] =
          along(r.x) + 0.5 * b * u * u + 0.5 * k * r.z * r.z;
      state.force[first] = slope;
      state.force[first + 1] = -slope;
    }
  }
};

/// The relative vector r, with the mean of both atoms at a fixed place.
Positions pair(const Vec3<double>& r) {
  const Vec3<double> centre{5, 5, 5};
  return {centre + -0.5 * r, centre + 0.5 * r};
}

constexpr double light = 4, heavy = 12;

AtomState states_of(const std::vector<Positions>& all, const Structure& like,
                    const std::vector<double>& masses) {
  std::vector<Structure> structures;
  for (const Positions& positions : all) {
    structures.push_back(like);
    structures.back().positions = positions;
  }
  return AtomState(AtomUnits::material(), masses, structures);
}

AtomState pairs(const std::vector<Positions>& all) {
  return states_of(all, {{{{{10, 0, 0}, {0, 10, 0}, {0, 0, 10}}}}, {}, {0, 1}}, {light, heavy});
}

std::vector<Positions> copies(const Positions& positions, std::size_t count) {
  return std::vector<Positions>(count, positions);
}

Positions image_of(const AtomState& images, Index image) {
  const auto positions = images.positions_of(image);
  return {positions.begin(), positions.end()};
}

std::vector<Positions> path_of_pair(std::size_t images) {
  return straight_path({pair({-1, 0, 0}), pair({1, 0, 0})}, images);
}

/// A band in the curved valley, run until it has converged.
struct ConvergedBand {
  ConvergedBand(std::size_t count, const BandSettings& settings, int threads = 1)
      : images(pairs(path_of_pair(count))), band(images.layout, settings, threads) {
    CurvedValley valley;
    band.start(images, valley);
    band.run(images, valley, 3000);
    EXPECT_TRUE(band.converged());
  }

  AtomState images;
  NudgedBand band;
};

const double forward = CurvedValley::along(CurvedValley::s) - CurvedValley::along(-1),
             backward = CurvedValley::along(CurvedValley::s) - CurvedValley::along(1);

TEST(NudgedBand, ClimbsToTheSaddleOfACurvedValley) {
  const ConvergedBand found(9, {.tolerance = 1e-6});
  const paths::NebPath& path = found.band.path();
  EXPECT_EQ(path.climbing, path.highest());
  EXPECT_NEAR(path.height() - path.energy.front(), forward, 1e-11);
  EXPECT_NEAR(path.height() - path.energy.back(), backward, 1e-11);
  const Positions saddle = image_of(found.images, static_cast<Index>(path.climbing));
  const Vec3<double> r = saddle[1] - saddle[0];
  EXPECT_NEAR(r.x, CurvedValley::s, 1e-6);
  EXPECT_NEAR(r.y, CurvedValley::c * (CurvedValley::s * CurvedValley::s - 1), 1e-6);
}

// Without a climbing image, only springs place the images, so the highest one lies below the
// saddle.
TEST(NudgedBand, SpringsKeepImagesAtEqualDistances) {
  const ConvergedBand found(8, {.tolerance = 1e-7, .climb = false});
  const paths::NebPath& path = found.band.path();
  EXPECT_EQ(path.climbing, 0u);
  EXPECT_LT(path.height() - path.energy.front(), forward - 1e-4);
  for (std::size_t i = 0; i + 1 < path.images(); ++i)
    EXPECT_NEAR(path.to_next[i] / path.to_next[0], 1, 0.15);
}

TEST(NudgedBand, SlopesAreTheDerivativeOfTheEnergyAlongThePath) {
  const ConvergedBand found(41, {.tolerance = 1e-6});
  const paths::NebPath& path = found.band.path();
  const std::vector<double> at = path.coordinates();
  for (std::size_t i = 1; i + 1 < path.images(); ++i) {
    if (i == path.climbing || i + 1 == path.climbing || i == path.climbing + 1) continue;
    EXPECT_NEAR(path.slope[i], (path.energy[i + 1] - path.energy[i - 1]) / (at[i + 1] - at[i - 1]),
                0.01);
  }
}

TEST(NudgedBand, ForcesCrossThePathAndEndsHaveNone) {
  AtomState images = pairs(path_of_pair(7)), bare = pairs(path_of_pair(7));
  CurvedValley valley;
  NudgedBand band(images.layout, {.climb = false}, 1);
  band.start(images, valley);
  valley.evaluate(bare);
  const paths::NebPath& path = band.path();
  EXPECT_EQ(band.forces().front(), 0);
  EXPECT_EQ(band.forces().back(), 0);
  // The straight path has equal distances, so springs do not act. Its tangent is the x axis.
  for (std::size_t i = 1; i < 6; ++i) {
    const Vec3<double> whole = bare.forces_of(static_cast<Index>(i))[1];
    EXPECT_NEAR(band.forces()[i], std::abs(whole.y), 1e-12);
    EXPECT_GT(std::abs(whole.y), 0.1);
    EXPECT_NEAR(path.slope[i], -std::sqrt(2.0) * whole.x, 1e-12);
  }
}

TEST(NudgedBand, ThreadsChangeNoBit) {
  const ConvergedBand one(9, {.tolerance = 1e-6}), three(9, {.tolerance = 1e-6}, 3);
  EXPECT_EQ(one.band.path().energy, three.band.path().energy);
  EXPECT_EQ(one.band.save(), three.band.save());
}

TEST(NudgedBand, ASavedBandContinuesWithItsBits) {
  const BandSettings settings{.tolerance = 1e-6};
  CurvedValley valley;
  AtomState images = pairs(path_of_pair(9));
  NudgedBand band(images.layout, settings, 1);
  band.start(images, valley);
  band.run(images, valley, 37);
  AtomState later = pairs(path_of_pair(9));
  later.position = images.position;
  NudgedBand resumed(later.layout, settings, 1);
  resumed.load(band.save(), later, valley);
  EXPECT_EQ(band.run(images, valley, 3000), resumed.run(later, valley, 3000));
  EXPECT_TRUE(band.converged());
  EXPECT_EQ(band.save(), resumed.save());
  EXPECT_EQ(band.path().energy, resumed.path().energy);
}

TEST(NudgedBand, APathUphillHasNoClimbingImage) {
  AtomState images = pairs(straight_path({pair({-1, 0, 0}), pair({-0.5, -0.45, 0})}, 5));
  CurvedValley valley;
  NudgedBand band(images.layout, {.tolerance = 1e-5}, 1);
  band.start(images, valley);
  band.run(images, valley, 3000);
  EXPECT_TRUE(band.converged());
  EXPECT_FALSE(band.saddle_converged());
  EXPECT_EQ(band.path().climbing, 0u);
}

TEST(FirstPath, TheNearestImageHasNoMeanDisplacement) {
  const Box box{{{{8, 0, 0}, {3, 8, 0}, {0, 0, 8}}}};
  const Positions from{{1, 1, 1}, {4, 4, 4}, {7.5, 7.9, 2}};
  // Each atom is displaced, moved to another periodic image, and moved by a common vector.
  Positions to = from;
  to[0] += Vec3<double>{0.2, 0, -0.2} + box.vectors[0] + -1 * box.vectors[1];
  to[1] += Vec3<double>{0, -0.4, 0} + 3 * box.vectors[2];
  to[2] += Vec3<double>{-0.2, 0.4, 0.2};
  for (Vec3<double>& r : to) r += Vec3<double>{0.3, 0.1, -0.5};
  const Positions near = nearest_image(box, from, to);
  const Positions expected{{1.2, 1, 0.8}, {4, 3.6, 4}, {7.3, 8.3, 2.2}};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(length(near[i] - expected[i]), 1e-12);
  EXPECT_NEAR(largest_displacement(from, near), std::sqrt(0.24), 1e-12);
}

TEST(FirstPath, AnOpenClusterIsTurnedBack) {
  const Box box{{{{30, 0, 0}, {0, 30, 0}, {0, 0, 30}}}, {false, false, false}};
  const Positions from{{1, 1, 1}, {4, 1.5, 1}, {2, 3, 2}, {1, 2, 4}};
  // By 1.1 rad about the axis (2, -1, 2) / 3 (Rodrigues), and to another place.
  const Vec3<double> axis{2.0 / 3, -1.0 / 3, 2.0 / 3};
  Positions to;
  for (const Vec3<double>& r : from)
    to.push_back(std::cos(1.1) * r + std::sin(1.1) * cross(axis, r) +
                 ((1 - std::cos(1.1)) * dot(axis, r)) * axis + Vec3<double>{3, -2, 5});
  EXPECT_GT(largest_displacement(from, to), 3);
  EXPECT_LT(largest_displacement(from, nearest_image(box, from, to)), 1e-12);
}

TEST(FirstPath, ImagesAreEquallySpacedThroughAllStops) {
  const std::vector<Positions> path = straight_path({{{0, 0, 0}}, {{1, 0, 0}}, {{1, 3, 0}}}, 9);
  ASSERT_EQ(path.size(), 9u);
  EXPECT_LT(length(path[2][0] - Vec3<double>{1, 0, 0}), 1e-12);
  EXPECT_LT(length(path[5][0] - Vec3<double>{1, 1.5, 0}), 1e-12);
  EXPECT_EQ(path[8][0], (Vec3<double>{1, 3, 0}));
}

class StationaryPair : public testing::Test {
 protected:
  StationaryStructure find(const Vec3<double>& r, const char* what = "the structure") {
    AtomState one = pairs({pair(r)}), many = pairs(copies(pair(r), 5));
    return find_stationary_structure({one, valley_}, {many, valley_}, pair(r), what);
  }

  static constexpr double a = CurvedValley::a, s = CurvedValley::s;
  double reduced_mass_ = AtomUnits::material().mass * light * heavy / (light + heavy);
  CurvedValley valley_;
};

TEST_F(StationaryPair, NewtonFindsMinimumAndSaddleWithTheirModes) {
  const StationaryStructure minimum = find({-0.97, 0.02, 0.01}), saddle = find({0.22, -0.55, 0.02});
  EXPECT_NEAR(minimum.energy, CurvedValley::along(-1), 1e-13);
  EXPECT_NEAR(saddle.energy, CurvedValley::along(s), 1e-13);
  EXPECT_LE(saddle.largest_force, 1e-8);
  EXPECT_EQ(minimum.modes.rigid_motions, 3);
  EXPECT_EQ(minimum.modes.unstable(), 0);
  EXPECT_EQ(saddle.modes.unstable(), 1);
  // At x the matrix of second derivatives by (x, y) has the determinant W''(x) b.
  const double of_minimum = a * (2 + 2 * s), of_saddle = a * (1 - s * s);
  const double others = CurvedValley::b * CurvedValley::k / std::pow(reduced_mass_, 3);
  EXPECT_NEAR(minimum.modes.log_determinant(), std::log(of_minimum * others), 1e-5);
  EXPECT_NEAR(saddle.modes.log_determinant(), std::log(of_saddle * others), 1e-5);
}

TEST_F(StationaryPair, RatesAreThoseOfVineyard) {
  const StationaryStructure first = find({-1, 0, 0}), saddle = find({0.2, -0.57, 0}),
                            last = find({1, 0, 0});
  const double kappa = dynamical_factor(saddle), k_B_T = 0.1;
  const paths::Escape there = escape_of_atoms(first, saddle, 1),
                      back = escape_of_atoms(last, saddle, 4);
  EXPECT_NEAR(there.barrier, forward, 1e-12);
  EXPECT_NEAR(back.barrier, backward, 1e-12);
  // At the saddle the matrix of second derivatives by (x, y) is ((W'' + q^2 / b, -q), (-q, b)). The
  // stable frequencies are the root of its determinant over the unstable one.
  const double q = 2 * CurvedValley::b * CurvedValley::c * s, b = CurvedValley::b;
  const double trace = a * (s * s - 1) + q * q / b + b, determinant = a * (s * s - 1) * b;
  const double unstable = trace / 2 - std::sqrt(trace * trace / 4 - determinant);
  EXPECT_NEAR(kappa / std::sqrt(-unstable / reduced_mass_), 1, 1e-5);
  const auto expected = [&](double of_minimum) {
    return kappa / (2 * pi) * std::sqrt(of_minimum / (a * (1 - s * s)));
  };
  const double expected_there = expected(a * (2 + 2 * s)),
               expected_back = expected(a * (2 - 2 * s));
  EXPECT_NEAR(there.prefactor(kappa, k_B_T) / expected_there, 1, 1e-5);
  EXPECT_NEAR(back.prefactor(kappa, k_B_T) / (4 * expected_back), 1, 1e-5);
  EXPECT_NEAR(there.rate(kappa, k_B_T) / (expected_there * std::exp(-forward / k_B_T)), 1, 1e-5);
}

/// Three atoms with the bonds of a Lennard-Jones potential, in an open box.
class OpenCluster : public testing::Test {
 protected:
  static double slope(double r) {
    const double h = 1e-5;
    return (energy(r + h) - energy(r - h)) / (2 * h);
  }
  static double energy(double r) {
    const double ratio = std::pow(SmoothLennardJones::sigma / r, 6);
    const double x = 1 - r * r / (4 * SmoothLennardJones::sigma * SmoothLennardJones::sigma);
    return 4 * SmoothLennardJones::epsilon * (ratio * ratio - ratio) * x * x * x;
  }
  /// The length of a bond without force.
  static double bond() {
    double low = 3.6, high = 4.2;
    for (int n = 0; n < 60; ++n) {
      const double middle = 0.5 * (low + high);
      (slope(middle) < 0 ? low : high) = middle;
    }
    return low;
  }
  static StationaryStructure find(const Positions& positions) {
    Structure like{{{{{30, 0, 0}, {0, 30, 0}, {0, 0, 30}}}, {false, false, false}}, {}, {}};
    like.types.assign(positions.size(), 0);
    AtomState one = states_of({positions}, like, {SmoothLennardJones::mass}),
              many = states_of(copies(positions, 4), like, {SmoothLennardJones::mass});
    const auto field = lennard_jones(), field_of_copies = lennard_jones();
    return find_stationary_structure({one, *field}, {many, *field_of_copies}, positions,
                                     "the cluster");
  }
  static double stiffness_by_mass() {
    const double r = bond(), h = 1e-3;
    return (energy(r + h) - 2 * energy(r) + energy(r - h)) / (h * h) /
           (AtomUnits::material().mass * SmoothLennardJones::mass);
  }
};

TEST_F(OpenCluster, ATriangleHasThreeModesAndSixRigidMotions) {
  const double r = bond();
  const StationaryStructure found =
      find({{10.01, 10, 10}, {10 + r, 10, 10.02}, {10 + r / 2, 10.01 + r * std::sqrt(0.75), 10}});
  EXPECT_EQ(found.modes.rigid_motions, 6);
  ASSERT_EQ(found.modes.squared_frequency.size(), 3u);
  const double unit = stiffness_by_mass();
  const std::array shares{1.5, 1.5, 3.0};
  for (std::size_t n = 0; n < 3; ++n)
    EXPECT_NEAR(found.modes.squared_frequency[n] / unit, shares[n], 1e-4);
  EXPECT_NEAR(found.energy, 3 * energy(r), 1e-12);
  // The squared volume is M^3 of the translations times the moments of inertia m r^2 / 2, m r^2 / 2
  // and m r^2.
  const double m = AtomUnits::material().mass * SmoothLennardJones::mass;
  EXPECT_NEAR(found.modes.log_volume,
              0.5 * std::log(std::pow(3 * m, 3) * std::pow(m * r * r, 3) / 4), 1e-6);
}

TEST_F(OpenCluster, APairHasOneModeAndFiveRigidMotions) {
  const StationaryStructure found = find({{10, 10, 10}, {10 + bond() + 0.01, 10, 10}});
  EXPECT_EQ(found.modes.rigid_motions, 5);
  ASSERT_EQ(found.modes.squared_frequency.size(), 1u);
  EXPECT_NEAR(found.modes.squared_frequency[0] / stiffness_by_mass(), 2, 1e-4);
}

/// A vacancy of a small fcc crystal. Atom 0 moves half of its way to the vacancy at the saddle.
class VacancyHop : public testing::Test {
 protected:
  static constexpr double edge = 5.3;

  VacancyHop() {
    Structure crystal = fcc(2, edge);
    const Vec3<double> vacancy = crystal.positions[0];
    crystal.positions.erase(crystal.positions.begin());
    crystal.types.pop_back();
    like_ = crystal;
    first_ = minimised(crystal.positions);
    crystal.positions[0] = vacancy;
    last_ = minimised(nearest_image(crystal.box, first_, crystal.positions));
    for (std::size_t i = 0; i < first_.size(); ++i) middle_.push_back(0.5 * (first_[i] + last_[i]));
  }

  AtomState states(const std::vector<Positions>& all) const {
    return states_of(all, like_, {SmoothLennardJones::mass});
  }
  Positions minimised(const Positions& positions) const {
    AtomState state = states({positions});
    const auto field = lennard_jones();
    MinimiserSettings settings;
    settings.tolerance = 1e-9;
    Lbfgs minimiser(state.layout, settings, 8, 1);
    minimiser.start(state, *field);
    minimiser.run(state, *field, 2000);
    EXPECT_EQ(minimiser.converged(), 1);
    return image_of(state, 0);
  }
  double energy(const Positions& positions) const {
    AtomState state = states({positions});
    lennard_jones()->evaluate(state);
    return state.energy[0];
  }
  /// Sum of log |eigenvalues| of the Hessian of the energy by second differences, without the three
  /// smallest ones; and the number of negative ones.
  std::pair<double, Index> log_determinant(const Positions& positions) const {
    const auto size = static_cast<Index>(3 * positions.size());
    AtomState state = states({positions});
    const auto field = lennard_jones();
    Eigen::MatrixXd H(size, size);
    constexpr double h = 1e-4;
    for (Index j = 0; j < size; ++j) {
      Eigen::VectorXd change = Eigen::VectorXd::Zero(size);
      for (const double sign : {1.0, -1.0}) {
        double* const x = &state.position[0].x + j;
        const double before = *x;
        *x += sign * h;
        field->evaluate(state);
        *x = before;
        change += sign * Eigen::Map<const Eigen::VectorXd>(&state.force[0].x, size);
      }
      H.col(j) = -change / (2 * h);
    }
    Eigen::VectorXd values = eigensystem(Eigen::MatrixXd(0.5 * (H + H.transpose()))).values;
    const Index negative = (values.array() < -1e-5).count();
    std::sort(values.begin(), values.end(),
              [](double x, double y) { return std::abs(x) < std::abs(y); });
    EXPECT_LT(std::abs(values[2]), 1e-6);
    return {values.tail(size - 3).cwiseAbs().array().log().sum(), negative};
  }

  Structure like_;
  Positions first_, last_, middle_;
};

TEST_F(VacancyHop, TheSaddleIsTheSymmetricMinimum) {
  // The energy of the symmetric structures has its minimum at the saddle, and L-BFGS keeps the
  // symmetry.
  const double top = energy(minimised(middle_));
  AtomState images = states(straight_path({first_, last_}, 7));
  const auto field = lennard_jones();
  NudgedBand band(images.layout, {.tolerance = 1e-4}, 1);
  band.start(images, *field);
  band.run(images, *field, 2000);
  ASSERT_TRUE(band.converged());
  ASSERT_EQ(band.path().climbing, 3u);
  AtomState one = states({middle_}), many = states(copies(middle_, 20));
  const auto field_of_copies = lennard_jones();
  const auto find = [&](const Positions& positions, const char* what) {
    return find_stationary_structure({one, *field}, {many, *field_of_copies}, positions, what);
  };
  const StationaryStructure saddle = find(image_of(images, 3), "the saddle"),
                            minimum = find(first_, "the minimum");
  EXPECT_NEAR(saddle.energy, top, 1e-9);
  EXPECT_EQ(saddle.modes.unstable(), 1);
  EXPECT_NEAR(minimum.energy, energy(first_), 1e-12);
  const auto [log_saddle, negative] = log_determinant(saddle.positions);
  const auto [log_minimum, stable] = log_determinant(minimum.positions);
  EXPECT_EQ(negative, 1);
  EXPECT_EQ(stable, 0);
  const paths::Escape escape = escape_of_atoms(minimum, saddle, 1);
  EXPECT_NEAR(escape.log_entropy, (log_minimum - log_saddle) / 2, 1e-4);
  EXPECT_NEAR(escape.barrier, top - energy(first_), 1e-9);
}

TEST_F(VacancyHop, AStructureFarFromASaddleIsReported) {
  AtomState one = states({first_}), many = states(copies(first_, 4));
  const auto field = lennard_jones();
  Positions crowded = first_;
  crowded[1] += 0.8 * (crowded[2] - crowded[1]);
  EXPECT_THROW(find_stationary_structure({one, *field}, {many, *field}, crowded, "the saddle"),
               UnphysicalError);
}

}  // namespace
}  // namespace larmor::atoms::atom_paths_tests
