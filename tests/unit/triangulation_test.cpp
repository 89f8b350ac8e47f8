// Rooms: lattice
#include "larmor/lattice/triangulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "larmor/core/error.hpp"

namespace larmor::lattice {
namespace {

Geometry named(const char* type, const std::vector<Index>& size, bool periodic) {
  return make_lattice(named_crystal(type, 1.3), size, {periodic});
}

/// An oblique cell that is far from reduced. Its atoms have irregular places, some of them outside
/// the cell.
Geometry skewed(const std::vector<Index>& size, const std::vector<bool>& periodic) {
  Crystal crystal;
  crystal.name = "skewed";
  crystal.cell = {{{1, 0.1, 0}, {3.3, 1.2, 0}, {0.4, 0.2, 2}}};
  crystal.basis = {
      {{0.1, 0.2, 0.25}, "A", 1}, {{1.45, 0.3, 1.25}, "A", 1}, {{0.8, -0.35, -0.75}, "A", 1}};
  crystal.dimensions = static_cast<int>(size.size());
  return make_lattice(crystal, size, periodic);
}

double twice_the_area(const Geometry& g, const Triangle& t) {
  return cross(separation(g, t[0], t[1]), separation(g, t[0], t[2])).z;
}

/// Counts how often each directed edge occurs.
std::map<std::pair<Index, Index>, int> edges(const std::vector<Triangle>& triangles) {
  std::map<std::pair<Index, Index>, int> count;
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) ++count[{t[k], t[(k + 1) % 3]}];
  return count;
}

/// Tests that the triangles are counterclockwise, meet edge to edge, and have the area of all
/// layers.
void expect_cover(const Geometry& g, Index layers) {
  const std::vector<Triangle> triangles = triangulate_layers(g);
  EXPECT_EQ(static_cast<Index>(triangles.size()), 2 * g.sites());
  double area = 0;
  for (const Triangle& t : triangles) {
    EXPECT_GT(twice_the_area(g, t), 1e-3);
    area += twice_the_area(g, t) / 2;
  }
  const double layer_area = std::abs(cross(g.crystal.cell[0], g.crystal.cell[1]).z) *
                            static_cast<double>(g.size[0] * g.size[1]);
  EXPECT_NEAR(area, static_cast<double>(layers) * layer_area, 1e-9 * area);
  const auto directed = edges(triangles);
  for (const auto& [edge, count] : directed) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(directed.count({edge.second, edge.first}), 1U);
  }
}

TEST(Triangulation, PeriodicLayersAreCoveredOnce) {
  for (const char* type : {"square", "triangular", "honeycomb", "kagome"}) {
    SCOPED_TRACE(type);
    expect_cover(named(type, {5, 4}, true), 1);
  }
  expect_cover(skewed({7, 6}, {true}), 3);
}

TEST(Triangulation, EveryPlaneOfEveryCellIsALayer) {
  const std::map<std::string, Index> planes{
      {"sc", 1}, {"bcc", 2}, {"fcc", 2}, {"diamond", 4}, {"pyrochlore", 4}};
  for (const auto& [type, count] : planes) {
    SCOPED_TRACE(type);
    expect_cover(named(type.c_str(), {3, 4, 2}, true), 2 * count);
  }
}

TEST(Triangulation, ABuckledLayerStaysOneBesideAChainOfHeights) {
  Crystal crystal = named_crystal("sc", 1);
  crystal.cell[2] = {0, 0, 4};
  const BasisAtom atom = crystal.basis[0];
  crystal.basis.clear();
  for (const Vec3<double>& f :
       {Vec3<double>{0, 0, 0}, {0.5, 0.5, 0.02}, {0, 0, 0.5}, {0.5, 0, 0.5375}, {0, 0.5, 0.575}}) {
    crystal.basis.push_back(atom);
    crystal.basis.back().fractional = f;
  }
  expect_cover(make_lattice(crystal, {4, 4, 2}, {true}), 2 * (1 + 3));
}

TEST(Triangulation, AtomsOutsideTheirCellBelongToTheLayerWhereTheyLie) {
  const Geometry periodic = skewed({5, 5, 3}, {true});
  expect_cover(periodic, 3);
  for (const Triangle& t : triangulate_layers(periodic))
    for (const Index site : t) EXPECT_NEAR(separation(periodic, t[0], site).z, 0, 1e-9);
  // Only one layer along the open direction has all three kinds of atoms.
  const Geometry open = skewed({5, 5, 3}, {true, true, false});
  std::set<Index> corners;
  for (const Triangle& t : triangulate_layers(open)) {
    EXPECT_NEAR(open.position(t[0]).z, open.position(t[1]).z, 1e-9);
    EXPECT_NEAR(open.position(t[0]).z, open.position(t[2]).z, 1e-9);
    corners.insert(t.begin(), t.end());
  }
  EXPECT_TRUE(corners.count(open.site(0, 2, 2, 1)));
  // A layer that is shifted by a whole cell must not be lost.
  Crystal crystal = named_crystal("sc", 1);
  crystal.basis[0].fractional.z = 1;
  EXPECT_EQ(triangulate_layers(make_lattice(crystal, {3, 3, 2}, {true, true, false})).size(), 36U);
}

TEST(Triangulation, ASquareIsCutFromItsLowerRightToItsUpperLeftCorner) {
  const Geometry square = named("square", {5, 5}, false);
  const auto directed = edges(triangulate_layers(square));
  EXPECT_EQ(directed.count({square.site(0, 2, 1, 0), square.site(0, 1, 2, 0)}), 1U);
  EXPECT_EQ(directed.count({square.site(0, 1, 1, 0), square.site(0, 2, 2, 0)}), 0U);
}

