// Rooms: io
#include "larmor/io/structures/uppasd.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "larmor/core/error.hpp"
#include "tests/expectations.hpp"

namespace larmor::io {
namespace {

using testing_support::contains;

using Cell = std::array<Vec3<double>, 3>;
const Cell cubic{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

constexpr const char* bcc_posfile = "1 1 0.0 0.0 0.0\n2 1 0.5 0.5 0.5\n";
constexpr const char* bcc_jfile =
    "1 1  0.5       0.5       0.5       1.33767484769984\n"
    "1 1  1.0       0.0       0.0       0.75703576545650\n"
    "1 1  1.0       1.0       0.0       -0.05975437643846\n"
    "1 1  1.5       0.5       0.5       -0.08819834160658\n";

/// Writes files into a folder that the end of the test removes.
class UppasdFiles : public testing::Test {
 protected:
  UppasdFiles() { std::filesystem::create_directories(folder_); }
  ~UppasdFiles() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }

  std::vector<lattice::BasisAtom> basis(const std::string& posfile, const std::string& momfile = "",
                                        const Cell& cell = cubic) const {
    return read_uppasd_basis(file("posfile", posfile),
                             momfile.empty() ? "" : file("momfile", momfile), cell);
  }

  lattice::Geometry geometry(const std::string& posfile, const Cell& cell = cubic,
                             double constant = 1, bool periodic = true) const {
    lattice::Crystal crystal{"given", cell, basis(posfile, "", cell), 3, {}};
    for (Vec3<double>& a : crystal.cell) a = constant * a;
    return lattice::make_lattice(crystal, {10, 10, 10}, {periodic});
  }

  std::vector<UppasdCoupling> couplings(const std::string& jfile, const lattice::Geometry& lattice,
                                        const std::string& symmetry, double constant = 1,
                                        int maptype = 1) const {
    return read_jfile(file("jfile", jfile), lattice, symmetry, constant, maptype);
  }

  /// The error message with its position, or "accepted".
  std::string refusal(const std::string& jfile, const std::string& posfile = bcc_posfile,
                      const std::string& symmetry = "none", int maptype = 1) const {
    const lattice::Geometry lattice = geometry(posfile);
    return refusal_of([&] { couplings(jfile, lattice, symmetry, 1, maptype); });
  }

  template <class Work>
  static std::string refusal_of(const Work& work) {
    try {
      work();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("larmor-uppasd-test-" + std::to_string(::getpid()));
};

/// Number of ends of bonds at an atom.
int neighbours(const std::vector<UppasdCoupling>& couplings, int atom) {
  int count = 0;
  for (const UppasdCoupling& c : couplings) count += (c.bond.from == atom) + (c.bond.to == atom);
  return count;
}

TEST_F(UppasdFiles, BccIronHasFiftyNeighboursAndTheEnergyOfUppasd) {
  const auto found = couplings(bcc_jfile, geometry(bcc_posfile), "cubic");
  EXPECT_EQ(neighbours(found, 0), 50);
  EXPECT_EQ(neighbours(found, 1), 50);
  EXPECT_NEAR(uppasd_ferromagnetic_energy_mRy(found, 2), -12.4098, 5e-5);
}

TEST_F(UppasdFiles, EachPairOccursOnceWithTwiceTheCouplingOfTheFile) {
  const auto found = couplings(bcc_jfile, geometry(bcc_posfile), "cubic");
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(lattice::same_bond(found[i].bond, found[j].bond)) << i << " and " << j;
    if (std::abs(dot(found[i].bond.r, found[i].bond.r) - 0.75) < 1e-9) {
      EXPECT_DOUBLE_EQ(found[i].J_mRy, 2 * 1.33767484769984);
    }
  }
}

TEST_F(UppasdFiles, PrimitiveCellAndLatticeConstantChangeNothing) {
  const Cell primitive{{{-.5, .5, .5}, {.5, -.5, .5}, {.5, .5, -.5}}};
  const double a = 2.87;
  const auto lattice = geometry("1 1 0 0 0\n", primitive, a);
  const auto found = couplings(bcc_jfile, lattice, "cubic", a);
  EXPECT_EQ(neighbours(found, 0), 50);
  EXPECT_NEAR(uppasd_ferromagnetic_energy_mRy(found, 1), -12.4098, 5e-5);
  double nearest = 100;
  for (const UppasdCoupling& c : found) nearest = std::min(nearest, dot(c.bond.r, c.bond.r));
  EXPECT_NEAR(std::sqrt(nearest), a * std::sqrt(0.75), 1e-9);
}

TEST_F(UppasdFiles, SymmetriesGiveTheirOrbits) {
  const auto lattice = geometry("1 1 0 0 0\n");
  EXPECT_EQ(neighbours(couplings("1 1 1 2 3 1\n", lattice, "cubic"), 0), 48);
  EXPECT_EQ(neighbours(couplings("1 1 1 2 0 1\n", lattice, "square"), 0), 8);
  EXPECT_EQ(neighbours(couplings("1 1 1 0 0 1\n", lattice, "square"), 0), 4);
  EXPECT_EQ(neighbours(couplings("1 1 1 0 0 1\n1 1 -1 0 0 1\n", lattice, "none"), 0), 2);
  // The symmetry `square` keeps z. Therefore the sides of a layer above and below need separate
  // rows.
  EXPECT_EQ(neighbours(couplings("1 1 1 1 1 1\n1 1 1 1 -1 1\n", lattice, "square"), 0), 8);
}

TEST_F(UppasdFiles, HexagonalSymmetryCompletesTriangularShells) {
  const Cell hexagonal{{{1, 0, 0}, {-.5, std::sqrt(3.0) / 2, 0}, {0, 0, 2}}};
  const auto lattice = geometry("1 1 0 0 0\n", hexagonal);
  EXPECT_EQ(neighbours(couplings("1 1 1 0 0 1\n", lattice, "hexagonal"), 0), 6);
  EXPECT_EQ(neighbours(couplings("1 1 0.0 1.732 0 1\n", lattice, "hexagonal"), 0), 6);
  EXPECT_EQ(neighbours(couplings("1 1 2.5 0.866 2 1\n", lattice, "hexagonal"), 0), 24);
}

TEST_F(UppasdFiles, DirectionsAreInTheOrderOfTheSites) {
  const auto e =
      read_uppasd_directions(file("momfile", "2 1 2.2 0.0 0.6 -0.8\n1 1 2.2 0 0 1\n"), 2);
  ASSERT_EQ(e.size(), 2U);
  EXPECT_EQ(e[0], (Vec3<double>{0, 0, 1}));
  EXPECT_EQ(e[1], (Vec3<double>{0, 0.6, -0.8}));
}

TEST_F(UppasdFiles, MaptypeTwoTakesCellsOfTheNeighbour) {
  const auto lattice = geometry("1 1 0 0 0\n2 2 0.5 0.5 0.5\n");
  const auto found = couplings("1 2 0 0 0 0.5\n2 1 0 0 0 0.5\n1 2 -1 0.0 0 0.25\n2 1 1 0 0 0.25\n",
                               lattice, "none", 1, 2);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].bond.offset, (std::array{0, 0, 0}));
  EXPECT_EQ(found[1].bond.offset, (std::array{-1, 0, 0}));
  EXPECT_DOUBLE_EQ(found[1].bond.r.x, -0.5);
  EXPECT_DOUBLE_EQ(found[1].J_mRy, 0.5);
  EXPECT_TRUE(contains(refusal("1 1 0.5 0 0 1\n", bcc_posfile, "none", 2), "jfile:1:5: "));
}

TEST_F(UppasdFiles, ColumnsAreSitesAndRowsHoldForTypes) {
  // Sites 1 and 2 are of type 1, so a row for site 2 holds for both. Site 3 is of another type, and
  // its row is separate.
  const std::string posfile = "1 1 0 0 0\n2 1 .5 .5 0\n3 2 .5 0 .5\n";
  const auto lattice = geometry(posfile);
  const auto found = couplings("2 2 1 0 0 2\n3 3 1 0 0 3\n", lattice, "cubic");
  EXPECT_EQ(found.size(), 9U);
  std::multiset<double> values;
  for (const UppasdCoupling& c : found) values.insert(c.J_mRy);
  EXPECT_EQ(values.count(4), 6U);
  EXPECT_EQ(values.count(6), 3U);
}

TEST_F(UppasdFiles, ImagesThatMeetAnotherTypeCoupleNothing) {
  // In tetragonal order, the neighbour along z of an atom of type 1 is of type 2.
  const Cell cell{{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}}};
  const auto lattice = geometry("1 1 0 0 0\n2 2 0 0 1\n", cell);
  EXPECT_EQ(couplings("1 1 1 0 0 1\n", lattice, "cubic").size(), 2U);
}

