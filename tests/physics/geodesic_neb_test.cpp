// Minimum-energy paths whose barriers have a closed form.
// Rooms: spins

#include "larmor/spins/landscape/geodesic_neb.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <ostream>
#include <string>

#include "larmor/paths/interpolation.hpp"
#include "larmor/spins/landscape/minimiser.hpp"
#include "larmor/spins/landscape/path_start.hpp"
#include "test_system.hpp"
#include "tests/named.hpp"

namespace larmor::geodesic_neb_tests {

using namespace larmor::spins;
using testing_support::TestSystem;

SiteVectors uniform(Index sites, const Vec3<double>& e) {
  SiteVectors v;
  for (const double x : {e.x, e.y, e.z}) v.insert(v.end(), static_cast<std::size_t>(sites), x);
  return v;
}

/// Rearranges canonical directions to the storage order of a model.
SiteVectors stored(const TestSystem& system, const std::vector<Vec3<double>>& e) {
  SiteVectors v(3 * e.size());
  for (std::size_t i = 0; i < e.size(); ++i) {
    const Vec3<double>& x = e[static_cast<std::size_t>(system.model.canonical()[i])];
    v[i] = x.x;
    v[e.size() + i] = x.y;
    v[2 * e.size() + i] = x.z;
  }
  return v;
}

double barrier(const GeodesicNeb& band) {
  return band.energies()[static_cast<std::size_t>(band.highest())] - band.energies().front();
}

TEST(GeodesicNeb, BarrierOfOneSpinIsItsAnisotropy) {
  // For the energy - K cos^2, the barrier is 0.7 at the equator. The energy follows sin^2 along the
  // path, and images lie evenly over pi.
  TestSystem system("[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=0.7\n");
  // The first path has no image at its middle, so one image has to climb.
  const NebSettings settings{.images = 8, .tolerance = 1e-9};
  GeodesicNeb band(system.model, settings, system.device);
  band.start(geodesic_path({uniform(1, {0, 0, 1}), uniform(1, {0, 0, -1})}, 8, std::nullopt));
  EXPECT_LT(barrier(band), 0.7 - 1e-3);
  EXPECT_NEAR(band.start_height(), 0, 1e-12);  // the top lies between two images
  band.run(20000);
  ASSERT_TRUE(band.converged());
  EXPECT_NEAR(barrier(band), 0.7, 1e-12);
  EXPECT_NEAR(band.coordinates().back(), std::numbers::pi, 1e-12);
  EXPECT_NEAR(band.coordinates()[static_cast<std::size_t>(band.highest())], std::numbers::pi / 2,
              1e-8);
  for (std::size_t i = 0; i < 8; ++i) {
    const double s = std::sin(band.coordinates()[i]);
    EXPECT_NEAR(band.energies()[i], -0.7 + 0.7 * s * s, 1e-12);
    EXPECT_NEAR(band.slopes()[i], 0.7 * std::sin(2 * band.coordinates()[i]), 1e-8);
  }
}

TEST(GeodesicNeb, ImagesThatLieOnEachOtherComeApart) {
  TestSystem system("[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=0.7\n");
  const NebSettings settings{.images = 9, .tolerance = 1e-9};
  GeodesicNeb band(system.model, settings, system.device);
  std::vector<SiteVectors> path;
  for (const double angle : {0.0, 0.4, 0.4, 0.4, 0.4, 2.2, 2.2, 2.2, std::numbers::pi})
    path.push_back(uniform(1, {std::sin(angle), 0, std::cos(angle)}));
  band.start(path);
  band.run(20000);
  ASSERT_TRUE(band.converged());
  EXPECT_NEAR(barrier(band), 0.7, 1e-9);
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    EXPECT_GT(band.coordinates()[i + 1] - band.coordinates()[i], 0.1);
}

TEST(GeodesicNeb, BarrierOfAStiffClusterIsThatOfAllItsSpins) {
  // Strong exchange turns 8 spins together, so the barrier is N K. This holds on the first path and
  // after a perturbation of 0.2.
  TestSystem system(
      "[lattice]\ntype='sc'\nsize=[2,2,2]\nperiodic=false\n[[exchange]]\nshell=1\n"
      "J=10\n[[anisotropy]]\nK=0.1\n");
  const NebSettings settings{.images = 9, .tolerance = 1e-8};
  GeodesicNeb band(system.model, settings, system.device);
  band.start(geodesic_path({uniform(8, {0, 0, 1}), uniform(8, {0, 0, -1})}, 9, std::nullopt));
  band.perturb(7, 0, 0.2);
  EXPECT_GT(barrier(band), 0.81);
  band.run(20000);
  ASSERT_TRUE(band.converged());
  EXPECT_NEAR(barrier(band), 0.8, 1e-10);
  // The path stays in a plane, so the images keep their distances.
  EXPECT_NEAR(band.coordinates().back(), std::numbers::pi * std::sqrt(8.0), 1e-3);
}

TEST(GeodesicNeb, VacanciesTakeNoPartInThePath) {
  TestSystem system(
      "[lattice]\ntype='sc'\nsize=[3,3,3]\n[[alloy]]\nby='vacancy'\nfraction=0.2\n"
      "[[exchange]]\nshell=1\nJ=10\n[[anisotropy]]\nK=0.1\n");
  const NebSettings settings{.images = 7, .tolerance = 1e-8};
  GeodesicNeb band(system.model, settings, system.device);
  SiteVectors up;
  copy_spins(system.state, 0, up);
  SiteVectors down = up;
  for (double& x : down) x = -x;
  band.start(geodesic_path({up, down}, 7, std::nullopt));
  band.perturb(7, 0, 0.1);
  band.run(20000);
  ASSERT_TRUE(band.converged());
  const double spins = static_cast<double>(system.state.layout().spins());
  EXPECT_LT(spins, 25);
  EXPECT_NEAR(barrier(band), 0.1 * spins, 1e-9);
}

TEST(GeodesicNeb, AnExtraFieldTiltsTheBarrier) {
  // The energy is - K cos^2 - mu B cos. Its top at cos = - mu B / 2K lies K (1 + b)^2 above +z and
  // K (1 - b)^2 above -z, with b = mu B / 2K.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\nmoment=2\n"
      "[[anisotropy]]\nK=0.5\n[field]\nB=[0,0,0.15]\n");
  const NebSettings settings{.images = 7, .tolerance = 1e-9};
  GeodesicNeb band(system.model, settings, system.device);
  band.start(
      geodesic_path({uniform(1, {0, 0, 1}), uniform(1, {0, 0, -1})}, 7, Vec3<double>{1, 0, 0}));
  band.run(20000);
  ASSERT_TRUE(band.converged());
  EXPECT_NEAR(barrier(band), 0.5 * 1.3 * 1.3, 1e-12);
  EXPECT_NEAR(barrier(band) + band.energies().front() - band.energies().back(), 0.5 * 0.7 * 0.7,
              1e-12);
  // The path turns about x, so it stays in the plane perpendicular to x.
  for (Index image = 0; image < 7; ++image)
    EXPECT_NEAR(band.images().configuration(image)[0].x, 0, 1e-12);
}

