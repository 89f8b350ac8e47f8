// Rooms: lattice
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <set>

#include "larmor/core/error.hpp"
#include "larmor/lattice/bonds.hpp"
#include "larmor/lattice/ordering.hpp"

namespace {

using namespace larmor;
using namespace larmor::lattice;

Geometry named(const std::string& type, const std::vector<Index>& size, bool periodic = true) {
  return make_lattice(named_crystal(type, 1.0), size, {periodic});
}

struct Expected {
  const char* type;
  int dimensions;
  std::size_t atoms;
  std::vector<int> coordination;  ///< neighbours of every site in shells 1, 2, ...
  std::vector<double> distance;

  friend void PrintTo(const Expected& tested, std::ostream* out) { *out << tested.type; }
};

class NamedLattice : public testing::TestWithParam<Expected> {};

TEST_P(NamedLattice, ShellsHaveTheTextbookCoordinationAndDistance) {
  const Expected& expected = GetParam();
  const std::vector<Index> size(static_cast<std::size_t>(expected.dimensions), 6);
  const Geometry geometry = named(expected.type, size);
  EXPECT_EQ(geometry.crystal.basis.size(), expected.atoms);
  for (std::size_t shell = 0; shell < expected.coordination.size(); ++shell) {
    std::map<Index, std::set<Index>> neighbours;
    for (const StencilBond& bond : stencil_by_shell(geometry, static_cast<int>(shell) + 1, {})) {
      EXPECT_NEAR(length(bond.r), expected.distance[shell], 1e-9);
      for (Index site = 0; site < geometry.sites(); ++site) {
        if (geometry.basis_index(site) != bond.from) continue;
        const Index other = neighbour(geometry, site, bond);
        EXPECT_NEAR(length(separation(geometry, site, other) - bond.r), 0, 1e-9);
        EXPECT_TRUE(neighbours[site].insert(other).second);
        EXPECT_TRUE(neighbours[other].insert(site).second);
      }
    }
    for (Index site = 0; site < geometry.sites(); ++site)
      EXPECT_EQ(static_cast<int>(neighbours[site].size()), expected.coordination[shell]);
  }
}

const double root3 = std::sqrt(3.0);
INSTANTIATE_TEST_SUITE_P(
    Lattices, NamedLattice,
    testing::Values(
        Expected{"chain", 1, 1, {2, 2}, {1, 2}},
        Expected{"square", 2, 1, {4, 4, 4}, {1, std::sqrt(2.0), 2}},
        Expected{"triangular", 2, 1, {6, 6}, {1, root3}},
        Expected{"honeycomb", 2, 2, {3, 6, 3}, {1 / root3, 1, 2 / root3}},
        Expected{"kagome", 2, 3, {4, 4}, {0.5, root3 / 2}},
        Expected{"sc", 3, 1, {6, 12, 8}, {1, std::sqrt(2.0), root3}},
        Expected{"bcc", 3, 2, {8, 6, 12, 24}, {root3 / 2, 1, std::sqrt(2.0), std::sqrt(11.0) / 2}},
        Expected{"fcc", 3, 4, {12, 6, 24}, {std::sqrt(0.5), 1, std::sqrt(1.5)}},
        Expected{"diamond", 3, 8, {4, 12}, {root3 / 4, std::sqrt(0.5)}},
        Expected{"pyrochlore", 3, 16, {6, 12}, {std::sqrt(0.125), std::sqrt(0.375)}}),
    [](const auto& tested) { return std::string(tested.param.type); });

TEST(Crystal, ReciprocalVectorsAreDualToTheCell) {
  for (const std::string& name : crystal_names()) {
    const Crystal crystal = named_crystal(name, 2.5);
    const auto b = crystal.reciprocal();
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        EXPECT_NEAR(dot(crystal.cell[i], b[j]), i == j ? 2 * std::numbers::pi : 0, 1e-12);
    const Vec3<double> f{0.3, -0.2, 0.7};
    EXPECT_NEAR(length(crystal.fractional(crystal.cartesian(f)) - f), 0, 1e-14);
  }
}

TEST(Crystal, HexagonalCornerIsEquidistantFromThreeReciprocalLatticePoints) {
  const Crystal crystal = named_crystal("triangular", 1.0);
  const auto b = crystal.reciprocal();
  const Vec3<double> q = named_wave_vector(crystal, "K");
  const Vec3<double> K = q.x * b[0] + q.y * b[1];
  EXPECT_NEAR(length(K), length(K - b[0]), 1e-12);
  EXPECT_NEAR(length(K), length(K - b[1]), 1e-12);
  EXPECT_EQ(named_wave_vector(crystal, "G"), named_wave_vector(crystal, "Γ"));
}

TEST(Crystal, RefusesNonsense) {
  EXPECT_THROW(named_crystal("sqare", 1), InputError);
  EXPECT_THROW(named_wave_vector(named_crystal("square", 1), "K"), InputError);
  Crystal flat = named_crystal("sc", 1);
  flat.cell[2] = flat.cell[0];
  EXPECT_THROW(validate(flat), InputError);
  Crystal doubled = named_crystal("sc", 1);
  doubled.basis.push_back({{1, 0, 0}, "A", 1});
  EXPECT_THROW(validate(doubled), InputError);
}

TEST(Geometry, CanonicalIndexRunsBasisFirstThenXYZ) {
  const Geometry geometry = named("bcc", {3, 4, 5});
  EXPECT_EQ(geometry.sites(), 2 * 3 * 4 * 5);
  Index expected = 0;
  for (Index z = 0; z < 5; ++z)
    for (Index y = 0; y < 4; ++y)
      for (Index x = 0; x < 3; ++x)
        for (int b = 0; b < 2; ++b, ++expected) {
          EXPECT_EQ(geometry.site(b, x, y, z), expected);
          const SiteIndex s = geometry.decode(expected);
          EXPECT_EQ(s.basis, b);
          EXPECT_EQ(s.cell, (std::array<Index, 3>{x, y, z}));
        }
}

TEST(Geometry, RefusesSizesThatMakeNoSense) {
  EXPECT_THROW(named("square", {4}), InputError);
  EXPECT_THROW(named("square", {4, 0}), InputError);
  EXPECT_THROW(named("square", {4, -3}), InputError);
  EXPECT_THROW(named("sc", {2000, 2000, 2000}), InputError);
  EXPECT_THROW(make_lattice(named_crystal("sc", 1), {2, 2, 2}, {true, false}), InputError);
}

TEST(Bonds, OpenBoundariesEndBonds) {
  const Geometry geometry = named("chain", {4}, false);
  const StencilBond bond = stencil_by_shell(geometry, 1, {}).front();
  EXPECT_EQ(neighbour(geometry, 0, bond), 1);
  EXPECT_EQ(neighbour(geometry, 3, bond), -1);
}

TEST(Bonds, RefuseToReachAroundToTheSiteItself) {
  EXPECT_THROW(stencil_by_shell(named("chain", {1}), 1, {}), InputError);
  EXPECT_THROW(stencil_by_shell(named("chain", {2}), 2, {}), InputError);
  EXPECT_NO_THROW(stencil_by_shell(named("chain", {1}, false), 1, {}));
  EXPECT_THROW(stencil_by_offset(named("chain", {4}), 0, 0, {0, 0, 0}), InputError);
  EXPECT_THROW(stencil_by_offset(named("chain", {4}), 0, 0, {0, 1, 0}), InputError);
}

TEST(Bonds, SpeciesSelectWhatAShellHolds) {
  Geometry geometry = named("bcc", {4, 4, 4});
  geometry.crystal.basis[0].species = "Fe";
  geometry.crystal.basis[1].species = "Co";
  const auto mixed = stencil_by_shell(geometry, 1, {{"Co", "Fe"}});
  EXPECT_EQ(mixed.size(), 8u);
  const auto same = stencil_by_shell(geometry, 1, {{"Fe", "Fe"}});
  EXPECT_EQ(same.size(), 3u);
  EXPECT_NEAR(length(same.front().r), 1, 1e-12);
  EXPECT_THROW(stencil_by_shell(geometry, 1, {{"Fe", "Ni"}}), InputError);
}

/// The cell has so many atoms that a list of all pairs of atoms in some cells would take gigabytes.
TEST(Bonds, ShellsOfALargeCellAreThoseOfTheCrystal) {
  constexpr int length = 12;
  Crystal crystal = named_crystal("sc", 1.0);
  for (Vec3<double>& a : crystal.cell) a = length * a;
  crystal.basis.clear();
  for (int site = 0; site < length * length * length; ++site)
    crystal.basis.push_back(
        {{(site % length) / double(length), (site / length % length) / double(length),
          (site / length / length) / double(length)},
         "A",
         1});
  const auto bonds = stencil_by_shell(make_lattice(crystal, {2, 2, 2}, {true}), 3, {});
  EXPECT_EQ(bonds.size(), 4u * length * length * length);
  EXPECT_NEAR(larmor::length(bonds.front().r), std::sqrt(3.0), 1e-9);
}

TEST(Bonds, ShellsDoNotDependOnTheCellThatABasisAtomIsWrittenIn) {
  Crystal inside = named_crystal("chain", 1.0), outside = inside;
  inside.basis.push_back({{0.3, 0, 0}, "A", 1});
  outside.basis.push_back({{3.3, 0, 0}, "A", 1});
  for (int shell = 1; shell <= 5; ++shell) {
    const auto a = stencil_by_shell(make_lattice(inside, {12}, {true}), shell, {});
    const auto b = stencil_by_shell(make_lattice(outside, {12}, {true}), shell, {});
    ASSERT_EQ(a.size(), b.size()) << "shell " << shell;
    EXPECT_NEAR(length(a.front().r), length(b.front().r), 1e-12);
  }
}

TEST(Bonds, PairsOfPlainPositionsAreThoseOfTheLattice) {
  const Geometry lattice = named("bcc", {5, 5, 5});
  Geometry plain;
  plain.plain_positions = true;
  plain.crystal.cell = {{{5, 0, 0}, {0, 5, 0}, {0, 0, 5}}};
  for (Index site = 0; site < lattice.sites(); ++site)
    plain.crystal.basis.push_back({(1.0 / 5) * lattice.position(site), "A", 1});
  for (int shell = 1; shell <= 4; ++shell) {
    std::set<std::pair<Index, Index>> expected, found;
    for (const StencilBond& bond : stencil_by_shell(lattice, shell, {}))
      for (Index site = 0; site < lattice.sites(); ++site) {
        if (lattice.basis_index(site) != bond.from) continue;
        const Index other = neighbour(lattice, site, bond);
        expected.insert(std::minmax(site, other));
      }
    for (const PairBond& bond : pairs_by_shell(plain, shell, {})) {
      EXPECT_TRUE(found.insert({bond.i, bond.j}).second);
      EXPECT_NEAR(length(bond.r - separation(lattice, bond.i, bond.j)), 0, 1e-9);
    }
    EXPECT_EQ(found, expected) << "shell " << shell;
  }
}

TEST(Pairs, AShellThatIsNotThereIsRefusedHoweverOpenTheBoundaries) {
  Geometry plain;
  plain.plain_positions = true;
  plain.periodic = {false, false, false};
  plain.crystal.cell = {Vec3<double>{40, 0, 0}, {0, 40, 0}, {0, 0, 40}};
  plain.crystal.basis = {{{0, 0, 0}, "A", 1}, {{0.3, 0, 0}, "B", 1}, {{0, 0.9, 0}, "A", 1}};
  EXPECT_THROW(pairs_by_shell(plain, 1, SpeciesPair{{"B", "B"}}), InputError);
  EXPECT_THROW(pairs_by_shell(plain, 3, SpeciesPair{{"A", "B"}}), InputError);
  ASSERT_EQ(pairs_by_shell(plain, 2, SpeciesPair{{"A", "B"}}).size(), 1u);
  EXPECT_NEAR(length(pairs_by_shell(plain, 2, SpeciesPair{{"A", "B"}})[0].r), 40 * std::sqrt(0.9),
              1e-9);
}

/// A random graph of any density. The generator is simple, so that every machine makes equal
/// graphs.
Graph random_graph(Index sites, Index edges, unsigned seed) {
  std::vector<std::set<std::int32_t>> near(static_cast<std::size_t>(sites));
  std::uint64_t state = seed * 2862933555777941757ull + 3037000493ull;
  const auto next = [&] {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::int32_t>((state >> 33) % static_cast<std::uint64_t>(sites));
  };
  for (Index e = 0; e < edges; ++e) {
    const std::int32_t i = next(), j = next();
    if (i == j) continue;
    near[static_cast<std::size_t>(i)].insert(j);
    near[static_cast<std::size_t>(j)].insert(i);
  }
  Graph graph;
  graph.offset.push_back(0);
  for (const auto& set : near) {
    graph.neighbour.insert(graph.neighbour.end(), set.begin(), set.end());
    graph.offset.push_back(static_cast<Index>(graph.neighbour.size()));
  }
  return graph;
}

Graph lattice_graph(const Geometry& geometry) {
  std::vector<std::set<std::int32_t>> near(static_cast<std::size_t>(geometry.sites()));
  for (const StencilBond& bond : stencil_by_shell(geometry, 1, {}))
    for (Index site = 0; site < geometry.sites(); ++site) {
      if (geometry.basis_index(site) != bond.from) continue;
      const Index other = neighbour(geometry, site, bond);
      if (other < 0) continue;
      near[static_cast<std::size_t>(site)].insert(static_cast<std::int32_t>(other));
      near[static_cast<std::size_t>(other)].insert(static_cast<std::int32_t>(site));
    }
  Graph graph;
  graph.offset.push_back(0);
  for (const auto& set : near) {
    graph.neighbour.insert(graph.neighbour.end(), set.begin(), set.end());
    graph.offset.push_back(static_cast<Index>(graph.neighbour.size()));
  }
  return graph;
}

void expect_valid(const Graph& graph, const Colouring& colouring) {
  for (Index i = 0; i < graph.sites(); ++i)
    for (Index k = graph.offset[static_cast<std::size_t>(i)];
         k < graph.offset[static_cast<std::size_t>(i) + 1]; ++k)
      ASSERT_NE(
          colouring.colour[static_cast<std::size_t>(i)],
          colouring.colour[static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(k)])]);
}

