// Rooms: io
#include "larmor/io/structures/extxyz.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "larmor/core/error.hpp"
#include "tests/expectations.hpp"

namespace larmor::io {
namespace {

using testing_support::contains;
using testing_support::expect_near;

constexpr const char* dimer =
    "2\n"
    "Lattice=\"4 0 0 1 5 0 0 0 6\" Properties=species:S:1:pos:R:3:magmom:R:1 pbc=\"T F T\" "
    "energy=1\n"
    "Fe 0.0 0.5 1.0 2.2\n"
    "Co 1.0 2.0 3.0 1.7\n";

class ExtxyzFiles : public testing::Test {
 protected:
  ExtxyzFiles() { std::filesystem::create_directories(folder_); }
  ~ExtxyzFiles() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  lattice::Geometry read(const std::string& text) const {
    std::ofstream(path("atoms.extxyz"), std::ios::binary) << text;
    return read_extxyz(path("atoms.extxyz"));
  }

  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  /// The refusal of a file with one atom and these keys.
  std::string refusal_of_keys(const std::string& keys) const {
    return refusal("1\n" + keys + "\nFe 0 0 0\n");
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("larmor-extxyz-test-" + std::to_string(::getpid()));
};

TEST_F(ExtxyzFiles, BlanksMayStandAroundTheSignOfEquality) {
  for (const char* const keys :
       {"Lattice = \"4 0 0 0 5 0 0 0 6\" Properties = species:S:1:pos:R:3 pbc = \"T F T\"",
        "Lattice= \"4 0 0 0 5 0 0 0 6\" Properties =species:S:1:pos:R:3 pbc=\"T F T\"",
        "a flag Lattice =[4 0 0 0 5 0 0 0 6] comment= Properties\t=\tspecies:S:1:pos:R:3 pbc = [T, "
        "F, T] = 1"}) {
    SCOPED_TRACE(keys);
    const std::string refused = refusal_of_keys(keys);
    if (std::string(keys).ends_with("= 1")) {
      EXPECT_TRUE(contains(refused, "a value has no key")) << refused;
      continue;
    }
    const lattice::Geometry geometry = read("1\n" + std::string(keys) + "\nFe 0 0 0\n");
    expect_near(geometry.crystal.cell[1], {0, 5, 0});
    EXPECT_EQ(geometry.periodic, (std::array{true, false, true}));
  }
  // The word after an empty value is a key.
  const lattice::Geometry geometry =
      read("1\ncomment= Lattice=\"4 0 0 0 5 0 0 0 6\" Properties=species:S:1:pos:R:3\nFe 0 0 0\n");
  expect_near(geometry.crystal.cell[2], {0, 0, 6});
}

TEST_F(ExtxyzFiles, SpinsComeBackAsTheyWereWritten) {
  const lattice::Geometry geometry = read(dimer);
  const Vec3<double> e{0.6, 0, -0.8}, f{0, 2, 0};
  write_extxyz(path("spins.extxyz"), geometry, std::vector<ExtxyzFrame>{{{e, f}, {}}},
               IfExists::replace);
  const std::vector<Vec3<double>> spins = read_extxyz_spins(path("spins.extxyz"), 2);
  ASSERT_EQ(spins.size(), 2u);
  EXPECT_EQ(spins[0], e);
  EXPECT_EQ(spins[1], (Vec3<double>{0, 1, 0}));
  EXPECT_THROW(read_extxyz_spins(path("spins.extxyz"), 3), InputError);
  EXPECT_THROW(read_extxyz_spins(path("atoms.extxyz"), 2), InputError);
}

TEST_F(ExtxyzFiles, PositionsSpeciesMomentsAndBoxAreRead) {
  const lattice::Geometry geometry = read(dimer);
  EXPECT_FALSE(geometry.is_lattice());
  ASSERT_EQ(geometry.sites(), 2);
  expect_near(geometry.crystal.cell[1], {1, 5, 0});
  EXPECT_EQ(geometry.periodic, (std::array{true, false, true}));
  expect_near(geometry.position(0), {0, 0.5, 1});
  expect_near(geometry.position(1), {1, 2, 3});
  EXPECT_EQ(geometry.crystal.basis[0].species, "Fe");
  EXPECT_EQ(geometry.crystal.basis[1].species, "Co");
  EXPECT_DOUBLE_EQ(geometry.crystal.basis[0].moment, 2.2);
  EXPECT_DOUBLE_EQ(geometry.crystal.basis[1].moment, 1.7);
}

TEST_F(ExtxyzFiles, OnlyTheFirstFrameIsRead) {
  EXPECT_EQ(read(std::string(dimer) + "no frame\n").sites(), 2);
}

TEST_F(ExtxyzFiles, PlainXyzIsAnOpenCluster) {
  const lattice::Geometry geometry = read("2\nmade by hand, by hand\r\nFe 1 1 1\r\nFe 3 1 1\r\n");
  EXPECT_EQ(geometry.periodic, (std::array{false, false, false}));
  expect_near(geometry.position(1), {3, 1, 1});
  EXPECT_DOUBLE_EQ(geometry.crystal.basis[0].moment, 1);
  expect_near(read("1\n\nFe 1 2 3\n").position(0), {1, 2, 3});
}

TEST_F(ExtxyzFiles, BoundariesArePeriodicWhereALatticeSaysNothing) {
  EXPECT_EQ(read("1\nLattice=[[4,0,0],[0,4,0],[0,0,4]]\nFe 0 0 0\n").periodic,
            (std::array{true, true, true}));
}

TEST_F(ExtxyzFiles, OtherColumnsAndQuotedKeysAreSkipped) {
  const lattice::Geometry geometry = read(
      "1\ninfo=\"a \\\"b\\\" =c\" Properties=id:I:1:pos:R:3:f:R:3:species:S:1:moment:R:1\n"
      "7 1 2 3 nan x 0 Ni 0.6\n");
  EXPECT_EQ(geometry.crystal.basis[0].species, "Ni");
  EXPECT_DOUBLE_EQ(geometry.crystal.basis[0].moment, 0.6);
  expect_near(geometry.position(0), {1, 2, 3});
}

TEST_F(ExtxyzFiles, MalformedFramesAreRefusedWhereTheyAre) {
  EXPECT_TRUE(contains(refusal(""), "number of atoms"));
  EXPECT_TRUE(contains(refusal("two\n\n"), "atoms.extxyz:1:1: "));
  EXPECT_TRUE(contains(refusal("0\n\n"), "atoms.extxyz:1:1: "));
  EXPECT_TRUE(contains(refusal("1\n"), "line of keys is missing"));
  EXPECT_TRUE(
      contains(refusal("2\n\nFe 0 0 0\n"), "atoms.extxyz:4:1: error: the file ends after 1"));
  EXPECT_TRUE(contains(refusal("1\n\nFe 0 0\n"), "atoms.extxyz:3:7: "));
  EXPECT_TRUE(contains(refusal("1\n\nFe 0 0 0 9\n"), "atoms.extxyz:3:10: "));
  EXPECT_TRUE(contains(refusal("1\n\nFe 0 zero 0\n"), "atoms.extxyz:3:6: error: y is \"zero\""));
  EXPECT_TRUE(contains(refusal("1\n\nFe 0 0 nan\n"), "not a finite number"));
  EXPECT_TRUE(contains(refusal("1\n\nFe 0 1e300 0\n"),
                       "atoms.extxyz:3:6: error: y is 1e300, too far away"));
  EXPECT_TRUE(contains(refusal(std::string("1\n\nFe\0 0 0 0\n", 13)), "not text"));
  EXPECT_TRUE(contains(refusal("1\nProperties=species:S:1:pos:R:3:moment:R:1\nFe 0 0 0 -2\n"),
                       "atoms.extxyz:3:10: error: moment is not positive"));
}

TEST_F(ExtxyzFiles, LinesWithoutKnownKeysAreFreeText) {
  for (const char* const text : {"=== step 3 ===", "= 5", "E == -3", "a = 'b", "O'Neil = \"x",
                                 "x = [1", "E = 1 E = 2", " = ", "a=b=c"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(read("1\n" + std::string(text) + "\nFe 1 2 3\n").sites(), 1);
  }
  const std::string keys = " Properties=species:S:1:pos:R:3";
  EXPECT_TRUE(contains(refusal_of_keys("=== 3 ===" + keys), "2:1: error: a value has no key"));
  EXPECT_TRUE(contains(refusal_of_keys("a = 'b" + keys), "the quotation does not end"));
}

TEST_F(ExtxyzFiles, KeysOfNoUseMayBeGivenTwice) {
  const std::string keys = "Properties=species:S:1:pos:R:3 step=1 step=x";
  EXPECT_EQ(read("1\n" + keys + "\nFe 1 2 3\n").sites(), 1);
  EXPECT_TRUE(contains(refusal_of_keys(keys + " " + keys), "Properties is given twice"));
}

TEST_F(ExtxyzFiles, MalformedKeysAreRefusedWhereTheyAre) {
  EXPECT_TRUE(
      contains(refusal_of_keys("Lattice=\"1 0 0 0 1 0 0 0\""), "2:9: error: Lattice has 8"));
  EXPECT_TRUE(contains(refusal_of_keys("Lattice=\"1 0 0 0 1 0 0 x 1\""), "not a number"));
  EXPECT_TRUE(contains(refusal_of_keys("Lattice=\"1 0 0 0 1 0 1 1 0\""), "lie in a plane"));
  EXPECT_TRUE(
      contains(refusal_of_keys("Lattice=\"1 0 0"), "2:9: error: the quotation does not end"));
  EXPECT_TRUE(contains(refusal_of_keys("pbc=\"F F\""), "2:5: error: pbc is not"));
  EXPECT_TRUE(contains(refusal_of_keys("pbc=\"F F maybe\""), "pbc is not"));
  EXPECT_TRUE(contains(refusal_of_keys("pbc=\"T F F\""), "there is no Lattice"));
  EXPECT_TRUE(contains(refusal_of_keys("pbc=\"F F F\" pbc=\"F F F\""), "given twice"));
  EXPECT_TRUE(contains(refusal_of_keys("Properties=species:S:1"), "lacks pos:R:3"));
  EXPECT_TRUE(contains(refusal_of_keys("Properties=species:S:1:pos:R"), "not a list of name"));
  EXPECT_TRUE(
      contains(refusal_of_keys("Properties=species:S:1:pos:R:3:moment:R:3"), "lacks moment:R:1"));
  EXPECT_TRUE(contains(refusal_of_keys("Properties=species:S:1:pos:R:3:moment:R:1:magmom:R:1"),
                       "both moments"));
}

TEST_F(ExtxyzFiles, CoincidentAtomsAreRefusedAcrossTheBoundaryToo) {
  const std::string keys = "\nLattice=\"4 0 0 0 4 0 0 0 4\" pbc=\"T T F\"\n";
  EXPECT_TRUE(contains(refusal("3" + keys + "A 1 1 1\nA 2 2 2\nA 1 1 1\n"),
                       "atoms.extxyz:5: error: the atom has the position of the atom on line 3"));
  EXPECT_TRUE(contains(refusal("2" + keys + "A 0 1 1\nA 4 1 1\n"), "line 3"));
  EXPECT_EQ(refusal("2" + keys + "A 1 1 0\nA 1 1 4\n"), "accepted");
  EXPECT_TRUE(contains(refusal("2\n\nA 1 1 0\nA 1 1 0\n"), "line 3"));
  EXPECT_TRUE(contains(refusal("3\n\nA 1 1 0\nA 9 1 0\nA 1 1.00000001 0\n"), "line 3"));
  EXPECT_EQ(refusal("3\n\nA 0 0 0\nA 1e6 0 0\nA 1 1 0\n"), "accepted");
  // Many atoms are close together, and one is far away. The search for coincident atoms must not
  // store pairs of atoms.
  std::string many;
  for (int n = 0; n < 4000; ++n) many += "A " + std::to_string(0.01 * n) + " 0 0\n";
  EXPECT_EQ(refusal("4001\n\n" + many + "A 1e9 0 0\n"), "accepted");
  EXPECT_EQ(refusal("3\n\nA 1e6 0 0\nA 0 0 0\nA 1000001 0 0\n"), "accepted");
}

TEST_F(ExtxyzFiles, MissingFilesAndFoldersAreInputErrors) {
  EXPECT_THROW(read_extxyz(path("none.extxyz")), InputError);
  EXPECT_THROW(read_extxyz(std::filesystem::path(path("x")).parent_path().string()), InputError);
}

TEST_F(ExtxyzFiles, WhatIsWrittenReadsBack) {
  lattice::Crystal crystal = lattice::named_crystal("bcc", 2.87);
  crystal.basis[1] = {{.5, .5, .5}, "Co", 1.7};
  const lattice::Geometry lattice = lattice::make_lattice(crystal, {2, 1, 3}, {true, false, true});
  std::vector<ExtxyzFrame> frames(2);
  for (ExtxyzFrame& frame : frames) frame.spins.assign(12, {0.6, 0, -0.8});
  frames[1].time = 0.25;
  frames[1].spins[11] = {1.0 / 3, 0, 1};
  write_extxyz(path("out.extxyz"), lattice, frames, IfExists::refuse);

  const lattice::Geometry back = read_extxyz(path("out.extxyz"));
  ASSERT_EQ(back.sites(), 12);
  EXPECT_EQ(back.periodic, lattice.periodic);
  expect_near(back.crystal.cell[2], {0, 0, 3 * 2.87});
  for (Index i = 0; i < 12; ++i) {
    expect_near(back.position(i), lattice.position(i));
    EXPECT_EQ(back.crystal.basis[static_cast<std::size_t>(i)].moment, i % 2 == 0 ? 1 : 1.7);
  }
}

TEST_F(ExtxyzFiles, FramesFollowEachOther) {
  const lattice::Geometry lattice =
      lattice::make_lattice(lattice::named_crystal("chain", 1), {2}, {true});
  const ExtxyzFrame first{{{0, 0, 1}, {1, 0, 0}}, std::nullopt};
  const ExtxyzFrame second{{{0, 0, 1}, {0, -0.1, 0}}, 0.5};
  write_extxyz(path("out.extxyz"), lattice, std::vector{first, second}, IfExists::refuse);
  std::ostringstream text;
  text << std::ifstream(path("out.extxyz")).rdbuf();
  const std::string keys =
      "2\nLattice=\"2 0 0 0 1 0 0 0 1\" "
      "Properties=species:S:1:pos:R:3:spin:R:3:moment:R:1 pbc=\"T F F\"";
  EXPECT_EQ(text.str(), keys + "\nX 0 0 0 0 0 1 1\nX 1 0 0 1 0 0 1\n" + keys +
                            " Time=0.5\nX 0 0 0 0 0 1 1\nX 1 0 0 0 -0.1 0 1\n");
}

TEST_F(ExtxyzFiles, ExistingFilesAreReplacedOnlyWhenToldTo) {
  const lattice::Geometry atom =
      lattice::make_lattice(lattice::named_crystal("chain", 1), {1}, {false});
  const std::vector<ExtxyzFrame> frames{{{{0, 0, 1}}, std::nullopt}};
  std::ofstream(path("out.extxyz")) << "old";
  EXPECT_THROW(write_extxyz(path("out.extxyz"), atom, frames, IfExists::refuse), InputError);
  EXPECT_EQ(std::filesystem::file_size(path("out.extxyz")), 3U);
  write_extxyz(path("out.extxyz"), atom, frames, IfExists::replace);
  EXPECT_EQ(read_extxyz(path("out.extxyz")).sites(), 1);
}

TEST_F(ExtxyzFiles, WhatCannotBeWrittenLeavesTheOldFile) {
  lattice::Crystal crystal = lattice::named_crystal("chain", 1);
  crystal.basis[0].species = "two words";
  const lattice::Geometry blank = lattice::make_lattice(crystal, {1}, {false});
  std::ofstream(path("out.extxyz")) << "old";
  const std::vector<ExtxyzFrame> frames{{{{0, 0, 1}}, std::nullopt}};
  EXPECT_THROW(write_extxyz(path("out.extxyz"), blank, frames, IfExists::replace), InputError);
  EXPECT_EQ(std::filesystem::file_size(path("out.extxyz")), 3U);

  crystal.basis[0].species = "A";
  const lattice::Geometry pair = lattice::make_lattice(crystal, {2}, {false});
  EXPECT_THROW(write_extxyz(path("out.extxyz"), pair, frames, IfExists::replace), InternalError);
  EXPECT_THROW(write_extxyz(path("no/out.extxyz"), pair, {}, IfExists::replace), InputError);
}

}  // namespace
}  // namespace larmor::io