TEST(GeodesicNeb, ALongChainReversesByAWall) {
  // The energy of a wall is 2 sqrt(2 J K), plus terms of order K / J from the lattice.
  const double K = 0.02;
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[80]\nperiodic=false\n[[exchange]]\nshell=1\n"
      "J=1\n[[anisotropy]]\nK=0.02\n");
  std::vector<Vec3<double>> wall;
  for (int i = 0; i < 80; ++i) {
    const double x = (i - 39.5) / std::sqrt(1 / (2 * K));
    wall.push_back({1 / std::cosh(x), 0, -std::tanh(x)});
  }
  const NebSettings settings{.images = 13, .tolerance = 1e-7};
  GeodesicNeb band(system.model, settings, system.device);
  band.start(geodesic_path({uniform(80, {0, 0, 1}), stored(system, wall), uniform(80, {0, 0, -1})},
                           13, std::nullopt));
  band.run(50000);
  ASSERT_TRUE(band.converged());
  const double exact = 2 * std::sqrt(2 * K);
  EXPECT_NEAR(barrier(band), exact, K * exact);
  // The barrier is far less than if all spins turned at once.
  EXPECT_LT(barrier(band), 0.5 * 80 * K);
}

TEST(GeodesicNeb, SpringsSpaceTheImagesAlongThePathOnly) {
  // Two wells on a sphere with a hard and an easy axis. The images lie on the meridian of the
  // middle axis. They are evenly spaced, because springs act only along the path.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=1\n"
      "[[anisotropy]]\nK=-0.5\naxis=[0,1,0]\n");
  const NebSettings settings{.images = 9, .tolerance = 1e-8, .climb = false};
  GeodesicNeb band(system.model, settings, system.device);
  // The first path passes through a point off the meridian.
  const double s = std::sqrt(0.5);
  band.start(geodesic_path(
      {uniform(1, {0, 0, 1}), uniform(1, {0.5, s, 0.5}), uniform(1, {0, 0, -1})}, 9, std::nullopt));
  band.run(50000);
  ASSERT_TRUE(band.converged());
  const std::vector<double> at = band.coordinates();
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(band.images().configuration(static_cast<Index>(i))[0].y, 0, 1e-7);
    EXPECT_NEAR(at[i], std::numbers::pi * static_cast<double>(i) / 8, 2e-3);
  }
  // The highest image keeps its position near the top, and has the energy of this position.
  EXPECT_EQ(band.highest(), 4);
  EXPECT_NEAR(barrier(band), std::pow(std::sin(at[4]), 2), 1e-12);
}