TEST(Colouring, NeighboursDifferOnAnyGraph) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Graph graph = random_graph(200, 50 * (seed + 1), seed);
    const Colouring colouring = greedy_colouring(graph);
    expect_valid(graph, colouring);
  }
}

TEST(Colouring, TwoColoursForBipartiteLattices) {
  for (const Geometry& geometry :
       {named("chain", {10}), named("square", {6, 8}), named("honeycomb", {5, 7}),
        named("sc", {4, 6, 4}), named("bcc", {3, 3, 3}), named("diamond", {2, 2, 2}),
        named("square", {5, 7}, false)}) {
    const Graph graph = lattice_graph(geometry);
    const Colouring colouring = greedy_colouring(graph);
    EXPECT_EQ(colouring.colours, 2) << geometry.crystal.name;
    expect_valid(graph, colouring);
  }
}

TEST(Ordering, IsAPermutationColourByColour) {
  const Graph graph = lattice_graph(named("triangular", {6, 6}));
  const Colouring colouring = greedy_colouring(graph);
  const Ordering ordering = by_colour(colouring);
  EXPECT_EQ(ordering.colour_begin.back(), 36);
  for (std::int32_t site = 0; site < 36; ++site)
    EXPECT_EQ(
        ordering
            .canonical[static_cast<std::size_t>(ordering.storage[static_cast<std::size_t>(site)])],
        site);
  for (std::size_t c = 0; c + 1 < ordering.colour_begin.size(); ++c)
    for (Index p = ordering.colour_begin[c]; p < ordering.colour_begin[c + 1]; ++p)
      EXPECT_EQ(
          colouring
              .colour[static_cast<std::size_t>(ordering.canonical[static_cast<std::size_t>(p)])],
          static_cast<std::int32_t>(c));
}