TEST(Triangulation, ABuckledLayerIsSeenFromAboveItsPlane) {
  // A honeycomb with atoms at the heights 0 and 0.1. The third vector is tilted, and so are the
  // fractional coordinates of the higher atom.
  Crystal crystal;
  crystal.name = "buckled";
  crystal.cell = {{{1, 0, 0}, {-0.5, std::sqrt(0.75), 0}, {20, 8, 2}}};
  crystal.basis = {{{0, 0, 0}, "A", 1}, {{0, 0, 0}, "A", 1}};
  crystal.basis[1].fractional = crystal.fractional({0, 1 / std::sqrt(3.0), 0.1});
  const Geometry honeycomb = make_lattice(crystal, {6, 6, 1}, {true, true, false});
  const auto triangles = triangulate_layers(honeycomb);
  EXPECT_EQ(triangles.size(), 2U * 72);
  for (const Triangle& t : triangles) {
    EXPECT_GT(twice_the_area(honeycomb, t), 0.2);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_LT(length(separation(honeycomb, t[k], t[(k + 1) % 3])), 1.2);
  }
}

TEST(Triangulation, OneAtomSplitsTheCellAlongItsShorterDiagonal) {
  // The vectors are at 120 degrees. The shorter diagonal is their sum, so all edges have one
  // length.
  const Geometry triangular = named("triangular", {4, 4}, true);
  for (const Triangle& t : triangulate_layers(triangular))
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(length(separation(triangular, t[k], t[(k + 1) % 3])), 1.3, 1e-12);
  Crystal crystal = named_crystal("square", 1);
  for (const double lean : {0.3, -0.3}) {
    crystal.cell[1] = {lean, 1, 0};
    const Geometry g = make_lattice(crystal, {4, 4}, {true});
    double longest = 0;
    for (const Triangle& t : triangulate_layers(g))
      for (std::size_t k = 0; k < 3; ++k)
        longest = std::max(longest, length(separation(g, t[k], t[(k + 1) % 3])));
    EXPECT_NEAR(longest, std::hypot(0.7, 1.0), 1e-12);
  }
}

TEST(Triangulation, CirclesThroughTheCornersAreEmpty) {
  for (const Geometry& g : {named("kagome", {4, 4}, true), named("honeycomb", {5, 4}, true),
                            named("square", {5, 5}, true), skewed({9, 8}, {true})}) {
    SCOPED_TRACE(g.crystal.name);
    for (const Triangle& t : triangulate_layers(g)) {
      // The centre of the circle through the corners, relative to the first corner.
      const Vec3<double> u = separation(g, t[0], t[1]), v = separation(g, t[0], t[2]);
      const double twice = 2 * cross(u, v).z;
      const Vec3<double> centre{(v.y * dot(u, u) - u.y * dot(v, v)) / twice,
                                (u.x * dot(v, v) - v.x * dot(u, u)) / twice, 0};
      for (Index site = 0; site < g.sites(); ++site) {
        const Vec3<double> r = separation(g, t[0], site) - centre;
        if (std::abs(r.z) > 1e-9) continue;
        EXPECT_GT(dot(r, r), dot(centre, centre) * (1 - 1e-5));
      }
    }
  }
}

TEST(Triangulation, OpenBoundariesKeepWholeTrianglesOnly) {
  EXPECT_EQ(triangulate_layers(named("square", {5, 4}, false)).size(), 2U * 4 * 3);
  EXPECT_EQ(triangulate_layers(named("triangular", {5, 4}, false)).size(), 2U * 4 * 3);
  EXPECT_EQ(
      triangulate_layers(make_lattice(named_crystal("square", 1), {5, 4}, {true, false})).size(),
      2U * 5 * 3);
  EXPECT_TRUE(triangulate_layers(named("square", {5, 1}, false)).empty());
  const Geometry open = named("kagome", {3, 3}, false);
  for (const Triangle& t : triangulate_layers(open))
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_LT(length(open.position(t[k]) - open.position(t[(k + 1) % 3])), 1.3 * 1.01);
}

TEST(Triangulation, TheNormalIsTowardsPositiveZWhateverTheHandOfTheCell) {
  Crystal crystal = named_crystal("square", 1);
  std::swap(crystal.cell[0], crystal.cell[1]);
  expect_cover(make_lattice(crystal, {4, 5}, {true}), 1);
}

TEST(Triangulation, ShortPeriodsCloseTheSurfaceToo) {
  for (const Index size : {1, 2}) {
    const auto triangles = triangulate_layers(named("honeycomb", {size, 1}, true));
    EXPECT_EQ(static_cast<Index>(triangles.size()), 4 * size);
    const auto directed = edges(triangles);
    for (const auto& [edge, count] : directed)
      EXPECT_EQ(directed.at({edge.second, edge.first}), count);
  }
}

TEST(Triangulation, WhatHasNoLayersIsRefused) {
  Geometry positions = named("square", {3, 3}, true);
  positions.plain_positions = true;
  EXPECT_THROW(triangulate_layers(positions), InputError);
  EXPECT_THROW(triangulate_layers(named("chain", {4}, true)), InputError);
  Crystal upright = named_crystal("sc", 1);
  std::swap(upright.cell[1], upright.cell[2]);
  EXPECT_THROW(triangulate_layers(make_lattice(upright, {3, 3, 3}, {true})), InputError);
}

}  // namespace
}  // namespace larmor::lattice
