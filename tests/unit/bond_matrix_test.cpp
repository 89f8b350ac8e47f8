// Matrices of bonds: the numbers of a bond class, and the field that kernels compute from them.
// Rooms: spins

#include "larmor/spins/hamiltonian/bond_matrix.hpp"

#include <gtest/gtest.h>

#include "larmor/spins/hamiltonian/bond_class.hpp"

namespace larmor::spins {
namespace {

const Vec3<double> e{0.3, -0.8, 0.52}, f{-0.6, 0.1, 0.79};

TEST(BondMatrix, OfDMakesTheTripleProduct) {
  const Vec3<double> D{0.4, -1.3, 0.7};
  // The triple product D.(e x f), written out.
  const double product =
      D.x * (e.y * f.z - e.z * f.y) + D.y * (e.z * f.x - e.x * f.z) + D.z * (e.x * f.y - e.y * f.x);
  EXPECT_NEAR(dot(e, antisymmetric(D) * f), product, 1e-15);
  EXPECT_NEAR(dot(e, dmi_field(D, f)), product, 1e-15);
  EXPECT_TRUE(dmi_vector(isotropic(2.5) + antisymmetric(D)) == D);
}

TEST(BondMatrix, IsWhatItsNumbersDoInEveryClass) {
  const double numbers[] = {0.9, 0.4, -1.3, 0.7, 0.2, -0.6, 1.1, -0.35, 0.05};
  for (const BondClass c : {BondClass::scalar, BondClass::vector, BondClass::tensor})
    with_bond_class(c, [&](auto constant) {
      const Mat3<double> A = matrix_of(c, numbers);
      const Vec3<double> by_matrix = A * f, by_numbers = bond_field<constant()>(numbers, 0, f);
      EXPECT_NEAR(length(by_matrix - by_numbers), 0, 1e-15) << static_cast<int>(c);
      double back[components(BondClass::tensor)] = {};
      add_numbers(c, A, back);
      for (int n = 0; n < components(c); ++n) EXPECT_EQ(back[n], numbers[n]);
    });
}

TEST(OnsitePolynomial, HasItsOwnDerivatives) {
  const OnsitePolynomial<double> P{0.7, -0.4, 1.3};
  const double p = 0.83, small = 1e-5;
  EXPECT_NEAR(P.value(p), 0.7 * p * p - 0.4 * std::pow(p, 4) + 1.3 * std::pow(p, 6), 1e-15);
  EXPECT_NEAR((P.value(p + small) - P.value(p - small)) / (2 * small), P.slope(p), 1e-8);
  EXPECT_NEAR((P.slope(p + small) - P.slope(p - small)) / (2 * small), P.curvature(p), 1e-7);
}

}  // namespace
}  // namespace larmor::spins
