// Couplings that the space group spreads have the energies of couplings that are written bond by
// bond.
// Rooms: spins, symmetry, study

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "larmor/core/error.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "test_system.hpp"
#include "tests/expectations.hpp"

namespace larmor::spread_couplings_tests {

using testing_support::contains;
using testing_support::TestSystem;

/// Energies of random states of two texts are equal, and the couplings have an effect.
void expect_equal_energies(const std::string& lattice, const std::string& spread,
                           const std::string& written) {
  TestSystem a(lattice + spread), b(lattice + written);
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 5; ++n) {
    std::vector<Vec3<double>> spins(static_cast<std::size_t>(a.geometry.sites()));
    for (Vec3<double>& e : spins) {
      e = {normal(random), normal(random), normal(random)};
      e = (1 / length(e)) * e;
    }
    a.state.set_all(spins);
    b.state.set_all(spins);
    const double energy = spins::energy_per_site(b.model, b.state)[0];
    EXPECT_GT(std::abs(energy), 1e-3);
    EXPECT_NEAR(spins::energy_per_site(a.model, a.state)[0], energy, 1e-12);
  }
}

std::string refusal(const std::string& text) {
  try {
    TestSystem system(text);
  } catch (const InputError& error) {
    return error.problem() + " | " + error.remedy();
  }
  return "";
}

/// FeI2: a triangular lattice, whose symmetry the other atoms lower.
const std::string triangular =
    "[lattice]\ncell=[[1,0,0],[-0.5,0.8660254037844386,0],[0,0,1.7]]\nsize=[3,4,3]\n"
    "other_atoms=[[0.3333333333333333,0.6666666666666666,0.25],"
    "[0.6666666666666666,0.3333333333333333,-0.25]]\nother_species=['I']\n";

/// R A R^T for a rotation by an angle about z, as TOML.
std::string turned(const double (&A)[3][3], double degrees) {
  const double c = std::cos(degrees * std::acos(-1.0) / 180),
               s = std::sin(degrees * std::acos(-1.0) / 180);
  const double R[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
  std::string text = "A=[";
  for (int i = 0; i < 3; ++i) {
    text += i ? ",[" : "[";
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) sum += R[i][k] * A[k][l] * R[j][l];
      char digits[40];
      std::snprintf(digits, sizeof digits, "%s%.17g", j ? "," : "", sum);
      text += digits;
    }
    text += "]";
  }
  return text + "]\n";
}

TEST(SpreadCouplings, TensorsOfATriangularLatticeTurnWithTheirBonds) {
  const double A[3][3] = {{1.1, 0, 0}, {0, -0.7, 0.4}, {0, 0.4, 0.9}};
  const std::string table = "[[exchange-tensor]]\natoms=[0,0]\n";
  expect_equal_energies(
      triangular,
      table + "symmetry='crystal'\noffset=[[1,0,0]]\n" + turned(A, 0) + table +
          "symmetry='crystal'\noffset=[[0,0,1]]\nA=[[0.3,0,0],[0,0.3,0],[0,0,-1]]\n",
      table + "offset=[[1,0,0]]\n" + turned(A, 0) + table + "offset=[[0,1,0]]\n" + turned(A, 120) +
          table + "offset=[[-1,-1,0]]\n" + turned(A, 240) + table +
          "offset=[[0,0,1]]\nA=[[0.3,0,0],[0,0.3,0],[0,0,-1]]\n");
}

TEST(SpreadCouplings, ScalarsReachAllBondsOfAClass) {
  const std::string spread =
      "[[exchange]]\nJ=1.3\nsymmetry='crystal'\natoms=[0,0]\noffset=[[1,0,0]]\n"
      "[[biquadratic]]\nb=-0.4\nsymmetry='crystal'\natoms=[0,0]\noffset=[[1,2,0]]\n";
  const std::string written =
      "[[exchange]]\nJ=1.3\natoms=[0,0]\noffset=[[1,0,0],[0,1,0],[1,1,0]]\n"
      "[[biquadratic]]\nb=-0.4\natoms=[0,0]\noffset=[[1,2,0],[2,1,0],[1,-1,0]]\n";
  expect_equal_energies(triangular, spread, written);
  // Every pair has its own random coupling, which depends only on the pair.
  const std::string disorder = "disorder=0.6\n";
  expect_equal_energies(
      triangular,
      "[[exchange]]\nJ=0.3\n" + disorder + "symmetry='crystal'\natoms=[0,0]\noffset=[[1,0,0]]\n",
      "[[exchange]]\nJ=0.3\n" + disorder + "atoms=[0,0]\noffset=[[1,0,0],[0,1,0],[1,1,0]]\n");
}