TEST(GeodesicNeb, StiffSpringsComeToRest) {
  // The springs of an image soften while it moves down from the top. With fixed springs, images
  // would oscillate. The way down is longer on one side in the first case, and on the other side in
  // the second.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=0.7\n"
      "[field]\nB=[0,0,-0.7]\n");
  for (const Index images : {5, 15, 41}) {
    for (const double ratio : {10.0, 100.0}) {
      const NebSettings settings{.images = images, .spring_ratio = ratio, .tolerance = 1e-8};
      for (const double first : {1.0, -1.0}) {
        GeodesicNeb band(system.model, settings, system.device);
        band.start(geodesic_path({uniform(1, {0, 0, first}), uniform(1, {0, 0, -first})}, images,
                                 std::nullopt));
        band.run(1000);
        EXPECT_TRUE(band.converged()) << images << ' ' << ratio << ' ' << first;
        EXPECT_NEAR(barrier(band), 0.7 * (first > 0 ? 0.25 : 2.25), 1e-12);
      }
    }
  }
}

/// A chain against its field. A wall enters at one end and runs through the chain.
constexpr const char* nucleation =
    "[lattice]\ntype='chain'\nsize=[40]\nperiodic=false\n[[exchange]]\nshell=1\nJ=1\n"
    "[[anisotropy]]\nK=0.1\n[field]\nB=[0,0,-0.08]\n";

/// A path from all spins up to all spins down, through the state with a wall in the middle.
std::vector<SiteVectors> path_of_nucleation(const TestSystem& system, Index images) {
  std::vector<Vec3<double>> wall;
  for (int i = 0; i < 40; ++i) {
    const double x = (i - 19.5) / std::sqrt(5.0);
    wall.push_back({0, 1 / std::cosh(x), std::tanh(x)});
  }
  return geodesic_path({uniform(40, {0, 0, 1}), stored(system, wall), uniform(40, {0, 0, -1})},
                       images, std::nullopt);
}

/// The method that moves the images, and the springs between the images.
struct Spaced {
  const char* name;
  NebMethod method;
  double spring_ratio;

  friend void PrintTo(const Spaced& tested, std::ostream* out) { *out << tested.name; }
};

class EverySpacing : public testing::TestWithParam<Spaced> {};

TEST_P(EverySpacing, FindsTheSameSaddleHoweverManyImages) {
  // If there are five images, all inner images lie below both ends. The saddle is near the start.
  TestSystem system(nucleation);
  std::vector<double> barriers;
  for (const Index images : {Index{5}, Index{6}, Index{9}, Index{16}, Index{27}}) {
    const NebSettings settings{.images = images,
                               .method = GetParam().method,
                               .spring_ratio = GetParam().spring_ratio,
                               .tolerance = 1e-8};
    GeodesicNeb band(system.model, settings, system.device);
    band.start(path_of_nucleation(system, images));
    band.perturb(3, 0, 0.01);
    band.run(20000);
    ASSERT_TRUE(band.saddle_converged()) << images;
    EXPECT_EQ(band.climbing(), band.highest());
    barriers.push_back(barrier(band));
  }
  EXPECT_GT(barriers[0], 0.3);
  for (const double found : barriers) EXPECT_NEAR(found, barriers[0], 1e-11);
}

INSTANTIATE_TEST_SUITE_P(GeodesicNeb, EverySpacing,
                         testing::Values(Spaced{"springs", NebMethod::velocity_projection, 1},
                                         Spaced{"uneven_springs", NebMethod::velocity_projection,
                                                10},
                                         Spaced{"lbfgs", NebMethod::lbfgs, 1},
                                         Spaced{"lbfgs_uneven_springs", NebMethod::lbfgs, 10}),
                         larmor::testing_support::by_name);

