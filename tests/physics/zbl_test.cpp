// Rooms: atoms
#include "larmor/atoms/potentials/zbl/zbl.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/error.hpp"
#include "tests/physics/snap_support.hpp"

namespace larmor::atoms::zbl_tests {
namespace {

using testing_support::AtomsInBox;
using testing_support::disordered_crystal;

TEST(Zbl, IsTheScreenedCoulombEnergyAtShortDistances) {
  const ZblPair pair(74, 74, 4, 4.8);
  const double r = 0.05, a = 0.4685 / (2 * std::pow(74, 0.23)), x = r / a;
  const double phi = 0.02817 * std::exp(-0.20162 * x) + 0.28022 * std::exp(-0.4029 * x) +
                     0.50986 * std::exp(-0.94229 * x) + 0.18175 * std::exp(-3.1998 * x);
  const double bare = 14.399645 * 74 * 74 / r * phi;
  EXPECT_NEAR(pair.at(r).energy, bare, 1e-6 * bare);
}

TEST(Zbl, EnergyAndForceVanishAtTheOuterRadius) {
  const ZblPair pair(74, 4, 4, 4.8);
  EXPECT_NEAR(pair.at(4.8 - 1e-9).energy, 0, 1e-14);
  EXPECT_NEAR(pair.at(4.8 - 1e-9).slope, 0, 1e-12);
  // At the cutoff, the slope of the force also vanishes. Thus the energy falls as the third power
  // of the distance to the cutoff.
  EXPECT_NEAR(pair.at(4.8 - 2e-2).energy / pair.at(4.8 - 1e-2).energy, 8, 0.5);
  EXPECT_EQ(pair.at(4.8).energy, 0);
  EXPECT_NEAR(pair.at(4 - 1e-7).energy, pair.at(4 + 1e-7).energy, 1e-7);
}

TEST(Zbl, SlopeIsTheDerivative) {
  const ZblPair pair(26, 74, 1.5, 3);
  for (const double r : {0.3, 1.0, 1.4999, 1.7, 2.9}) {
    constexpr double step = 1e-5;
    const double slope = (pair.at(r + step).energy - pair.at(r - step).energy) / (2 * step);
    EXPECT_NEAR(pair.at(r).slope, slope, 1e-6 * std::max(1.0, std::abs(slope)));
  }
}

TEST(Zbl, PairsCountOnceAndOnlyThoseThatAreNamed) {
  const Zbl::Nuclei named[] = {{0, 0, 74, 74}, {1, 0, 4, 74}};
  const Zbl zbl(2, 4, 2, named);
  AtomsInBox atoms{{{{{9, 0, 0}, {0, 9, 0}, {0, 0, 9}}}, {false, false, false}},
                   {{0, 0, 0}, {1.5, 0, 0}},
                   {0, 1}};
  const auto energy = [&](std::int32_t first, std::int32_t second) {
    atoms.elements = {first, second};
    return total(zbl.evaluate(atoms.rows(zbl.cutoff()), atoms.elements).energy);
  };
  EXPECT_NEAR(energy(0, 1), ZblPair(74, 4, 2, 4).at(1.5).energy, 1e-12);
  EXPECT_NEAR(energy(1, 0), energy(0, 1), 1e-12);
  EXPECT_NEAR(energy(0, 0), ZblPair(74, 74, 2, 4).at(1.5).energy, 1e-11);
  EXPECT_EQ(energy(1, 1), 0);
}

TEST(Zbl, ForcesAreMinusTheDerivativeOfTheEnergy) {
  const Zbl::Nuclei named[] = {{0, 0, 74, 74}, {0, 1, 74, 4}, {1, 1, 4, 4}};
  const Zbl zbl(2.5, 4.8, 2, named);
  AtomsInBox atoms = disordered_crystal(1, 2);
  const NeighbourRows rows = atoms.rows(zbl.cutoff());
  const Vec3<double> F = forces(rows, zbl.evaluate(rows, atoms.elements).gradient)[1];
  constexpr double step = 1e-5;
  const auto energy = [&](double shift) {
    AtomsInBox moved = atoms;
    moved.positions[1].y += shift;
    return total(zbl.evaluate(moved.rows(zbl.cutoff()), moved.elements).energy);
  };
  EXPECT_NEAR(F.y, (energy(-step) - energy(step)) / (2 * step), 1e-6 * std::abs(F.y));
}

TEST(Zbl, ImpossibleRadiiAndChargesAreRefused) {
  const Zbl::Nuclei good[] = {{0, 0, 74, 74}}, bad[] = {{0, 0, 74, 0}};
  EXPECT_THROW(Zbl(4, 4, 1, good), InputError);
  EXPECT_THROW(Zbl(0, 4, 1, good), InputError);
  EXPECT_THROW(Zbl(3, 4, 1, bad), InputError);
}

}  // namespace
}  // namespace larmor::atoms::zbl_tests