TEST_F(UppasdFiles, RowsOfOneTypeMayAgreeTwice) {
  const Cell cell{{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}}};
  const auto lattice = geometry("1 1 0 0 0\n2 1 0 0 1\n", cell);
  EXPECT_EQ(neighbours(couplings("1 2 0 0 1 -.5\n2 1 0 0 1 -.5\n", lattice, "cubic"), 0), 6);
}

TEST_F(UppasdFiles, BondsBeyondAnOpenLatticeCoupleNothing) {
  const auto lattice = geometry("1 1 0 0 0\n", cubic, 1, false);
  EXPECT_EQ(couplings("1 1 9 0 0 1\n1 1 10 0 0 1\n", lattice, "cubic").size(), 3U);
  const auto nothing = [&] { couplings("1 1 10 0 0 1\n", lattice, "cubic"); };
  EXPECT_TRUE(contains(refusal_of(nothing), "couples no two sites"));
}

TEST_F(UppasdFiles, CommentsBlankLinesAndFortranNumbersAreRead) {
  const auto found = couplings("# from a calculation\r\n\r\n 1 1 +1.0 0. .0 1.5d-1 1.000 far\r\n",
                               geometry("1 1 0 0 0\n"), "cubic");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_DOUBLE_EQ(found[0].J_mRy, 0.3);
}