TEST(SpreadCouplings, DmiOfKagomeTurnsAlongTheTriangles) {
  const std::string lattice = "[lattice]\ntype='kagome'\nsize=[3,3]\n";
  const std::string table = "[[dmi]]\nD=[0,0,0.7]\n";
  // Atoms 0, 1 and 2 are at a/2, b/2 and (a + b)/2. The first bonds go counterclockwise around a
  // triangle, and the second bonds around a triangle that points the other way.
  expect_equal_energies(lattice, table + "symmetry='crystal'\natoms=[1,2]\noffset=[[0,0,0]]\n",
                        table + "atoms=[1,2]\noffset=[[0,0,0],[-1,0,0]]\n" + table +
                            "atoms=[2,0]\noffset=[[0,1,0],[0,0,0]]\n" + table +
                            "atoms=[0,1]\noffset=[[0,-1,0],[1,0,0]]\n");
}

TEST(SpreadCouplings, PyrochloreHasThePublishedMatricesOfItsTetrahedra) {
  // Ross, Savary, Gaulin, Balents, Phys. Rev. X 1 (2011) 021002, with J1 to J4 = 0.9, 0.2, 0.3,
  // 0.4.
  const std::string lattice = "[lattice]\ntype='pyrochlore'\nsize=[1,1,2]\n";
  const std::string first = "A=[[0.2,0.4,0.4],[-0.4,0.9,0.3],[-0.4,0.3,0.9]]\n";
  const std::string matrices[] = {first,
                                  "A=[[0.9,-0.4,0.3],[0.4,0.2,0.4],[0.3,-0.4,0.9]]\n",
                                  "A=[[0.9,0.3,-0.4],[0.3,0.9,-0.4],[0.4,0.4,0.2]]\n",
                                  "A=[[0.9,-0.3,0.4],[-0.3,0.9,-0.4],[-0.4,0.4,0.2]]\n",
                                  "A=[[0.9,0.4,-0.3],[-0.4,0.2,0.4],[-0.3,-0.4,0.9]]\n",
                                  "A=[[0.2,-0.4,0.4],[0.4,0.9,-0.3],[-0.4,-0.3,0.9]]\n"};
  const int pairs[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  // Atom i of an fcc site s is atom 4 s + i of the cell. The tetrahedron of a site holds the bonds
  // within the site; the other tetrahedron has the opposite bond vectors.
  const TestSystem system(lattice + "[[exchange]]\nJ=1\nshell=1\n");
  const lattice::Crystal& crystal = system.geometry.crystal;
  std::string written;
  int bonds = 0;
  for (std::size_t n = 0; n < 6; ++n) {
    const auto at = [&](int atom) { return crystal.basis[std::size_t(atom)].fractional; };
    const Vec3<double> r = at(pairs[n][1]) - at(pairs[n][0]);
    for (int s = 0; s < 4; ++s)
      for (const double sign : {1.0, -1.0}) {
        const int from = 4 * s + pairs[n][0];
        const Vec3<double> end = at(from) + sign * r;
        for (int to = pairs[n][1]; to < 16; to += 4) {
          const Vec3<double> d = end - at(to);
          const Vec3<double> cell{std::round(d.x), std::round(d.y), std::round(d.z)};
          if (length(d - cell) > 1e-6) continue;
          written += "[[exchange-tensor]]\natoms=[" + std::to_string(from) + "," +
                     std::to_string(to) + "]\noffset=[[" + std::to_string(int(cell.x)) + "," +
                     std::to_string(int(cell.y)) + "," + std::to_string(int(cell.z)) + "]]\n" +
                     matrices[n];
          ++bonds;
        }
      }
  }
  EXPECT_EQ(bonds, 48);
  expect_equal_energies(
      lattice, "[[exchange-tensor]]\nsymmetry='crystal'\natoms=[0,1]\noffset=[[0,0,0]]\n" + first,
      written);
  // The local axes of a tetrahedron are its space diagonals.
  std::string axes;
  const char* const diagonals[] = {"[1,1,1]", "[1,-1,-1]", "[-1,1,-1]", "[-1,-1,1]"};
  for (int i = 0; i < 4; ++i) {
    axes += "[[anisotropy]]\nK=0.7\nK4=-0.3\naxis=" + std::string(diagonals[i]) + "\natoms=[";
    for (int s = 0; s < 4; ++s) axes += (s ? "," : "") + std::to_string(4 * s + i);
    axes += "]\n";
  }
  expect_equal_energies(
      lattice, "[[anisotropy]]\nsymmetry='crystal'\natoms=[5]\nK=0.7\nK4=-0.3\naxis=[-1,1,1]\n",
      axes);
  // - e^T A e with A = (K/3) (1 - M): the part without trace of K (e.n)^2.
  expect_equal_energies(
      lattice + "[[exchange]]\nJ=0.1\nshell=1\n",
      "[[anisotropy]]\nsymmetry='crystal'\natoms=[0]\nA=[[0,0.3,0.3],[0.3,0,0.3],[0.3,0.3,0]]\n"
      "[[anisotropy]]\nA=[[0.3,0,0],[0,0.3,0],[0,0,0.3]]\n",
      [&] {
        std::string text;
        for (int i = 0; i < 4; ++i) {
          text += "[[anisotropy]]\nK=0.9\naxis=" + std::string(diagonals[i]) + "\natoms=[";
          for (int s = 0; s < 4; ++s) text += (s ? "," : "") + std::to_string(4 * s + i);
          text += "]\n";
        }
        return text;
      }());
}

TEST(SpreadCouplings, OfASupercellAreThoseOfTheCrystal) {
  // A square layer with one atom, and the same layer with cells of two atoms.
  const auto energies = [](const std::string& text) {
    TestSystem system(text);
    std::vector<double> found;
    for (int n = 0; n < 3; ++n) {
      std::vector<Vec3<double>> spins;
      for (Index site = 0; site < system.geometry.sites(); ++site) {
        const Vec3<double> r = system.geometry.position(site);
        const double phase = (n + 1) * (2 * r.x + r.y) * std::acos(-1.0) / 2;
        spins.push_back({std::cos(phase), std::sin(phase) * 0.6, std::sin(phase) * 0.8});
      }
      system.state.set_all(spins);
      found.push_back(spins::energy_per_site(system.model, system.state)[0]);
    }
    return found;
  };
  const std::string tensor = "A=[[1,0,0],[0,-0.5,0],[0,0,0.2]]\n";
  const std::vector<double> expected = energies(
      "[lattice]\ntype='square'\nsize=[4,4]\n[[exchange-tensor]]\natoms=[0,0]\noffset=[[1,0,0]]\n" +
      tensor + "[[exchange-tensor]]\natoms=[0,0]\noffset=[[0,1,0]]\n" +
      "A=[[-0.5,0,0],[0,1,0],[0,0,0.2]]\n");
  const std::vector<double> found = energies(
      "[lattice]\ncell=[[2,0,0],[0,1,0],[0,0,1]]\nbasis=[[0,0,0],[0.5,0,0]]\nsize=[2,4]\n"
      "[[exchange-tensor]]\nsymmetry='crystal'\natoms=[1,0]\noffset=[[1,0,0]]\n" +
      tensor);
  for (std::size_t n = 0; n < expected.size(); ++n) EXPECT_NEAR(found[n], expected[n], 1e-12);
}

TEST(SpreadCouplings, AreRefusedIfTheSymmetryForbidsThem) {
  const std::string text = refusal(triangular +
                                   "[[dmi]]\nsymmetry='crystal'\natoms=[0,0]\noffset=[[1,0,0]]\n"
                                   "D=[0,0,1]\n");
  EXPECT_TRUE(
      contains(text, "forbids this coupling: the inversion, which exchanges the two sites"));
  EXPECT_TRUE(contains(text, "[[A, 0, 0], [0, B, D], [0, D, C]]"));
  const std::string site =
      refusal(triangular + "[[anisotropy]]\nsymmetry='crystal'\natoms=[0]\nK=1\naxis=[1,0,0]\n");
  EXPECT_TRUE(contains(site, "the symmetry of the site forbids"));
  EXPECT_TRUE(contains(site, "[[A, 0, 0], [0, A, 0], [0, 0, -2*A]]"));
}

TEST(SpreadCouplings, OfTwoTablesMustNotMeet) {
  const std::string table = "[[exchange]]\nJ=1\nsymmetry='crystal'\natoms=[0,0]\n";
  EXPECT_TRUE(
      contains(refusal(triangular + table + "offset=[[1,0,0]]\n" + table + "offset=[[0,1,0]]\n"),
               "exchange: tables 1 and 2 both give the bond"));
  EXPECT_EQ(refusal(triangular + table + "offset=[[1,0,0]]\n" + table + "offset=[[0,0,1]]\n"), "");
}

TEST(SpreadCouplings, AreRefusedWithKeysThatContradictThem) {
  const std::string tensor = "[[exchange]]\nJ=1\nsymmetry='crystal'\n";
  EXPECT_TRUE(contains(refusal(triangular + tensor + "shell=1\n"), "atoms and offset name"));
  EXPECT_TRUE(contains(refusal(triangular + "[[exchange]]\nJ=1\nshell=1\nsymmetry='cubic'\n"),
                       "completes the vectors of a file"));
  EXPECT_TRUE(contains(refusal("[lattice]\ntype='square'\nsize=[2,2]\nother_atoms=[[0,0,0.1]]\n"),
                       "other_atoms without a cell"));
  EXPECT_TRUE(
      contains(refusal(triangular + "[[anisotropy]]\nK=1\nsymmetry='crystal'\n"), "needs atoms"));
  EXPECT_TRUE(
      contains(refusal(triangular + "[[anisotropy]]\nK=1\natoms=[1]\n"), "not in the basis"));
  EXPECT_TRUE(
      contains(refusal(triangular + "[[anisotropy]]\nA=[[1,0,0],[1,1,0],[0,0,1]]\n"), "symmetric"));
  EXPECT_TRUE(contains(refusal(triangular + "[[anisotropy]]\nK=1\nA=[[1,0,0],[0,1,0],[0,0,1]]\n"),
                       "also strengths or an axis"));
}

}  // namespace larmor::spread_couplings_tests