TEST(GeodesicNeb, SaysThatTooFewImagesMissTheSaddles) {
  // Two spins turn one after the other, each over a barrier of 0.8. The only inner image converges
  // between the barriers.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n[[exchange]]\nshell=1\nJ=0.3\n"
      "[[anisotropy]]\nK=0.5\n");
  const std::vector<SiteVectors> ends{uniform(2, {0, 0, 1}), uniform(2, {0, 0, -1})};
  for (const Index images : {Index{3}, Index{9}}) {
    const NebSettings settings{.images = images, .tolerance = 1e-8};
    GeodesicNeb band(system.model, settings, system.device);
    band.start(geodesic_path(ends, images, std::nullopt));
    band.perturb(1, 0, 0.01);
    band.run(20000);
    EXPECT_EQ(band.needs_images(), images == 3);
    EXPECT_EQ(band.saddle_converged(), images == 9);
    if (images == 9) {
      EXPECT_NEAR(barrier(band), 0.8, 1e-10);
    }
  }
}

TEST(GeodesicNeb, EndsWhereAnEndIsTheHighestPoint) {
  // The path leads down from a maximum, so there is no barrier and no image climbs.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=1\n"
      "[[anisotropy]]\nK=-0.5\naxis=[0,1,0]\n");
  const NebSettings settings{.images = 7};
  GeodesicNeb band(system.model, settings, system.device);
  band.start(geodesic_path({uniform(1, {1, 0, 0}), uniform(1, {0, 0, 1})}, 7, std::nullopt));
  EXPECT_LT(band.run(5000), 5000);
  EXPECT_TRUE(band.converged());
  EXPECT_EQ(band.climbing(), 0);
  EXPECT_FALSE(band.saddle_converged());
}

TEST(GeodesicNeb, ClimbsOverAPathThatBeginsBelowItsEnds) {
  // The only inner image starts in a well between ends of equal energy. The image may rise from
  // this well.
  TestSystem system("[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=0.7\n");
  const NebSettings settings{.images = 3, .tolerance = 1e-9};
  GeodesicNeb band(system.model, settings, system.device);
  const double s = std::sqrt(0.5);
  band.start(geodesic_path({uniform(1, {s, 0, s}), uniform(1, {-s, 0, s})}, 3, std::nullopt));
  EXPECT_LT(band.energies()[1], band.energies()[0]);
  band.run(5000);
  EXPECT_FALSE(band.has_failed());
}

TEST(GeodesicNeb, StifferSpringsDrawImagesToTheSaddle) {
  // The path of one spin, with its barrier at the equator.
  TestSystem system("[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=0.7\n");
  for (const double ratio : {1.0, 8.0}) {
    const NebSettings settings{.images = 13, .spring_ratio = ratio, .tolerance = 1e-10};
    GeodesicNeb band(system.model, settings, system.device);
    band.start(geodesic_path({uniform(1, {0, 0, 1}), uniform(1, {0, 0, -1})}, 13, std::nullopt));
    band.run(20000);
    ASSERT_TRUE(band.converged());
    const std::vector<double> at = band.coordinates();
    const auto gap = [&](std::size_t i) { return at[i + 1] - at[i]; };
    // The springs balance: k d is equal on both sides of every image. The softest springs are at
    // the ends, where energies are below half of the range.
    if (ratio == 1)
      EXPECT_NEAR(gap(5), gap(0), 0.1 * gap(0));
    else
      EXPECT_LT(gap(5), 0.5 * gap(0));
    const double top = band.energies()[6] - band.energies()[0];
    for (std::size_t i = 1; i < 6; ++i) {
      const auto stiffness = [&](std::size_t n) {
        const double height = std::max(band.energies()[n], band.energies()[n - 1]);
        return 1 + (ratio - 1) * (height - band.energies()[0]) / top;
      };
      EXPECT_NEAR(stiffness(i + 1) * gap(i) / (stiffness(i) * gap(i - 1)), 1, 0.12) << i;
    }
  }
}

TEST(GeodesicNeb, HasTheSameForcesHoweverImagesMove) {
  TestSystem system(nucleation);
  const NebSettings settings{.images = 9, .method = NebMethod::lbfgs, .tolerance = 1e-9};
  GeodesicNeb band(system.model, settings, system.device);
  band.start(path_of_nucleation(system, 9));
  band.perturb(3, 0, 0.01);
  double before = band.largest_force();
  for (int step = 0; step < 20000 && band.method() != NebMethod::lbfgs; ++step) {
    before = band.largest_force();
    band.run(1);
  }
  // Takes the state after one more small step.
  ASSERT_EQ(band.method(), NebMethod::lbfgs);
  EXPECT_GT(before, 1e-6);
  EXPECT_LT(band.largest_force(), 1.5 * before);
}