TEST_F(UppasdFiles, MalformedRowsAreRefusedWhereTheyAre) {
  EXPECT_TRUE(contains(refusal("1 1 .5 .5 .5 1\n1 1 1.0 0.0\n"), "jfile:2:12: "));
  EXPECT_TRUE(contains(refusal("1 1 .5 abc .5 1\n"), "jfile:1:8: error: y is \"abc\""));
  EXPECT_TRUE(contains(refusal("1 1 .5 .5 .5 NaN\n"), "jfile:1:14: error: J is \"NaN\""));
  EXPECT_TRUE(contains(refusal("1 1 .5 .5 .5 1e999\n"), "not a finite number"));
  EXPECT_TRUE(contains(refusal("1 1.5 .5 .5 .5 1\n"), "jfile:1:3: "));
  EXPECT_TRUE(contains(refusal("1 3 .5 .5 .5 1\n"), "jfile:1:3: error: there is no site 3"));
  EXPECT_TRUE(contains(refusal("0 1 .5 .5 .5 1\n"), "there is no site 0"));
  EXPECT_TRUE(contains(refusal("1 1 0 0 0 1\n"), "couples an atom with itself"));
  EXPECT_TRUE(contains(refusal("1 1 1e9 0 0 1\n"), "a million cells"));
  EXPECT_TRUE(contains(refusal(""), "couples no two sites"));
}

TEST_F(UppasdFiles, VectorsToNowhereAreRefused) {
  EXPECT_TRUE(
      contains(refusal("1 1 .5 .5 .4 1\n"), "jfile:1:5: error: the vector does not lead from"));
  EXPECT_TRUE(contains(refusal("1 1 .5 .5 .5 1\n", "1 1 0 0 0\n2 2 .5 .5 .5\n", "cubic"),
                       "the vector does not lead from an atom of the type of site 1"));
  EXPECT_TRUE(contains(refusal("1 1 10 0 0 1\n", "1 1 0 0 0\n", "cubic"), "jfile:1:5: "));
}

TEST_F(UppasdFiles, ContradictingRowsAreRefusedNamingBoth) {
  EXPECT_TRUE(contains(refusal("1 1 1 0 0 1\n1 1 1.0 0.0 0.0 1\n"),
                       "jfile:2:5: error: the row gives the vector of line 1 again"));
  EXPECT_TRUE(contains(
      refusal("1 1 1 0 0 1\n1 1 0 1 0 1\n", bcc_posfile, "cubic"),
      "jfile:2:5: error: the symmetry already makes this vector from the vector of line 1"));
  EXPECT_TRUE(contains(refusal("1 2 .5 .5 .5 1\n2 1 .5 .5 .5 2\n", bcc_posfile, "cubic"),
                       "jfile:2:5: error: the row contradicts line 1"));
  const std::string ways = refusal("1 1 1 0 0 1\n1 1 -1 0 0 2\n");
  EXPECT_TRUE(contains(ways, "jfile:1:5: "));
  EXPECT_TRUE(contains(ways, "line 2"));
  EXPECT_EQ(refusal("1 1 1 0 0 1.000000\n1 1 -1 0 0 1.000001\n"), "accepted");
}

