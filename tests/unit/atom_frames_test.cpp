// Rooms: atoms, io
#include "larmor/io/structures/atom_frames.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "larmor/atoms/cell/elements.hpp"
#include "larmor/atoms/cell/units.hpp"
#include "larmor/core/error.hpp"
#include "larmor/io/files/text_rows.hpp"
#include "tests/expectations.hpp"

namespace larmor::io {
namespace {

using testing_support::expect_near;

/// Writes files into a folder that the end of the test removes.
class AtomFrames : public testing::Test {
 protected:
  AtomFrames() { std::filesystem::create_directories(folder_); }
  ~AtomFrames() override { std::filesystem::remove_all(folder_); }

  std::vector<AtomFrame> read(const std::string& name, const std::string& text,
                              const TypeNames& names = {}) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    StructureReader reader(path, names);
    std::vector<AtomFrame> frames;
    while (auto frame = reader.next()) frames.push_back(std::move(*frame));
    return frames;
  }
  AtomFrame read_one(const std::string& name, const std::string& text,
                     const TypeNames& names = {}) const {
    std::vector<AtomFrame> frames = read(name, text, names);
    EXPECT_EQ(frames.size(), 1U);
    return frames.at(0);
  }
  void expect_refused(const std::string& name, const std::string& text,
                      const std::string& words) const {
    try {
      read(name, text);
      ADD_FAILURE() << "accepted, without: " << words;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
  StructureFormat format(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return structure_format(path);
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("larmor-atoms-test-" + std::to_string(::getpid()));
};

std::string with_replaced(std::string text, const std::string& part, const std::string& other) {
  return text.replace(text.find(part), part.size(), other);
}

std::vector<std::string> names_of(const AtomFrame& frame) {
  std::vector<std::string> names;
  for (const std::int32_t kind : frame.atoms.types)
    names.push_back(frame.atoms.species[static_cast<std::size_t>(kind)]);
  return names;
}

constexpr const char* crystal = "1\nLattice=\"4 0 0 1 5 0 0 0 6\" pbc=\"T T F\"\nW 1 2 3\n";
constexpr const char* moving =
    "2\nname=\"a b\" Properties=id:I:1:species:S:1:pos:R:3:velo:R:3:mass:R:1:tag:I:2 flag\n"
    "7 W 0 0 0 1 2 3 183 8 9\n"
    "5 Be 1 1 1 -1 -2 -3 9 6 7\n";

TEST_F(AtomFrames, AllFramesOfExtendedXyzAreRead) {
  const std::vector<AtomFrame> frames =
      read("a.extxyz", std::string(crystal) + "\n" + moving + crystal);
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[0].atoms.box.periodic, (std::array{true, true, false}));
  EXPECT_EQ((*frames[0].atoms.cell)[1], (Vec3<double>{1, 5, 0}));
  EXPECT_TRUE(frames[0].atoms.has_volume());
  EXPECT_TRUE(frames[0].atoms.ids.empty() && frames[0].atoms.masses.empty());
  EXPECT_TRUE(frames[0].atoms.velocities.empty());
  const atoms::NamedStructure& second = frames[1].atoms;
  EXPECT_EQ(names_of(frames[1]), (std::vector<std::string>{"W", "Be"}));
  EXPECT_EQ(second.ids, (std::vector<Index>{7, 5}));
  EXPECT_EQ(second.masses, (std::vector<double>{183, 9}));
  EXPECT_EQ(second.velocities[1], (Vec3<double>{-1, -2, -3}));
  EXPECT_FALSE(second.cell || second.has_volume());
  EXPECT_EQ(second.box.periodic, (std::array{false, false, false}));
  EXPECT_EQ(frames[1].line, (std::vector<int>{7, 8}));
}

/// A momentum as ASE writes it, in sqrt(amu eV). 1 amu (Angstrom/ps)^2 is 1.0364e-4 eV.
std::string momentum_text(double mass, const Vec3<double>& velocity) {
  std::string text;
  append_vector(text, (mass * std::sqrt(atoms::AtomUnits::material().mass)) * velocity);
  return text;
}

TEST_F(AtomFrames, VelocitiesFollowFromMomenta) {
  const std::string header = "2\nProperties=species:S:1:pos:R:3:momenta:R:3\n";
  const std::string text =
      header + "W 0 0 0 " + momentum_text(183.84, {1, 2, 3}) + "\nBe 1 1 1 0 0 0\n";
  const AtomFrame frame = read_one("a.extxyz", text);
  EXPECT_NEAR(length(frame.atoms.velocities[0] - Vec3<double>{1, 2, 3}), 0, 1e-12);
  EXPECT_EQ(frame.atoms.velocities[1], (Vec3<double>{0, 0, 0}));
  // If the mass is unknown, momenta are an ordinary column.
  const AtomFrame unknown = read_one("a.extxyz", with_replaced(text, "Be", "Q"));
  EXPECT_TRUE(unknown.atoms.velocities.empty());
  EXPECT_EQ(unknown.further_columns, "momenta:R:3:");
  const std::string masses = with_replaced(
      with_replaced(with_replaced(text, "pos", "masses:R:1:pos"), "W 0", "W 91.92 0"), "Be", "Q 1");
  EXPECT_NEAR(length(read_one("a.extxyz", masses).atoms.velocities[0] - Vec3<double>{2, 4, 6}), 0,
              1e-12);
  const std::string both =
      "1\nProperties=species:S:1:pos:R:3:velocities:R:3:momenta:R:3\nW 0 0 0 1 2 3 ";
  EXPECT_EQ(read_one("a.extxyz", both + momentum_text(183.8, {1, 2, 3}) + "\n").atoms.velocities[0],
            (Vec3<double>{1, 2, 3}));
  expect_refused("a.extxyz", both + momentum_text(183.84, {1, 2, 3.1}) + "\n",
                 "a.extxyz:3: error: the velocity and the momentum of the atom disagree");
  expect_refused("a.extxyz", with_replaced(both + "1 x 2\n", "W", "Be"), "the momentum along y");
}

TEST_F(AtomFrames, FramesAreWrittenWithWhatTheyHadAndMore) {
  const AtomFrame frame = read_one("a.extxyz", moving);
  const std::vector<double> charge{0.5, -1}, dipole{1, 2, 3, 4, 5, 6};
  const std::string text = extxyz_text(
      frame, " energy=-3", {{"charge", 1, charge.data()}, {"dipole", 3, dipole.data()}});
  EXPECT_EQ(
      text,
      "2\nProperties=species:S:1:pos:R:3:id:I:1:masses:R:1:velocities:R:3:momenta:R:3:tag:I:2:"
      "charge:R:1:dipole:R:3 pbc=\"F F F\" energy=-3 name=\"a b\"\n"
      "W 0 0 0 7 183 1 2 3 " +
          momentum_text(183, {1, 2, 3}) +
          " 8 9 0.5 1 2 3\n"
          "Be 1 1 1 5 9 -1 -2 -3 " +
          momentum_text(9, {-1, -2, -3}) + " 6 7 -1 4 5 6\n");
  const AtomFrame back = read_one("b.extxyz", text);
  EXPECT_EQ(back.atoms.velocities, frame.atoms.velocities);
  // The frame already has momenta, which the writer copies unchanged.
  EXPECT_EQ(back.further_values[1], momentum_text(9, {-1, -2, -3}) + " 6 7 -1 4 5 6");
  EXPECT_EQ(extxyz_text(back, "", {}).find("momenta"), extxyz_text(back, "", {}).rfind("momenta"));
  EXPECT_EQ(extxyz_text(read_one("c.extxyz", crystal), "", {}),
            "1\nLattice=\"4 0 0 1 5 0 0 0 6\" Properties=species:S:1:pos:R:3 pbc=\"T T F\"\n"
            "W 1 2 3\n");
}

TEST_F(AtomFrames, KeysOfNoUseAreWrittenAgainAsTheyStand) {
  const AtomFrame frame = read_one("a.extxyz", "1\nstep=1 name=\"a b\" step = x\nW 0 0 0\n");
  EXPECT_EQ(frame.further_keys, " name=\"a b\" step=1 step = x");
  EXPECT_EQ(read_one("a.extxyz", "1\n=== 3 ===\nW 0 0 0\n").further_keys, "");
}

TEST_F(AtomFrames, ResultsOfBeforeAreLeftOut) {
  const AtomFrame frame = read_one(
      "a.extxyz",
      "1\nenergy=1 free_energy=2 virial=\"1 0 0 0 1 0 0 0 1\" stress=\"1 0 0 0 1 0 0 0 1\" x=3 "
      "Properties=species:S:1:pos:R:3:forces:R:3:energies:R:1:bispectrum:R:2:q:R:1\n"
      "W 0 0 0 1 2 3 4 5 6 7\n");
  EXPECT_EQ(frame.further_keys, " x=3");
  EXPECT_EQ(frame.further_columns, "q:R:1:");
  EXPECT_EQ(frame.further_values, (std::vector<std::string>{"7"}));
}

TEST_F(AtomFrames, OpenDirectionsMayLackVectors) {
  const std::string keys = "Lattice=\"0 3 0 0 0 0 4 0 0\" pbc=\"T F T\"";
  const AtomFrame slab = read_one("a.extxyz", "1\n" + keys + "\nW 0 0 0\n");
  EXPECT_FALSE(slab.atoms.has_volume());
  expect_near(slab.atoms.box.vectors[0], {0, 3, 0});
  EXPECT_NEAR(std::abs(slab.atoms.box.vectors[1].z), 1, 1e-12);
  const AtomFrame wire =
      read_one("b.extxyz", "1\nLattice=\"0 0 0 0 0 0 1 1 1\" pbc=\"F F T\"\nW 0 0 0\n");
  EXPECT_GT(wire.atoms.box.volume(), 0.9);
  expect_refused("c.extxyz", "1\n" + with_replaced(keys, "T F T", "T T T") + "\nW 0 0 0\n",
                 "c.extxyz:2:9: error: the vectors of the cell lie in a plane or vanish");
}

TEST_F(AtomFrames, MalformedFramesAreRefused) {
  expect_refused("a.extxyz", std::string(crystal) + "2\n\nW 0 0 0\n", "after 1 of 2 atoms");
  expect_refused("a.extxyz", std::string(crystal) + "two\n", "a.extxyz:4:1: ");
  expect_refused("a.extxyz", with_replaced(moving, " 183 ", " -183 "),
                 "a.extxyz:3:17: error: the mass is");
  expect_refused("a.extxyz", with_replaced(moving, "7 W", "7.5 W"),
                 "a.extxyz:3:1: error: the id is");
  expect_refused("a.extxyz", with_replaced(moving, "3 183", "inf 183"), "not a finite number");
  expect_refused("a.extxyz", with_replaced(moving, " 8 9", " 8"), "10 of 11 columns");
  expect_refused("a.extxyz", with_replaced(moving, "pos:R:3", "pos:R:3x"), "is not a list");
  expect_refused("a.extxyz", with_replaced(moving, "pos:R:3", "pos:R:3:pos:R:3"),
                 "the column pos twice");
  expect_refused("a.extxyz", with_replaced(moving, "7 W", "5 W"),
                 "a.extxyz:4: error: the atom 5 is given twice, first in line 3");
}

constexpr const char* data =
    "a crystal\n\n3 atoms\n2 atom types\n0 bonds\n\n-1 3 xlo xhi\n0 5 ylo yhi # edges\n0 6 zlo "
    "zhi\n"
    "0.5 0 -1 xy xz yz\n\nMasses\n\n1 183.84\n2 9.01 # Be\n\nPair Coeffs # zero\n\n1 0 0\n2 0 0\n\n"
    "Atoms # atomic\n\n9 1 0 0 0 0 0 0\n2 2 1 1 1 1 -1 0\n5 1 2 2 2 0 0 2\n\n"
    "Velocities\n\n2 0 0 0\n9 1 2 3\n5 4 5 6\n";

TEST_F(AtomFrames, DataFilesOfLammpsAreRead) {
  const AtomFrame frame = read_one("a.data", data);
  const atoms::NamedStructure& atoms = frame.atoms;
  EXPECT_EQ(atoms.cell, (std::array<Vec3<double>, 3>{{{4, 0, 0}, {0.5, 5, 0}, {0, -1, 6}}}));
  EXPECT_EQ(atoms.box.periodic, (std::array{true, true, true}));
  EXPECT_EQ(atoms.ids, (std::vector<Index>{2, 5, 9}));
  EXPECT_EQ(names_of(frame), (std::vector<std::string>{"Be", "W", "W"}));
  EXPECT_EQ(atoms.masses, (std::vector<double>{9.01, 183.84, 183.84}));
  expect_near(atoms.positions[0], {1 + 4 - 0.5, 1 - 5, 1});
  expect_near(atoms.positions[1], {2, 2 - 2, 2 + 12});
  EXPECT_EQ(atoms.velocities[2], (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(frame.line, (std::vector<int>{25, 26, 24}));
}

/// The text `data` with another atom style, which has other lines of atoms. `style` follows the
/// heading.
std::string styled(const std::string& style, const std::string& atoms) {
  return with_replaced(data,
                       "Atoms # atomic\n\n9 1 0 0 0 0 0 0\n2 2 1 1 1 1 -1 0\n5 1 2 2 2 0 0 2\n",
                       "Atoms" + style + "\n\n" + atoms);
}

constexpr const char* charged = "9 1 -0.5 0 0 0 0 0 0\n2 2 1.5 1 1 1 1 -1 0\n5 1 1 2 2 2 0 0 2\n";
constexpr const char* bonded = "9 0 1 1 0 0 0 0 0 0\n2 0 2 0 1 1 1 1 -1 0\n5 7 1 2 2 2 2 0 0 2\n";

TEST_F(AtomFrames, StylesOfLammpsDifferInTheirColumns) {
  const AtomFrame atomic = read_one("a.data", data);
  for (const std::string& text :
       {styled(" # charge", charged), styled(" # full", bonded), styled("", charged),
        styled("", bonded), styled("", "9 1 0 0 0 0 0 0\n2 2 1 1 1 1 -1 0\n5 1 2 2 2 0 0 2\n")}) {
    const AtomFrame frame = read_one("a.data", text);
    EXPECT_EQ(frame.atoms.positions, atomic.atoms.positions) << text;
    EXPECT_EQ(frame.atoms.types, atomic.atoms.types);
    EXPECT_EQ(frame.atoms.ids, atomic.atoms.ids);
    EXPECT_EQ(frame.atoms.velocities, atomic.atoms.velocities);
  }
  const std::string typed =
      with_replaced(styled("", "9 1 1 0.5 0 0 0\n2 1 2 0 1 1 1\n5 1 1 0 2 2 2\n"), "0 bonds",
                    "0 bonds\n1 bond types");
  EXPECT_EQ(names_of(read_one("a.data", typed)), (std::vector<std::string>{"Be", "W", "W"}));
}

TEST_F(AtomFrames, StylesOfLammpsThatLookAlikeMustBeNamed) {
  const auto refused = [&](const std::string& atoms, const std::string& words) {
    expect_refused("a.data", styled("", atoms), words);
  };
  refused("9 1 1 0 0 0\n",
          "a.data:24:1: error: the line has 6 columns, as in several atom "
          "styles");
  refused("9 1 1 0 0 0\n", "Atoms # charge");
  refused("9 1 1 0.5 0 0 0\n", "Atoms # full");
  refused("9 1 1 0.5\n", "a.data:24:10: error: the line has 4 columns");
  expect_refused("a.data", styled(" # sphere", bonded), "the atoms are of style sphere");
  expect_refused("a.data", styled(" # charge", "9 1 x 0 0 0\n"), "the charge is \"x\"");
  expect_refused("a.data", styled(" # full", "9 a 1 0 0 0 0\n"), "the molecule is \"a\"");
  expect_refused("a.data", styled(" # full", "9 1 1 0 0 0\n"), "6 of 7 columns");
  expect_refused("a.data", with_replaced(data, "0 bonds", "2 bonds"),
                 "no potential here has bonds");
  expect_refused("a.data", std::string(data) + "\nBonds\n\n1 1 2 5\n",
                 "the section 'Bonds' is not read here");
}

TEST_F(AtomFrames, TypesOfLammpsHaveNames) {
  const std::string labels =
      with_replaced(data, "Masses", "Atom Type Labels\n\n1 Ta\n2 X\n\nMasses");
  EXPECT_EQ(names_of(read_one("a.data", labels)), (std::vector<std::string>{"X", "Ta", "Ta"}));
  EXPECT_EQ(names_of(read_one("a.data", with_replaced(labels, "9 1 0 0", "9 X 0 0"))),
            (std::vector<std::string>{"X", "Ta", "X"}));
  EXPECT_EQ(names_of(read_one("a.data", labels, {{"Ni", "Mo"}, {}})),
            (std::vector<std::string>{"Mo", "Ni", "Ni"}));
  const std::string unknown = with_replaced(data, "1 183.84", "1 1000");
  EXPECT_EQ(names_of(read_one("a.data", unknown, {{}, {"Cu", "Ag"}})),
            (std::vector<std::string>{"Be", "Cu", "Cu"}));
  expect_refused("a.data", unknown, "a.data:26: error: the file does not say which element type 1");
}

TEST_F(AtomFrames, VectorsOfGeneralBoxesAreRead) {
  const std::string vectors =
      with_replaced(with_replaced(data, "-1 3 xlo xhi\n0 5 ylo yhi # edges\n0 6 zlo zhi\n",
                                  "0 4 0 avec\n5 0 0 bvec\n"),
                    "0.5 0 -1 xy xz yz", "0 1 6 cvec\n0 0 0 abc origin");
  EXPECT_EQ(read_one("a.data", vectors).atoms.cell,
            (std::array<Vec3<double>, 3>{{{0, 4, 0}, {5, 0, 0}, {0, 1, 6}}}));
}

TEST_F(AtomFrames, MalformedDataFilesAreRefused) {
  const auto refused = [&](const std::string& part, const std::string& other,
                           const std::string& words) {
    expect_refused("a.data", with_replaced(data, part, other), words);
  };
  refused("a crystal", "units = real", "a.data:1:9: error: the units are real");
  refused("3 atoms", "4 atoms", "the file has 3 atoms, and its header says 4");
  refused("0.5 0 -1 xy", "0.5 0 xy", "a.data:10:1: error: the line gives 2 of 3 tilts");
  refused("0.5 0 -1 xy", "0.5 \" 0 xy", "a.data:10:1: error: the line gives 2 of 3 tilts");
  refused("2 atom types", "4294967298 atom types", "a.data:4:1: error: the number of atom types");
  refused("0 bonds", "3 bonds", "a.data:5:1: error: this line of the header is not read");
  refused("-1 3 xlo", "3 -1 xlo", "a.data:7:1: error: the box has no extent along x");
  refused("0 6 zlo zhi\n", "", "does not give the box");
  refused("1 183.84\n", "", "1 masses for 2 atom types");
  refused("Masses", "Atom Type Labels\n\n1 Ta\n5 X\n\nMasses", "there is no type 5");
  refused("Masses", "Atom Type Labels\n\n1 Ta\n1 X\n\nMasses", "the type 1 has two labels");
  refused("1 183.84\n", "1 183.84\n1 9\n", "the type 1 has two masses");
  refused("Pair Coeffs", "Bonds", "the section 'Bonds' is not read");
  refused("# atomic", "# dipole", "the atoms are of style dipole");
  refused("2 2 1 1 1 1 -1 0", "2 3 1 1 1 1 -1 0", "a.data:25:3: error: there is no type 3");
  refused("2 2 1 1 1 1 -1 0", "9 2 1 1 1 1 -1 0", "the atom 9 is given twice");
  refused("2 2 1 1 1 1 -1 0", "2 2 0.5 1 1 1", "the line has 6 columns");
  refused("2 2 1 1 1 1 -1 0", "2 2 1 nan 1", "y is \"nan\"");
  refused("2 0 0 0\n", "", "velocities of only 2 of 3 atoms");
  refused("2 0 0 0\n", "4 0 0 0\n", "there is no atom 4");
  refused("2 0 0 0\n", "9 0 0 0\n", "the atom 9 has two velocities");
}

constexpr const char* poscar =
    "W and Be\n-480\n2 0 0\n0 3 0\n1 0 10\nW_sv Be/1a2b W\n1 2 1\nDirect\n"
    "0 0 0\n0.5 0.5 0.5 T F T\n0.25 0 0\n0 0 1.5\n\n"
    "0.001 0 0\n0 0.002 0\n0 0 0\n0 0 -1\n\n1\n0.5\n";

TEST_F(AtomFrames, PoscarFilesAreRead) {
  const AtomFrame frame = read_one("POSCAR", poscar);
  const atoms::NamedStructure& atoms = frame.atoms;
  EXPECT_NEAR(atoms.box.volume(), 480, 1e-9);
  expect_near(atoms.box.vectors[2], {2, 0, 20});
  EXPECT_EQ(names_of(frame), (std::vector<std::string>{"W", "Be", "Be", "W"}));
  expect_near(atoms.positions[1], {3, 3, 10});
  expect_near(atoms.positions[3], {3, 0, 30});
  expect_near(atoms.velocities[0], {1, 0, 0});
  expect_near(atoms.velocities[3], {0, 0, -1000});
  const AtomFrame cartesian =
      read_one("CONTCAR", "c\n2 3 4\n1 0 0\n0 1 0\n0 0 1\nW\n1\nkart\n1 1 1");
  expect_near(cartesian.atoms.box.vectors[1], {0, 3, 0});
  expect_near(cartesian.atoms.positions[0], {2, 3, 4});
  EXPECT_TRUE(cartesian.atoms.velocities.empty());
}

TEST_F(AtomFrames, MalformedPoscarFilesAreRefused) {
  const auto refused = [&](const std::string& part, const std::string& other,
                           const std::string& words) {
    expect_refused("POSCAR", with_replaced(poscar, part, other), words);
  };
  refused("-480", "0", "POSCAR:2:1: error: the scale is 0");
  refused("1 0 10", "1 0 0", "POSCAR:3:1: error: the vectors of the cell lie in a plane");
  refused("W_sv Be/1a2b W\n", "", "POSCAR:6:1: error: the names of the elements are missing");
  refused("1 2 1", "1 2", "2 of 3 columns");
  refused("1 2 1", "1 -2 1", "POSCAR:7:3: error: the number of atoms is -2");
  refused("0 0 1.5\n", "0 nan 1.5\n", "POSCAR:12:3: error: y is \"nan\"");
  refused("\n\n0.001", "\nDirect\n0.001", "the velocities are Direct");
  expect_refused("POSCAR", "a\n1\n1 0 0\n0 1 0\n0 0 1\nW\n2\nD\n0 0 0\n",
                 "the file ends where the position of atom 2 of 2 should stand");
}

constexpr const char* dump =
    "ITEM: UNITS\nmetal\nITEM: TIMESTEP\n10\nITEM: NUMBER OF ATOMS\n3\n"
    "ITEM: BOX BOUNDS pp pp ff\n-1 3\n0 5\n0 6\n"
    "ITEM: ATOMS id type x y z ix iy iz vx vy vz q element\n"
    "9 1 1 2 3 0 0 0 7 8 9 0.1 W\n"
    "2 2 0 1 2 1 -1 0 1 2 3 0.2 Be\n"
    "4 1 2.5 0 0 0 0 0 4 5 6 0.3 W\n"
    "\nITEM: TIMESTEP\n20\nITEM: TIME\n0.02\nITEM: NUMBER OF ATOMS\n1\n"
    "ITEM: BOX BOUNDS xy xz yz pp pp pp\n-0.5 6.5 1\n0 4 -0.5\n1 7 -1\n"
    "ITEM: ATOMS type xs ys zs mass\n1 0.5 0 1 183.84\n";

TEST_F(AtomFrames, AllFramesOfDumpFilesAreRead) {
  const std::vector<AtomFrame> frames = read("a.dump", dump);
  ASSERT_EQ(frames.size(), 2U);
  const atoms::NamedStructure& first = frames[0].atoms;
  EXPECT_EQ(first.ids, (std::vector<Index>{2, 4, 9}));
  EXPECT_EQ(names_of(frames[0]), (std::vector<std::string>{"Be", "W", "W"}));
  EXPECT_EQ(first.cell, (std::array<Vec3<double>, 3>{{{4, 0, 0}, {0, 5, 0}, {0, 0, 6}}}));
  EXPECT_EQ(first.box.periodic, (std::array{true, true, false}));
  EXPECT_EQ(first.positions[0], (Vec3<double>{4, -4, 2}));
  EXPECT_EQ(first.velocities[2], (Vec3<double>{7, 8, 9}));
  EXPECT_EQ(frames[0].line, (std::vector<int>{13, 14, 12}));
  EXPECT_TRUE(first.masses.empty());
  // xlo is -0.5 - min(0, 1, -0.5, 0.5), and xhi is 6.5 - max(0, 1, -0.5, 0.5). ylo is 0 - min(0,
  // -1).
  const atoms::NamedStructure& second = frames[1].atoms;
  expect_near(second.box.vectors[0], {5.5, 0, 0});
  expect_near(second.box.vectors[1], {1, 3, 0});
  expect_near(second.box.vectors[2], {-0.5, -1, 6});
  expect_near(second.positions[0], {2.75 - 0.5, 1 - 1, 1 + 6});
  EXPECT_EQ(names_of(frames[1]), (std::vector<std::string>{"W"}));
  EXPECT_TRUE(second.ids.empty() && second.velocities.empty());
  EXPECT_EQ(names_of(read("a.dump", dump, {{"Ta", "Re"}, {}})[0]),
            (std::vector<std::string>{"Re", "Ta", "Ta"}));
}

TEST_F(AtomFrames, PositionsOfDumpFilesMayBeUnwrappedOrInAGeneralBox) {
  const std::string one =
      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS abc origin pp pp pp\n"
      "0 4 0 1\n5 0 0 2\n0 1 -6 3\nITEM: ATOMS element ix iy iz xu yu zu\nW 1 1 1 9 8 7\n";
  const AtomFrame unwrapped = read_one("a.dump", one);
  EXPECT_EQ(unwrapped.atoms.cell,
            (std::array<Vec3<double>, 3>{{{0, 4, 0}, {5, 0, 0}, {0, 1, -6}}}));
  EXPECT_EQ(unwrapped.atoms.positions[0], (Vec3<double>{9, 8, 7}));
  const std::string scaled =
      with_replaced(with_replaced(one, "xu yu zu", "xsu ysu zsu"), "9 8 7", "0.5 2 0");
  EXPECT_EQ(read_one("a.dump", scaled).atoms.positions[0], (Vec3<double>{11, 4, 3}));
}

TEST_F(AtomFrames, MalformedDumpFilesAreRefused) {
  const auto refused = [&](const std::string& part, const std::string& other,
                           const std::string& words) {
    expect_refused("a.dump", with_replaced(dump, part, other), words);
  };
  refused("metal", "lj", "a.dump:2:1: error: the units are lj");
  refused("ATOMS\n3", "ATOMS\n0", "a.dump:6:1: error: the number of atoms is 0");
  refused("ATOMS\n3", "ATOMS\n4", "a.dump:15:1: error: the line has 0 columns");
  refused("ATOMS\n3", "ATOMS\n2", "a.dump:14:1: error: '4' stands where an item should begin");
  refused("-1 3\n", "3 -1\n", "a.dump:8:1: error: the box has no extent along x");
  refused("-1 3\n", "-1 inf\n", "a.dump:8:4: error: the bound is \"inf\"");
  refused("0 5\n", "0\n", "1 of 2 columns");
  refused("x y z ix", "x y zz ix", "a.dump:11:13: error: the column z is missing");
  refused("x y z ix", "a b c ix", "there are no positions among the columns");
  refused("q element", "q q", "a.dump:11:47: error: the column q is given twice");
  refused("type xs", "kind xs", "the columns give neither the type nor the element");
  refused("9 1 1 2 3", "2 1 1 2 3", "the atom 2 is given twice");
  refused("9 1 1 2 3", "9 1 nan 2 3", "a.dump:12:5: error: the x of the position is \"nan\"");
  refused("9 1 1 2 3", "9 1 1e300 2 3", "a.dump:12:5: error: x is 1e300, too far away");
  refused("9 1 1 2 3", "9 0 1 2 3", "a.dump:12:3: error: the type is 0");
  refused("183.84", "-1", "a.dump:27:11: error: the mass is -1");
  refused("183.84", "50.123", "the file does not say which element type 1 is");
  refused("ITEM: TIME\n", "ITEM: TIMESTEP\n", "the frame before has no atoms");
  refused("TIMESTEP\n10", "TIMESTEP\n", "a.dump:4:1: error: the line is blank where the step");
  refused("TIME\n0.02", "TIME\n ", "a.dump:19:2: error: the line is blank where the time");
  refused("ATOMS\n3", "ATOMS\n", "a.dump:6:1: error: the line is blank where the number of atoms");
  refused("ITEM: TIME\n", "ITEM: ENTRIES\n", "is not an item that is read here");
  refused("ITEM: BOX BOUNDS pp pp ff\n-1 3\n0 5\n0 6\n", "", "the frame does not give its box");
  const std::string text = dump;
  expect_refused("a.dump", text.substr(0, text.find("1 0.5 0 1")),
                 "the file ends where atom 1 of 1 should stand");
  expect_refused("a.dump", text.substr(0, text.find("ITEM: ATOMS type")),
                 "the file ends before the atoms of a frame");
  expect_refused("a.dump", "\n", "there is no frame in");
}

/// Atoms with all properties, in an oblique box.
AtomFrame leaning() {
  AtomFrame frame;
  atoms::NamedStructure& atoms = frame.atoms;
  atoms.cell = {{{4.1, 0, 0}, {-0.7, 5.3, 0}, {0.3, 1.1, 6.7}}};
  atoms.box = {*atoms.cell, {true, true, true}};
  atoms.positions = {{0.1, 0.2, 0.3}, {7.7, -1.3, 2.2}, {1.0 / 3, 2, 9}};
  atoms.types = {0, 1, 0};
  atoms.species = {"W", "Be"};
  atoms.ids = {3, 5, 8};
  atoms.masses = {180.1, 9.25, 180.1};
  atoms.velocities = {{1, 2, 3}, {-0.1, 0, 1.0 / 7}, {4, 5, 6}};
  return frame;
}

TEST_F(AtomFrames, WhatIsWrittenReadsBackInEveryFormat) {
  std::vector<AtomFrame> frames(3, leaning());
  frames[1].atoms.cell = {{{4, 0, 0}, {0, 5.5, 0}, {0, 0, 6}}};
  frames[2].atoms.cell = {{{0, 4, 0.1}, {0, 0, 5.5}, {6, 0, 1}}};
  for (AtomFrame& frame : frames) frame.atoms.box.vectors = *frame.atoms.cell;
  for (const AtomFrame& frame : frames)
    for (const auto& [name, format] : {std::pair("b.extxyz", StructureFormat::extxyz),
                                       {"b.data", StructureFormat::lammps_data},
                                       {"b.dump", StructureFormat::lammps_dump},
                                       {"b.poscar", StructureFormat::poscar}}) {
      SCOPED_TRACE(name);
      const AtomFrame back = read_one(name, structure_text(format, frame, 12));
      const atoms::NamedStructure &a = frame.atoms, &b = back.atoms;
      const bool by_species = format == StructureFormat::poscar;
      const std::array<std::size_t, 3> order =
          by_species ? std::array<std::size_t, 3>{0, 2, 1} : std::array<std::size_t, 3>{0, 1, 2};
      for (std::size_t d = 0; d < 3; ++d) expect_near(a.box.vectors[d], b.box.vectors[d]);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(a.positions[order[i]], b.positions[i]);
        EXPECT_EQ(names_of(frame)[order[i]], names_of(back)[i]);
        expect_near(a.velocities[order[i]], b.velocities[i]);
      }
      if (by_species) continue;
      EXPECT_EQ(a.ids, b.ids);
      EXPECT_EQ(a.masses, b.masses);
      EXPECT_EQ(a.velocities, b.velocities);
    }
}

TEST_F(AtomFrames, FramesOfDumpFilesFollowOneAnotherAsTheyWereWritten) {
  AtomFrame open = leaning();
  open.atoms.cell = {{{4, 0, 0}, {0, 5, 0}, {0, 0, 6}}};
  open.atoms.box = {*open.atoms.cell, {true, false, true}};
  const std::vector<AtomFrame> back =
      read("a.dump", structure_text(StructureFormat::lammps_dump, open, 1) +
                         structure_text(StructureFormat::lammps_dump, leaning(), 2));
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(back[0].atoms.box.periodic, (std::array{true, false, true}));
  EXPECT_EQ(back[1].atoms.positions, leaning().atoms.positions);
  EXPECT_TRUE(holds_many_frames(StructureFormat::lammps_dump));
  EXPECT_FALSE(holds_many_frames(StructureFormat::poscar));
}

TEST_F(AtomFrames, DataFilesHaveMassesOfElementsOrLabels) {
  AtomFrame frame = leaning();
  frame.atoms.masses.clear();
  frame.atoms.ids.clear();
  const AtomFrame back = read_one("a.data", structure_text(StructureFormat::lammps_data, frame, 0));
  EXPECT_EQ(back.atoms.masses[1], atoms::find_element("Be")->mass);
  EXPECT_EQ(back.atoms.ids, (std::vector<Index>{1, 2, 3}));
  frame.atoms.species[1] = "Xx";
  const AtomFrame labelled =
      read_one("a.data", structure_text(StructureFormat::lammps_data, frame, 0));
  EXPECT_TRUE(labelled.atoms.masses.empty());
  EXPECT_EQ(names_of(labelled), (std::vector<std::string>{"W", "Xx", "W"}));
}

TEST_F(AtomFrames, WhatAFormatCannotHoldIsRefused) {
  AtomFrame left_handed = leaning(), isotopes = leaning(), open = leaning(), gas = leaning();
  std::swap((*left_handed.atoms.cell)[0], (*left_handed.atoms.cell)[1]);
  left_handed.atoms.box.vectors = *left_handed.atoms.cell;
  isotopes.atoms.masses[2] = 182;
  open.atoms.box.periodic[1] = false;
  gas.atoms.cell.reset();
  const auto refused = [](StructureFormat format, const AtomFrame& frame) {
    EXPECT_THROW(structure_text(format, frame, 0), InputError);
  };
  for (const StructureFormat format :
       {StructureFormat::lammps_data, StructureFormat::lammps_dump}) {
    refused(format, left_handed);
    refused(format, gas);
  }
  refused(StructureFormat::lammps_data, isotopes);
  refused(StructureFormat::poscar, open);
  refused(StructureFormat::poscar, gas);
}

TEST_F(AtomFrames, FormatsAreKnownByNameOrContent) {
  EXPECT_EQ(format("a.xyz", poscar), StructureFormat::extxyz);
  EXPECT_EQ(format("x.vasp", data), StructureFormat::poscar);
  EXPECT_EQ(format("data.w", poscar), StructureFormat::lammps_data);
  EXPECT_EQ(format("dump.w", data), StructureFormat::lammps_dump);
  EXPECT_EQ(format("f", dump), StructureFormat::lammps_dump);
  EXPECT_EQ(format("a", crystal), StructureFormat::extxyz);
  EXPECT_EQ(format("b", data), StructureFormat::lammps_data);
  EXPECT_EQ(format("c", poscar), StructureFormat::poscar);
  EXPECT_EQ(format("d", with_replaced(poscar, "W and Be", "54")), StructureFormat::poscar);
  EXPECT_THROW(format("e", "no\natoms\n"), InputError);
}

TEST(Elements, AreFoundBySymbolAndMass) {
  ASSERT_NE(atoms::find_element("W"), nullptr);
  EXPECT_EQ(atoms::find_element("W")->Z, 74);
  EXPECT_EQ(atoms::find_element("Og")->Z, 118);
  EXPECT_EQ(atoms::find_element("w"), nullptr);
  EXPECT_EQ(atoms::find_element_by_mass(58.69)->symbol, "Ni");
  EXPECT_EQ(atoms::find_element_by_mass(9.01)->symbol, "Be");
  EXPECT_EQ(atoms::find_element_by_mass(300), nullptr);
}

}  // namespace
}  // namespace larmor::io