TEST(GeodesicNeb, AtRestFromTheStartItStoresForcesAcrossThePath) {
  // One spin on a meridian, with slightly displaced images. L-BFGS adds forces along the path,
  // which must not count as forces across the path.
  TestSystem system("[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=0.7\n");
  const NebSettings settings{.images = 5, .method = NebMethod::lbfgs, .tolerance = 1e-9};
  GeodesicNeb band(system.model, settings, system.device);
  std::vector<SiteVectors> path;
  for (const double half_turns : {0.0, 0.255, 0.5, 0.745, 1.0}) {
    const double angle = half_turns * std::numbers::pi;
    path.push_back(uniform(1, {std::sin(angle), 0, std::cos(angle)}));
  }
  band.start(path);
  band.run(100);
  ASSERT_TRUE(band.converged());
  for (const double force : band.forces()) EXPECT_LT(force, 1e-12);
}

TEST(GeodesicNeb, TakesShortStepsAcrossAHardAxis) {
  // In the easy plane, a hard axis exerts no field and has all of the curvature.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=1\n[[anisotropy]]\n"
      "K=-50\naxis=[1,0,0]\n");
  for (const NebMethod method : {NebMethod::velocity_projection, NebMethod::lbfgs}) {
    GeodesicNeb band(system.model, {.images = 15, .method = method}, system.device);
    band.start(geodesic_path({uniform(1, {0, 0, 1}), uniform(1, {0, 0, -1})}, 15, std::nullopt));
    band.perturb(1, 0, 0.01);
    band.run(20000);
    EXPECT_TRUE(band.converged());
    EXPECT_NEAR(barrier(band), 1, 1e-9);
  }
}

/// A system of weakly coupled grains, which turn one after the other.
std::string grains_of(int columns, int rows) {
  return "[lattice]\ntype='square'\nsize=[" + std::to_string(columns) + "," + std::to_string(rows) +
         "]\nperiodic=false\n[[exchange]]\nshell=1\nJ=0.01\n[[anisotropy]]\nK=1\n";
}

/// The highest energy of the path above its first image, from energies and slopes of the images.
double height_of_curve(const GeodesicNeb& band) {
  const paths::PathCurve curve =
      paths::interpolate_path(band.coordinates(), band.energies(), band.slopes(), 10);
  return *std::max_element(curve.energy.begin(), curve.energy.end()) - band.energies()[0];
}

GeodesicNeb turned_grains(const TestSystem& system, Index images, std::uint64_t seed) {
  GeodesicNeb band(system.model, {.images = images}, system.device);
  const Index sites = system.model.sites();
  const std::vector<SiteVectors> ends{uniform(sites, {0, 0, 1}), uniform(sites, {0, 0, -1})};
  band.start(geodesic_path(ends, images, std::nullopt));
  band.perturb(seed, 0, 0.01);
  band.run(20000);
  return band;
}

TEST(GeodesicNeb, FollowsGrainsThatTurnOneAfterTheOther) {
  TestSystem system(grains_of(3, 2));
  for (const std::uint64_t seed : {3, 4}) {
    double barrier_before = 0;
    for (const Index images : {Index{21}, Index{31}, Index{41}}) {
      const GeodesicNeb band = turned_grains(system, images, seed);
      ASSERT_TRUE(band.converged()) << images;
      EXPECT_NEAR(height_of_curve(band), barrier(band), 1e-4 * barrier(band));
      if (barrier_before > 0) {
        EXPECT_NEAR(barrier(band), barrier_before, 1e-9);
      }
      barrier_before = barrier(band);
    }
  }
}

