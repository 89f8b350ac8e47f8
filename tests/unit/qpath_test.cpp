// Lists of wave vectors: paths, grids and explicit lists.
// Rooms: correlations

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

#include "larmor/core/error.hpp"
#include "larmor/correlations/fourier/q_list.hpp"

namespace {

using namespace larmor;
using namespace larmor::correlations;
using lattice::Geometry;

constexpr double pi = std::numbers::pi;

Geometry named(const std::string& type, const std::vector<Index>& size, double a = 1) {
  return lattice::make_lattice(lattice::named_crystal(type, a), size, {true});
}

void expect_vector(const Vec3<double>& found, const Vec3<double>& expected) {
  EXPECT_NEAR(length(found - expected), 0, 1e-12)
      << found.x << " " << found.y << " " << found.z << " instead of " << expected.x << " "
      << expected.y << " " << expected.z;
}

TEST(QPath, OfTheSquareLatticeHoldsEveryCommensurateVector) {
  const Geometry geometry = named("square", {100, 100});
  const QList list = q_path(geometry, {"Γ", "X", "M", "Γ"}, {});
  ASSERT_EQ(list.size(), 50 + 50 + 50 + 1);
  ASSERT_EQ(list.cartesian.size(), list.q.size());
  ASSERT_EQ(list.distance.size(), list.q.size());
  EXPECT_EQ(list.label_index, (std::vector<Index>{0, 50, 100, 150}));
  EXPECT_EQ(list.label_text, (std::vector<std::string>{"Γ", "X", "M", "Γ"}));
  for (std::size_t i = 0; i <= 50; ++i) {
    const double k = static_cast<double>(i) / 100;
    expect_vector(list.q[i], {k, 0, 0});
    expect_vector(list.q[50 + i], {0.5, k, 0});
    expect_vector(list.q[100 + i], {0.5 - k, 0.5 - k, 0});
  }
  for (const Vec3<double>& q : list.q) EXPECT_TRUE(is_commensurate(geometry, q));
}

TEST(QPath, DistanceIsTheCartesianLengthWalked) {
  const double a = 2.5;
  const QList list = q_path(named("square", {20, 20}, a), {"Γ", "X", "M", "Γ"}, {});
  EXPECT_EQ(list.distance[0], 0);
  EXPECT_NEAR(list.distance[10], pi / a, 1e-12);
  EXPECT_NEAR(list.distance[20], 2 * pi / a, 1e-12);
  EXPECT_NEAR(list.distance[30], (2 + std::sqrt(2.0)) * pi / a, 1e-12);
  for (std::size_t i = 1; i < list.distance.size(); ++i)
    EXPECT_NEAR(list.distance[i] - list.distance[i - 1],
                length(list.cartesian[i] - list.cartesian[i - 1]), 1e-12);
}

TEST(QPath, OfUnequalSizesStopsOnlyWhereBothFit) {
  // On the line Γ-M of a 12 x 8 lattice, (k/12, k/12) must also be a multiple of 1/8. The steps are
  // (1/4, 1/4).
  const Geometry geometry = named("square", {12, 8});
  const QList list = q_path(geometry, {"Γ", "M"}, {});
  ASSERT_EQ(list.size(), 3);
  expect_vector(list.q[1], {0.25, 0.25, 0});
  EXPECT_EQ(q_path(geometry, {"Γ", "X"}, {}).size(), 7);
  EXPECT_EQ(q_path(geometry, {"X", "M"}, {}).size(), 5);
}

TEST(QPath, TakesTheNumberOfPointsAsked) {
  const QList list = q_path(named("chain", {30}), {"Γ", "X"}, 4);
  ASSERT_EQ(list.size(), 5);
  for (std::size_t i = 0; i < 5; ++i)
    expect_vector(list.q[i], {0.125 * static_cast<double>(i), 0, 0});
  EXPECT_EQ(list.label_index, (std::vector<Index>{0, 4}));
}

TEST(QPath, TakesFiftyPointsWhereItsEndsDoNotFit) {
  // Two points are not wave vectors of the lattice: X of an odd chain, and K of a triangular
  // lattice whose size is not a multiple of three.
  EXPECT_EQ(q_path(named("chain", {31}), {"Γ", "X"}, {}).size(), 51);
  EXPECT_EQ(q_path(named("triangular", {10, 10}), {"Γ", "K"}, {}).size(), 51);
  EXPECT_EQ(q_path(named("triangular", {12, 12}), {"Γ", "K"}, {}).size(), 5);
}

TEST(QPath, EndsAtTheCornersOfTheHexagonalZone) {
  const double a = 1.5;
  const QList list = q_path(named("honeycomb", {6, 6}, a), {"Γ", "K", "M"}, {});
  const auto k = static_cast<std::size_t>(list.label_index[1]);
  EXPECT_NEAR(length(list.cartesian[k]), 4 * pi / (3 * a), 1e-12);
  EXPECT_NEAR(length(list.cartesian.back()), 2 * pi / (std::sqrt(3.0) * a), 1e-12);
  EXPECT_NEAR(list.distance[k], 4 * pi / (3 * a), 1e-12);
}

TEST(QPath, RefusesUnknownAndSingleNames) {
  const Geometry geometry = named("square", {4, 4});
  EXPECT_THROW(q_path(geometry, {}, {}), InputError);
  EXPECT_THROW(q_path(geometry, {"Γ"}, {}), InputError);
  EXPECT_THROW(q_path(geometry, {"Γ", "L"}, {}), InputError);
  EXPECT_EQ(q_path(geometry, {"G", "X"}, {}).size(), q_path(geometry, {"Γ", "X"}, {}).size());
}

TEST(QPath, RefusesLinesWithoutPoints) {
  const Geometry geometry = named("square", {4, 4});
  EXPECT_THROW(q_path(geometry, {"Γ", "X"}, 0), InputError);
  EXPECT_THROW(q_path(geometry, {"Γ", "X"}, -3), InputError);
}

TEST(QExplicit, KeepsTheVectorsAndMeasuresTheirPath) {
  const QList list = q_explicit(named("sc", {4, 4, 4}, 2), {{0.1, 0.2, -0.3}, {1.25, 0, 0}});
  ASSERT_EQ(list.size(), 2);
  expect_vector(list.q[1], {1.25, 0, 0});
  expect_vector(list.cartesian[0], {0.1 * pi, 0.2 * pi, -0.3 * pi});
  ASSERT_EQ(list.distance.size(), 2u);
  EXPECT_EQ(list.distance[0], 0);
  EXPECT_NEAR(list.distance[1], pi * std::hypot(1.15, 0.2, 0.3), 1e-12);
  EXPECT_TRUE(list.label_text.empty());
}

TEST(QGrid, HoldsEveryVectorOfTheLatticeOnce) {
  const Geometry geometry = named("sc", {3, 4, 5});
  const QList list = q_grid(geometry);
  EXPECT_EQ(list.size(), 60);
  EXPECT_EQ(list.distance[59], 59);
  std::set<std::tuple<long, long, long>> seen;
  for (const Vec3<double>& q : list.q) {
    EXPECT_TRUE(is_commensurate(geometry, q));
    EXPECT_TRUE(q.x >= 0 && q.x < 1 && q.y >= 0 && q.y < 1 && q.z >= 0 && q.z < 1);
    seen.insert({std::lround(3 * q.x), std::lround(4 * q.y), std::lround(5 * q.z)});
  }
  EXPECT_EQ(seen.size(), 60u);
}

TEST(QGrid, RefusesPlainPositions) {
  Geometry geometry = named("chain", {4});
  geometry.plain_positions = true;
  EXPECT_THROW(q_grid(geometry), InputError);
}

TEST(Commensurate, AsksEveryDimension) {
  const Geometry geometry = named("square", {10, 7});
  EXPECT_TRUE(is_commensurate(geometry, {0.3, 3.0 / 7, 0}));
  EXPECT_TRUE(is_commensurate(geometry, {-1.7, 9.0 / 7, 2}));
  EXPECT_FALSE(is_commensurate(geometry, {0.35, 0, 0}));
  EXPECT_FALSE(is_commensurate(geometry, {0.3, 0.3, 0}));
  EXPECT_FALSE(is_commensurate(geometry, {0.3, 0, 0.5}));
  EXPECT_FALSE(is_commensurate(geometry, {0.3 + 1e-6, 0, 0}));
}

}  // namespace