/// A cube of sites at whole coordinates, in shuffled order.
Geometry shuffled_cube(int length) {
  Geometry geometry;
  geometry.plain_positions = true;
  geometry.crystal.name = "plain positions";
  for (int n = 0; n < length * length * length; ++n)
    geometry.crystal.basis.push_back(
        {{double(n % length), double(n / length % length), double(n / (length * length))}, "A", 1});
  std::shuffle(geometry.crystal.basis.begin(), geometry.crystal.basis.end(), std::mt19937_64(3));
  const double side = length;
  geometry.crystal.cell = {{{side, 0, 0}, {0, side, 0}, {0, 0, side}}};
  for (auto& atom : geometry.crystal.basis) atom.fractional = (1 / side) * atom.fractional;
  return geometry;
}

TEST(Locality, CubesOfSitesLieTogether) {
  constexpr int length = 16;
  const Geometry geometry = shuffled_cube(length);
  const std::vector<std::int32_t> order = along_curve(geometry);
  EXPECT_EQ(std::set<std::int32_t>(order.begin(), order.end()).size(), order.size());
  // Eight consecutive sites form a cube of edge two, and 64 form a cube of edge four.
  for (const auto& [sites, side] : {std::pair{8, 2}, std::pair{64, 4}})
    for (std::size_t first = 0; first < order.size(); first += static_cast<std::size_t>(sites)) {
      const Vec3<double> corner = geometry.position(order[first]);
      for (std::size_t n = first; n < first + static_cast<std::size_t>(sites); ++n) {
        const Vec3<double> r = geometry.position(order[n]) - corner;
        for (const double x : {r.x, r.y, r.z}) {
          EXPECT_GT(x, -0.5);
          EXPECT_LT(x, side - 0.5);
        }
      }
    }
}

TEST(Locality, SitesAtOnePointKeepTheirOrder) {
  Geometry geometry = shuffled_cube(2);
  for (auto& atom : geometry.crystal.basis) atom.fractional = {0.25, 0.25, 0.25};
  EXPECT_EQ(along_curve(geometry), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Ordering, FollowsTheOrderThatIsGivenWithinAColour) {
  Colouring colouring;
  colouring.colours = 2;
  colouring.colour = {0, 1, no_colour, 0, 1, 0};
  const Ordering ordering = by_colour(colouring, {5, 4, 3, 2, 1, 0});
  EXPECT_EQ(ordering.canonical, (std::vector<std::int32_t>{5, 3, 0, 4, 1, 2}));
  EXPECT_EQ(ordering.colour_begin, (std::vector<Index>{0, 3, 5}));
}

}  // namespace