/// The least barrier of the path. Its images relax to minima, in which each grain of a row points
/// up or down. Between two minima, at least one grain turns first. If the field of its neighbours
/// is h, a grain needs K + h + h^2 / 4K.
double least_barrier(TestSystem& system, const GeodesicNeb& band, int columns) {
  const Index images = band.images().layout().replicas, sites = system.model.sites();
  SpinState state(system.device, system.model.layout(images), system.model.canonical());
  store_spins(copy_all_spins(band.images()), 0, state);
  perturb(state, system.model.canonical(), 1, 0.01, 1, images - 1);
  Minimiser minimiser(system.model, state.layout(), {.tolerance = 1e-6}, system.device);
  minimiser.start(state);
  minimiser.run(state, 1000);
  const std::vector<double> energy = minimiser.energies();
  double least = 0;
  for (Index image = 0; image + 1 < images; ++image) {
    const std::vector<Vec3<double>> from = state.configuration(image),
                                    to = state.configuration(image + 1);
    double first = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < sites; ++i) {
      const auto grain = static_cast<std::size_t>(i);
      if (from[grain].z * to[grain].z > 0) continue;
      double h = 0;
      for (Index j = 0; j < sites; ++j) {
        const Index apart =
            std::abs(i % columns - j % columns) + std::abs(i / columns - j / columns);
        if (apart == 1) h += 0.01 * from[grain].z * from[static_cast<std::size_t>(j)].z;
      }
      const double before = energy[static_cast<std::size_t>(image)] - energy[0];
      first = std::min(first, before * static_cast<double>(sites) + 1 + h + h * h / 4);
    }
    if (std::isfinite(first)) least = std::max(least, first);
  }
  return least;
}

TEST(GeodesicNeb, ClaimsNoBarrierOverWhichItsImagesCannotGo) {
  // The path has valleys with a single image each, so slopes do not show the barriers between the
  // valleys.
  TestSystem system(grains_of(3, 2));
  int claims = 0;
  for (const Index images : {Index{15}, Index{17}})
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const GeodesicNeb band = turned_grains(system, images, seed);
      if (!band.saddle_converged()) continue;
      ++claims;
      EXPECT_GT(barrier(band), least_barrier(system, band, 3) - 2e-3) << images << " " << seed;
    }
  EXPECT_GT(claims, 8);
}

TEST(GeodesicNeb, UnfoldsAPathThatTurnsBackOnItself) {
  // There are many grains, so images leave the ridge to different sides.
  TestSystem system(grains_of(4, 4));
  EXPECT_TRUE(turned_grains(system, 61, 3).converged());
}

TEST(GeodesicNeb, ClaimsNoBarrierBelowItsOwnCurve) {
  // Some saddles have no image near them.
  TestSystem system(grains_of(3, 2));
  int claims = 0;
  for (const Index images : {Index{11}, Index{17}, Index{19}, Index{31}})
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const GeodesicNeb band = turned_grains(system, images, seed);
      if (!band.saddle_converged()) continue;
      ++claims;
      EXPECT_LT(height_of_curve(band), 1.001 * barrier(band)) << images << " " << seed;
    }
  EXPECT_GT(claims, 15);
}

TEST(GeodesicNeb, ALongPathThatIsNoHigherGoesOn) {
  // The grains turn one after the other in flat valleys. They need a path that is far longer than
  // the first path.
  TestSystem system(grains_of(4, 4));
  const GeodesicNeb band = turned_grains(system, 31, 3);
  EXPECT_TRUE(band.has_lengthened());
  EXPECT_FALSE(band.has_failed());
  EXPECT_FALSE(band.saddle_converged());
}

TEST(GeodesicNeb, NoSpinTurnsFurtherThanAllowed) {
  TestSystem system(nucleation);
  const NebSettings settings{.images = 9, .max_rotation = 0.002};
  GeodesicNeb band(system.model, settings, system.device);
  band.start(path_of_nucleation(system, 9));
  // Evenly spaced images do not need to move along the path.
  const std::vector<SiteVectors> before = copy_all_spins(band.images());
  band.run(1);
  const std::vector<SiteVectors> after = copy_all_spins(band.images());
  double largest = 0;
  for (std::size_t i = 0; i < 9; ++i)
    largest = std::max(largest, largest_turn(before[i], after[i]));
  EXPECT_NEAR(largest, 0.002, 2e-5);
}

TEST(GeodesicNeb, ManyImagesAllComeToRest) {
  // There are two saddles with a minimum between them. On the path, images approach each other. If
  // they are close, a tangent turns much when its image moves aside.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n[[exchange]]\nshell=1\nJ=0.3\n"
      "[[anisotropy]]\nK=0.5\n");
  const NebSettings settings{.images = 41, .tolerance = 1e-8};
  for (const std::uint64_t seed : {1, 2, 3}) {
    GeodesicNeb band(system.model, settings, system.device);
    band.start(geodesic_path({uniform(2, {0, 0, 1}), uniform(2, {0, 0, -1})}, 41, std::nullopt));
    band.perturb(seed, 0, 0.01);
    band.run(10000);
    EXPECT_TRUE(band.converged()) << seed;
    EXPECT_NEAR(barrier(band), 0.8, 1e-12);
  }
}