TEST_F(UppasdFiles, OneDirectionAloneIsRefused) {
  const std::string lonely = refusal("1 1 1 0 0 1\n");
  EXPECT_TRUE(contains(lonely, "jfile:1:5: error: the file has no row for the reverse bond"));
  EXPECT_TRUE(contains(lonely, "symmetry"));
  // A symmetry completes vectors, but not types.
  const std::string two_types = "1 1 0 0 0\n2 2 .5 .5 .5\n";
  EXPECT_TRUE(contains(refusal("1 2 .5 .5 .5 1\n", two_types, "cubic"), "reverse bond"));
  EXPECT_EQ(refusal("1 2 .5 .5 .5 1\n2 1 .5 .5 .5 1\n", two_types, "cubic"), "accepted");
}

TEST_F(UppasdFiles, UnknownChoicesAndPlainPositionsAreRefused) {
  EXPECT_TRUE(contains(refusal(bcc_jfile, bcc_posfile, "cubical"), "cubic, square"));
  EXPECT_TRUE(contains(refusal(bcc_jfile, bcc_posfile, "cubic", 3), "maptype 3"));
  EXPECT_THROW(read_jfile("/nowhere/jfile", geometry(bcc_posfile), "none", 1), InputError);
  lattice::Geometry plain = geometry(bcc_posfile);
  plain.plain_positions = true;
  EXPECT_THROW(couplings(bcc_jfile, plain, "cubic"), InputError);
}

TEST_F(UppasdFiles, BasisIsInFractionsInTheOrderOfItsNumbers) {
  const Cell cell{{{2, 0, 0}, {0, 1, 0}, {0, 0, 4}}};
  const auto atoms =
      basis("2 3 1.0 0.5 1.0 a comment\n1 1 0 0 0\n", "1 1 2.23 1 0 0 2.0\n2 1 0.5 0 0 1\n", cell);
  ASSERT_EQ(atoms.size(), 2U);
  EXPECT_EQ(atoms[0].species, "1");
  EXPECT_EQ(atoms[1].species, "3");
  EXPECT_DOUBLE_EQ(atoms[0].moment, 2.23);
  EXPECT_DOUBLE_EQ(atoms[1].moment, 0.5);
  EXPECT_DOUBLE_EQ(atoms[1].fractional.x, 0.5);
  EXPECT_DOUBLE_EQ(atoms[1].fractional.y, 0.5);
  EXPECT_DOUBLE_EQ(atoms[1].fractional.z, 0.25);
  EXPECT_DOUBLE_EQ(basis(bcc_posfile)[0].moment, 1);
}

TEST_F(UppasdFiles, MalformedBasesAreRefusedWhereTheyAre) {
  const auto said = [&](const std::string& posfile, const std::string& momfile = "") {
    return refusal_of([&] { basis(posfile, momfile); });
  };
  EXPECT_TRUE(contains(said("1 1 0 0\n"), "posfile:1:8: "));
  EXPECT_TRUE(contains(said("1 1 0 0 inf\n"), "posfile:1:9: error: z is \"inf\""));
  EXPECT_TRUE(contains(said("1 0 0 0 0\n"), "posfile:1:3: "));
  EXPECT_TRUE(contains(said("1 1 0 0 0\n1 1 .5 0 0\n"), "posfile:2:1: error: site 1 is already"));
  EXPECT_TRUE(contains(said("1 1 0 0 0\n3 1 .5 0 0\n"), "posfile:2:1: error: there is no site 3"));
  EXPECT_TRUE(contains(said("\n"), "lists no sites"));
  EXPECT_TRUE(
      contains(said(bcc_posfile, "1 1 2 0 0 1\n"), "momfile:2:1: error: site 2 is missing"));
  EXPECT_TRUE(contains(said("1 1 0 0 0\n", "1 1 -2 0 0 1\n"), "momfile:1:5: "));
  EXPECT_TRUE(contains(said("1 1 0 0 0\n", "1 2 2 0 0 1\n"), "momfile:1:3: "));
  EXPECT_TRUE(contains(said("1 1 0 0 0\n", "1 1 2 0 0\n"), "momfile:1:10: "));
  EXPECT_THROW(basis("1 1 0 0 0\n", "", {}), InputError);
}

}  // namespace
}  // namespace larmor::io
