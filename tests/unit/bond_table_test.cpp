// Rooms: spins
#include "larmor/spins/hamiltonian/bond_table.hpp"

#include <gtest/gtest.h>

#include "larmor/lattice/bonds.hpp"

namespace {

using namespace larmor;
using namespace larmor::spins;

/// A straight row of atoms in free space, which has no lattice.
lattice::Geometry row_of_atoms(int atoms) {
  lattice::Geometry geometry;
  geometry.plain_positions = true;
  geometry.periodic = {false, false, false};
  geometry.crystal.cell = {Vec3<double>{1.0 * atoms, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < atoms; ++i)
    geometry.crystal.basis.push_back({{static_cast<double>(i) / atoms, 0, 0}, "A", 1});
  return geometry;
}

LoweredTerm nearest_neighbours(const lattice::Geometry& geometry) {
  LoweredTerm term;
  term.name = "exchange";
  for (const lattice::PairBond& bond : lattice::pairs_by_shell(geometry, 1, {}))
    term.pairs.push_back({bond, isotropic(1.5)});
  return term;
}

TEST(BondTable, EqualSitesOfPlainPositionsShareTheirValues) {
  const lattice::Geometry geometry = row_of_atoms(200);
  const std::vector<LoweredTerm> terms{nearest_neighbours(geometry)};
  const BondTable table(geometry, terms);
  EXPECT_EQ(table.sites(), 200);
  EXPECT_EQ(table.bonds_per_site(), 2);
  EXPECT_EQ(table.rows(), 2);  // one row for each end, and one for all other atoms
  EXPECT_EQ(table.row(0), table.row(199));
  EXPECT_EQ(table.row(1), table.row(100));
  EXPECT_EQ(table.neighbour(100, 0), 99);
  EXPECT_EQ(table.neighbour(100, 1), 101);
}

TEST(BondTable, DifferentCouplingsHaveRowsOfTheirOwn) {
  const lattice::Geometry geometry = row_of_atoms(6);
  LoweredTerm term = nearest_neighbours(geometry);
  term.pairs[2].bilinear = isotropic(-1.0);
  const std::vector<LoweredTerm> terms{term};
  const BondTable table(geometry, terms);
  EXPECT_NE(table.row(1), table.row(2));  // (+, +) and (+, -)
  EXPECT_NE(table.row(2), table.row(3));  // (+, -) and (-, +)
  EXPECT_EQ(table.row(1), table.row(4));
  // Both ends of the bond in the middle see one value of J.
  std::vector<double> J;
  for (const Index site : {2, 3})
    table.for_each_value(table.row(site), [&](int bond, const TermValue& value) {
      if (table.neighbour(site, bond) == 5 - site) J.push_back(value.bilinear.row[0].x);
    });
  EXPECT_EQ(J, (std::vector<double>{-1, -1}));
}

}  // namespace