/// A wall that moves by two sites. All its spins may turn together about the axis.
TestSystem free_wall() {
  return TestSystem(
      "[lattice]\ntype='chain'\nsize=[40]\nperiodic=false\n[[exchange]]\nshell=1\nJ=1\n"
      "[[anisotropy]]\nK=0.5\n",
      2);
}
constexpr double barrier_of_free_wall = 0.0375876330;

/// Minimised walls of a chain, one for each replica of the system.
std::vector<SiteVectors> relaxed_walls(TestSystem& system, double width,
                                       std::initializer_list<double> centres) {
  std::vector<SiteVectors> walls;
  for (const double centre : centres) {
    std::vector<Vec3<double>> wall;
    for (Index i = 0; i < system.model.sites(); ++i) {
      const double x = (static_cast<double>(i) - centre) / width;
      wall.push_back({0, 1 / std::cosh(x), std::tanh(x)});
    }
    walls.push_back(stored(system, wall));
  }
  store_spins(walls, 0, system.state);
  MinimiserSettings fine;
  fine.tolerance = 1e-10;
  Minimiser minimiser(system.model, system.state.layout(), fine, system.device);
  minimiser.start(system.state);
  minimiser.run(system.state, 1000);
  EXPECT_EQ(minimiser.converged(), std::ssize(walls));
  return copy_all_spins(system.state);
}

/// Both ends of the path of the free wall.
std::vector<SiteVectors> ends_of_free_wall(TestSystem& system) {
  return relaxed_walls(system, 1, {19.5, 21.5});
}

TEST(GeodesicNeb, AFlatPathNeedsNoMoreImages) {
  // A wide wall moves without a barrier. The remaining energy differences come from incomplete
  // relaxation and do not distinguish minima from saddles.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[120]\nperiodic=false\n[[exchange]]\nshell=1\nJ=1\n"
      "[[anisotropy]]\nK=0.05\n[[anisotropy]]\nK=-0.02\naxis=[1,0,0]\n",
      2);
  const std::vector<SiteVectors> ends = relaxed_walls(system, std::sqrt(10.0), {52.5, 72.5});
  for (const double tolerance : {1e-3, 1e-6})
    for (const Index images : {Index{9}, Index{15}, Index{21}}) {
      GeodesicNeb band(system.model, {.images = images, .tolerance = tolerance}, system.device);
      band.start(geodesic_path(ends, images, std::nullopt));
      band.perturb(1, 0, 0.01);
      band.run(20000);
      EXPECT_TRUE(band.converged()) << images << " " << tolerance;
      EXPECT_LT(barrier(band), tolerance);
    }
}

TEST(GeodesicNeb, DoesNotWindAroundAnAxisThatCostsNothing) {
  // One of two tops has a climbing image. At the other top, the highest image lies near the top.
  TestSystem system = free_wall();
  const std::vector<SiteVectors> ends = ends_of_free_wall(system);
  for (const NebMethod method : {NebMethod::velocity_projection, NebMethod::lbfgs}) {
    const NebSettings settings{.images = 7, .method = method, .tolerance = 1e-8};
    for (const std::uint64_t seed : {1, 2, 3}) {
      GeodesicNeb band(system.model, settings, system.device);
      band.start(geodesic_path(ends, 7, std::nullopt));
      band.perturb(seed, 0, 0.01);
      band.run(1000);
      ASSERT_TRUE(band.converged()) << seed;
      EXPECT_NEAR(barrier(band), barrier_of_free_wall, 1e-9);
      EXPECT_LT(band.coordinates().back(), 3.5);
    }
  }
}

TEST(GeodesicNeb, GoesBackWhereLbfgsLedAstray) {
  // L-BFGS moves many images far along a flat direction, from where the path does not return.
  TestSystem system = free_wall();
  const std::vector<SiteVectors> ends = ends_of_free_wall(system);
  const NebSettings settings{
      .images = 41, .method = NebMethod::lbfgs, .spring_ratio = 100, .tolerance = 1e-8};
  int went_back = 0;
  for (const std::uint64_t seed : {1, 2}) {
    GeodesicNeb band(system.model, settings, system.device);
    band.start(geodesic_path(ends, 41, std::nullopt));
    band.perturb(seed, 0, 0.01);
    bool learned = false;
    while (!band.done() && band.evaluations() < 20000) {
      band.run(1);
      went_back += learned && band.method() == NebMethod::velocity_projection;
      learned = band.method() == NebMethod::lbfgs;
    }
    ASSERT_TRUE(band.saddle_converged()) << seed;
    EXPECT_NEAR(barrier(band), barrier_of_free_wall, 1e-9);
    EXPECT_LT(band.coordinates().back(), 4);
  }
  EXPECT_GT(went_back, 0);
}

