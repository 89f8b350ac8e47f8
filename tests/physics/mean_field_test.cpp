// The mean-field ordering temperature, k_B T_c = (1/3) max J(q), compared with closed forms.
// Rooms: spins

#include "larmor/spins/hamiltonian/mean_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "test_system.hpp"

namespace larmor::mean_field_tests {

using larmor::testing_support::TestSystem;

double mean_field_of(const std::string& system) {
  return TestSystem(system).model.mean_field_temperature();
}

TEST(MeanField, OfIsingLikeBondsIsThatOfTheirAxis) {
  const std::string sc = "[lattice]\ntype='sc'\nsize=[4,4,4]\n[[exchange-tensor]]\nshell=1\n";
  EXPECT_NEAR(mean_field_of(sc + "A=[[0,0,0],[0,0,0],[0,0,1]]\n"), 6.0 / 3, 1e-12);
  // The tensor is antiferromagnetic along z, and more weakly ferromagnetic along x.
  EXPECT_NEAR(mean_field_of(sc + "A=[[0.7,0,0],[0,0,0],[0,0,-1]]\n"), 6.0 / 3, 1e-12);
  // An axis lies between x and y, so the eigenvalues are 0.5 +- 1.
  EXPECT_NEAR(mean_field_of(sc + "A=[[0.5,1,0],[1,0.5,0],[0,0,0]]\n"), 6 * 1.5 / 3, 1e-12);
}

TEST(MeanField, OfADzyaloshinskiiMoriyaSpiral) {
  // For the turn about D, J(q) = 2 J cos q + 2 D sin q. Its maximum is 2 sqrt(J^2 + D^2), at tan q
  // = D / J.
  for (const double D : {0.123, 0.5, -1.7})
    EXPECT_NEAR(mean_field_of("[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=0.9\n"
                              "[[dmi]]\nshell=1\ndirection='bond'\nstrength=" +
                              std::to_string(D) + "\n"),
                2 * std::hypot(0.9, D) / 3, 1e-10);
}

TEST(MeanField, OfADzyaloshinskiiMoriyaSpiralInTheBulk) {
  // D lies along the bonds of sc. B20 magnets have such a D. The spiral runs along [1, 1, 1] with q
  // = atan(D / (sqrt(3) J)) along each axis, and J(q) = 2 (3 J cos q + sqrt(3) D sin q).
  const double J = 1, D = 0.4, q = std::atan(D / (std::sqrt(3.0) * J));
  EXPECT_NEAR(mean_field_of("[lattice]\ntype='sc'\nsize=[4,4,4]\n[[exchange]]\nshell=1\nJ=1\n"
                            "[[dmi]]\nshell=1\ndirection='bond'\nstrength=0.4\n"),
              2 * (3 * J * std::cos(q) + std::sqrt(3.0) * D * std::sin(q)) / 3, 1e-10);
}

TEST(MeanField, OfAFrustratedSpiral) {
  // For J1 = 1 and J2 = -0.6 along a chain, cos q = J1 / (4 |J2|).
  const double J2 = -0.6, c = 1 / (4 * 0.6);
  EXPECT_NEAR(mean_field_of("[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=1\n"
                            "[[exchange]]\nshell=2\nJ=-0.6\n"),
              (2 * c + 2 * J2 * (2 * c * c - 1)) / 3, 1e-10);
}

TEST(MeanField, OfTwoSublattices) {
  // An antiferromagnet with two atoms per cell. Bonds of strength a within one sublattice give J(q)
  // = [[2 a cos q, b], [b, 0]] with b = 2 J cos(q / 2). The largest eigenvalue, at q = 0, is a +
  // sqrt(a^2 + 4).
  const std::string chain =
      "[lattice]\ncell=[[2,0,0],[0,9,0],[0,0,9]]\nbasis=[[0,0,0],[0.5,0,0]]\nspecies=['A','B']\n"
      "size=[6,1,1]\nperiodic=[true,false,false]\n[[exchange]]\nshell=1\nJ=-1\n";
  EXPECT_NEAR(mean_field_of(chain), 2.0 / 3, 1e-12);
  const double a = 0.7;
  EXPECT_NEAR(mean_field_of(chain + "[[exchange]]\natoms=[0,0]\noffset=[[1,0,0]]\nJ=0.7\n"),
              (a + std::sqrt(a * a + 4)) / 3, 1e-12);
}

TEST(MeanField, OfTheTriangularAntiferromagnetIsThatOfK) {
  EXPECT_NEAR(mean_field_of("[lattice]\ntype='triangular'\nsize=[6,6]\n[[exchange]]\nshell=1\n"
                            "J=-1\n"),
              3.0 / 3, 1e-12);
}

/// A cell of 4 x 4 x 4 atoms of sc, J = 1 and D = 0.4 along the bonds to nearest neighbours.
const std::string large_cell_of_sc = [] {
  std::string basis;
  for (int atom = 0; atom < 64; ++atom)
    basis += (atom == 0 ? "[" : ",[") + std::to_string(0.25 * (atom % 4)) + "," +
             std::to_string(0.25 * (atom / 4 % 4)) + "," + std::to_string(0.25 * (atom / 16)) + "]";
  return "[lattice]\ncell=[[4,0,0],[0,4,0],[0,0,4]]\nbasis=[" + basis +
         "]\nsize=[2,2,2]\n[[exchange]]\nshell=1\nJ=1\n[[dmi]]\nshell=1\ndirection='bond'\n"
         "strength=0.4\n";
}();

/// The ordering temperature with one atom per cell, as in OfADzyaloshinskiiMoriyaSpiralInTheBulk.
double temperature_of_sc() {
  const double q = std::atan(0.4 / std::sqrt(3.0));
  return 2 * (3 * std::cos(q) + 0.4 * std::sqrt(3.0) * std::sin(q)) / 3;
}

TEST(MeanField, OfALargeCellIsThatOfItsSmallestCell) {
  const auto found = TestSystem(large_cell_of_sc).model.mean_field().temperature();
  EXPECT_NEAR(found.value, temperature_of_sc(), 1e-10);
  EXPECT_FALSE(found.is_lower_bound);
}

TEST(MeanField, OfAFrustratedSpiralInALongCell) {
  // The system of OfAFrustratedSpiral with 40 atoms per cell. The bonds to second neighbours are
  // antiferromagnetic.
  std::string basis;
  for (int atom = 0; atom < 40; ++atom)
    basis += (atom == 0 ? "[" : ",[") + std::to_string(0.025 * atom) + ",0,0]";
  const double c = 1 / (4 * 0.6);
  EXPECT_NEAR(mean_field_of("[lattice]\ncell=[[40,0,0],[0,9,0],[0,0,9]]\nbasis=[" + basis +
                            "]\nsize=[2,1,1]\nperiodic=[true,false,false]\n[[exchange]]\nshell=1\n"
                            "J=1\n[[exchange]]\nshell=2\nJ=-0.6\n"),
              (2 * c - 1.2 * (2 * c * c - 1)) / 3, 1e-10);
}

TEST(MeanField, IsALowerBoundWhereTheSearchEndsEarly) {
  TestSystem system(large_cell_of_sc);
  for (const double operations : {1.0, 1e6, 3e7}) {
    const auto found = system.model.mean_field().temperature(operations);
    EXPECT_TRUE(found.is_lower_bound) << operations;
    EXPECT_GT(found.value, 0.95 * temperature_of_sc()) << operations;
    EXPECT_LE(found.value, temperature_of_sc() + 1e-12) << operations;
  }
}

TEST(MeanField, IsNotThatOfTheSystemBefore) {
  const std::string chain = "[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=";
  EXPECT_NEAR(mean_field_of(chain + "1\n"), 2.0 / 3, 1e-12);
  EXPECT_NEAR(mean_field_of(chain + "3\n"), 6.0 / 3, 1e-12);
  EXPECT_NEAR(mean_field_of(chain + "1\n"), 2.0 / 3, 1e-12);
}

TEST(MeanField, IsNotKnownOfBondsPairByPair) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=1\ndisorder=0.5\n");
  EXPECT_FALSE(system.model.mean_field().is_known());
  EXPECT_EQ(system.model.mean_field_temperature(), 0);
  TestSystem free("[lattice]\ntype='chain'\nsize=[8]\n[field]\nB=[0,0,1]\n");
  EXPECT_TRUE(free.model.mean_field().is_known());
  EXPECT_EQ(free.model.mean_field_temperature(), 0);
}

}  // namespace larmor::mean_field_tests