TEST(GeodesicNeb, GivesTheSameBitsForAnyThreadsAndAfterBeingSaved) {
  for (const NebMethod method : {NebMethod::velocity_projection, NebMethod::lbfgs}) {
    std::vector<double> expected;
    for (const int threads : {1, 2, 3}) {
      TestSystem system(
          "[lattice]\ntype='square'\nsize=[10,10]\n[[exchange]]\nshell=1\nJ=1\n"
          "[[anisotropy]]\nK=0.2\n",
          1, threads);
      const NebSettings settings{.method = method, .tolerance = 1e-9};
      GeodesicNeb band(system.model, settings, system.device);
      band.start(
          geodesic_path({uniform(100, {0, 0, 1}), uniform(100, {0, 0, -1})}, 15, std::nullopt));
      band.perturb(1, 5, 0.3);
      band.run(30);
      while (band.method() != method) band.run(1);
      band.run(7);
      ASSERT_EQ(band.method(), method);
      GeodesicNeb resumed(system.model, settings, system.device);
      const std::vector<double> saved = band.save();
      resumed.load(saved);
      GeodesicNeb& last = threads == 1 ? band : resumed;
      last.run(30);
      ASSERT_FALSE(last.converged());
      if (expected.empty()) expected = last.save();
      EXPECT_EQ(last.save(), expected);
    }
  }
}

TEST(PathStart, PutsStatesWhereOthersAreFarApart) {
  const double s = std::sqrt(0.5);
  const std::vector<SiteVectors> path{uniform(1, {0, 0, 1}), uniform(1, {s, 0, s}),
                                      uniform(1, {0, 0, -1})};
  const auto divided = divided_path(path, 0.5, 100);
  // The path has 45 degrees in two intervals and 135 degrees in five intervals.
  ASSERT_EQ(divided.size(), 8u);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(distance(divided[i], divided[i + 1], 1), std::numbers::pi / 8, 1e-12);
  for (std::size_t i = 2; i < 7; ++i)
    EXPECT_NEAR(distance(divided[i], divided[i + 1], 1), 3 * std::numbers::pi / 20, 1e-12);
  EXPECT_EQ(divided[2], path[1]);
  EXPECT_EQ(divided.back(), path.back());
  // If there are too few images for all gaps, the widest gap gets an image first.
  const auto few = divided_path(path, 0.5, 4);
  ASSERT_EQ(few.size(), 4u);
  EXPECT_EQ(few[1], path[1]);
  EXPECT_EQ(divided_path(path, 4, 100), path);
  EXPECT_NEAR(largest_turn(path[0], path[1]), std::numbers::pi / 4, 1e-15);
  EXPECT_EQ(largest_turn(path[0], path[0]), 0);
}

TEST(PathInterpolation, IsExactForCubics) {
  const auto f = [](double x) { return 1 - 2 * x + 3 * x * x - 0.7 * x * x * x; };
  const auto slope = [](double x) { return -2 + 6 * x - 2.1 * x * x; };
  const std::vector<double> x{0, 0.5, 2};
  std::vector<double> y, d;
  for (const double at : x) {
    y.push_back(f(at));
    d.push_back(slope(at));
  }
  const paths::PathCurve curve = paths::interpolate_path(x, y, d, 4);
  ASSERT_EQ(curve.energy.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(curve.energy[i], f(curve.coordinate[i]), 1e-13);
}

TEST(PathStart, SplitsTheWayEvenly) {
  const double s = std::sqrt(0.5);
  const auto path = geodesic_path(
      {uniform(2, {0, 0, 1}), uniform(2, {1, 0, 0}), uniform(2, {0, s, s})}, 6, std::nullopt);
  // There are two turns by 90 degrees, and the middle interval includes the corner between them.
  for (const std::size_t i : {0u, 1u, 3u, 4u})
    EXPECT_NEAR(distance(path[i], path[i + 1], 1), std::sqrt(2.0) * std::numbers::pi / 5, 1e-12);
  EXPECT_THROW(geodesic_path({path[2], path[2]}, 5, std::nullopt), InputError);
}

}  // namespace larmor::geodesic_neb_tests
