// Rooms: imports, symmetry
// CIF, magnetic CIF and POSCAR as crystals and as studies.
#include "larmor/imports/cif.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "larmor/core/error.hpp"
#include "larmor/imports/formats.hpp"
#include "larmor/symmetry/bond_symmetry.hpp"
#include "tests/expectations.hpp"

namespace larmor::imports {
namespace {

using testing_support::contains;

const std::string iron_iodide_cell =
    "data_FeI2\n"
    "_chemical_formula_sum 'Fe I2'\n"
    "_cell_length_a 4.05(1)\n_cell_length_b 4.05\n_cell_length_c 6.76\n"
    "_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 120\n";
const std::string iron_iodide_sites =
    "loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n"
    "_atom_site_fract_z\n"
    "Fe1 Fe2+ 0 0 0\n"
    "I1 I- 0.3333 0.6667 0.25\n";
const std::string iron_iodide =
    iron_iodide_cell + "_symmetry_space_group_name_H-M 'P -3 m 1'\n" + iron_iodide_sites;

/// A tetragonal antiferromagnet with moments along c.
const std::string antiferromagnet =
    "data_test\n"
    "_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 3\n"
    "_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\n"
    "loop_\n_space_group_symop_magn_operation.id\n_space_group_symop_magn_operation.xyz\n"
    "1 x,y,z,+1\n2 -x,-y,z,+1\n3 -x,-y,-z,+1\n4 x,y,-z,+1\n"
    "loop_\n_space_group_symop_magn_centering.id\n_space_group_symop_magn_centering.xyz\n"
    "1 x,y,z,+1\n2 x+1/2,y+1/2,z+1/2,-1\n"
    "loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n"
    "_atom_site_fract_z\n_atom_site_occupancy\n"
    "Mn1 Mn 0 0 0 1\n"
    "F1 F 0.3 0.3 0 0.9\n"
    "loop_\n_atom_site_moment.label\n_atom_site_moment.crystalaxis_x\n"
    "_atom_site_moment.crystalaxis_y\n_atom_site_moment.crystalaxis_z\n"
    "Mn1 0 0 4.6(2)\n";

class CifFiles : public testing::Test {
 protected:
  CifFiles()
      : folder_(std::filesystem::path(testing::TempDir()) / ("cif-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~CifFiles() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& text, const std::string& name = "a.cif") const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::string refusal(const std::string& text, int line) const {
    try {
      read_cif_crystal(file(text));
    } catch (const InputError& error) {
      EXPECT_EQ(error.where().line, line) << error.what();
      return error.problem();
    }
    return "nothing";
  }

  std::filesystem::path folder_;
};

TEST_F(CifFiles, AreKnownByNameOrContents) {
  EXPECT_TRUE(is_cif(file(iron_iodide)));
  EXPECT_TRUE(is_cif(file("# a comment\n\n" + iron_iodide, "crystal.txt")));
  EXPECT_FALSE(is_cif(file("Fe\n1.0\n", "POSCAR")));
  EXPECT_FALSE(is_cif((folder_ / "missing").string()));
}

TEST_F(CifFiles, HaveAllAtomsOnTheirSymmetryElements) {
  const CrystalFile crystal = read_cif_crystal(file(iron_iodide));
  ASSERT_EQ(crystal.crystal.basis.size(), 3U);
  EXPECT_EQ(crystal.title, "Fe I2");
  EXPECT_NEAR(crystal.crystal.cell[1].x, -2.025, 1e-12);
  EXPECT_NEAR(crystal.crystal.cell[1].y, 4.05 * std::sqrt(3.0) / 2, 1e-12);
  EXPECT_EQ(crystal.crystal.basis[1].species, "I");
  // 0.3333 and 0.6667 become thirds.
  EXPECT_NEAR(crystal.crystal.basis[1].fractional.x, 1.0 / 3, 1e-12);
  EXPECT_NEAR(crystal.crystal.basis[1].fractional.y, 2.0 / 3, 1e-12);
  const SpinCrystal spins = with_spins(crystal, {});
  EXPECT_EQ(spins.crystal.basis.size(), 1U);
  EXPECT_EQ(symmetry::space_group(spins.crystal, spins.surroundings).number, 164);
}

TEST_F(CifFiles, GiveTheSameCrystalForEveryFormOfTheirSymmetry) {
  const std::string operations =
      "loop_\n_symmetry_equiv_pos_as_xyz\nx,y,z\n-y,x-y,z\n-x+y,-x,z\ny,x,-z\nx-y,-y,-z\n"
      "-x,-x+y,-z\n-x,-y,-z\ny,-x+y,-z\nx-y,x,-z\n-y,-x,z\n-x+y,y,z\nx,x-y,z\n";
  for (const std::string& symmetry :
       {operations, std::string("_space_group_name_Hall '-P 3 2\"'\n"),
        std::string("_space_group_IT_number 164\n")}) {
    const CrystalFile crystal =
        read_cif_crystal(file(iron_iodide_cell + symmetry + iron_iodide_sites));
    EXPECT_EQ(crystal.crystal.basis.size(), 3U);
    const SpinCrystal spins = with_spins(crystal, {"Fe"});
    EXPECT_EQ(symmetry::space_group(spins.crystal, spins.surroundings).symbol, "P-3m1");
  }
}

TEST_F(CifFiles, WithMomentsGiveDirections) {
  const CrystalFile crystal = read_cif_crystal(file(antiferromagnet, "a.mcif"));
  ASSERT_EQ(crystal.crystal.basis.size(), 6U);
  ASSERT_EQ(crystal.moments.size(), 6U);
  EXPECT_NEAR(crystal.moments[0].z, 4.6, 1e-12);
  EXPECT_NEAR(crystal.moments[1].z, -4.6, 1e-12);
  const SpinCrystal spins = with_spins(crystal, {});
  ASSERT_EQ(spins.crystal.basis.size(), 2U);
  EXPECT_EQ(spins.crystal.basis[0].moment, 4.6);
  EXPECT_TRUE(contains(crystal.notes.at(0), "occupancy 0.9"));
  const Import import = read_cif(file(antiferromagnet, "a.mcif"));
  EXPECT_EQ(import.program, "magnetic CIF");
  const Value* const initial = import.study.find("initial");
  ASSERT_NE(initial, nullptr);
  EXPECT_EQ(initial->find("state")->as_string(), "sublattices");
  EXPECT_EQ(initial->find("directions")->as_array()[1].as_array()[2].as_number(), -1);
  const Value* const lattice = import.study.find("lattice");
  EXPECT_EQ(lattice->find("other_atoms")->as_array().size(), 4U);
  // Errors found later point at the line of the site.
  EXPECT_EQ(lattice->find("basis")->as_array()[0].where().line, 27);
}

TEST_F(CifFiles, OfHexagonalCellsHaveMomentsAlongTheirAxes) {
  const std::string text =
      "data_t\n_cell_length_a 5\n_cell_length_b 5\n_cell_length_c 7\n_cell_angle_alpha 90\n"
      "_cell_angle_beta 90\n_cell_angle_gamma 120\n"
      "loop_\n_space_group_symop_magn_operation.xyz\nx,y,z,+1\n-y,x-y,z,+1\n-x+y,-x,z,+1\n"
      "loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"
      "Fe1 0.3 0 0\n"
      "loop_\n_atom_site_moment.label\n_atom_site_moment.crystalaxis_x\n"
      "_atom_site_moment.crystalaxis_y\n_atom_site_moment.crystalaxis_z\nFe1 2 2 0\n";
  const CrystalFile crystal = read_cif_crystal(file(text));
  ASSERT_EQ(crystal.moments.size(), 3U);
  // Three moments of 2 mu_B at 120 degrees: the sum of unit vectors along a and b has length 1.
  Vec3<double> sum{0, 0, 0};
  for (const Vec3<double>& m : crystal.moments) {
    EXPECT_NEAR(length(m), 2, 1e-12);
    sum += m;
  }
  EXPECT_NEAR(length(sum), 0, 1e-12);
  EXPECT_NEAR(crystal.moments[0].x, 1, 1e-12);
  EXPECT_NEAR(crystal.moments[0].y, std::sqrt(3.0), 1e-12);
}

TEST_F(CifFiles, AreRefusedWithTheLineOfTheMistake) {
  EXPECT_TRUE(contains(refusal("data_x\n_cell_length_a 'open\n", 2), "not CIF"));
  EXPECT_TRUE(contains(refusal("data_x\n_cell_length_a 3\n", 1), "no atoms"));
  std::string text = iron_iodide;
  text.replace(text.find("4.05(1)"), 7, "wrong");
  EXPECT_TRUE(contains(refusal(text, 3), "\"wrong\" is not a number"));
  text = iron_iodide;
  text.replace(text.find("P -3 m 1"), 8, "P nothing");
  EXPECT_TRUE(contains(refusal(text, 3), "no symmetry that is known"));
  EXPECT_TRUE(contains(refusal(iron_iodide + "I2 I- 0.3333 0.6667 0.25\n", 18), "another site"));
  text = antiferromagnet;
  text.replace(text.find("4.6(2)"), 6, "x");
  EXPECT_TRUE(contains(refusal(text, 29), "\"x\" is not a number"));
  text = antiferromagnet;
  text.replace(text.find("0 0 4.6(2)"), 10, "3 0 4.6");
  EXPECT_TRUE(contains(refusal(text, 27), "forbids its moment"));
  EXPECT_TRUE(contains(
      refusal(iron_iodide_cell + "_space_group_name_Hall nonsense\n" + iron_iodide_sites, 9),
      "is not a symbol of Hall"));
  EXPECT_TRUE(contains(
      refusal(iron_iodide_cell + "_symmetry_equiv_pos_as_xyz -x,-y,-z\n" + iron_iodide_sites, 3),
      "lack the identity"));
  EXPECT_TRUE(
      contains(refusal(iron_iodide + "loop_\n_atom_site_occupancy\n1\n1\n1\n", 18), "has 3"));
  text = antiferromagnet;
  text.replace(text.find("x,y,-z,+1"), 9, "x,y,-w,+1");
  EXPECT_TRUE(contains(refusal(text, 8), "is not an operation of symmetry"));
}

TEST_F(CifFiles, AndPoscarGiveEqualStudies) {
  const std::string poscar =
      "FeI2\n1.0\n4.05 0 0\n-2.025 3.5074028853269764 0\n0 0 6.76\nFe I\n1 2\nDirect\n0 0 0\n"
      "0.33333333333 0.66666666667 0.25\n0.66666666667 0.33333333333 0.75\n";
  EXPECT_TRUE(is_poscar(file(poscar, "POSCAR")));
  const Import a = read_poscar(file(poscar, "POSCAR")), b = read_cif(file(iron_iodide));
  for (const char* key : {"basis", "species", "other_species", "size"})
    EXPECT_EQ(to_toml_value(*a.study.find("lattice")->find(key)),
              to_toml_value(*b.study.find("lattice")->find(key)))
        << key;
  bool has_table = false;
  for (const std::string& note : a.notes)
    has_table = has_table || note.find("[\"0 meV\", \"B\", \"D\"]") != std::string::npos;
  EXPECT_TRUE(has_table);
}

TEST_F(CifFiles, OfPoscarNameTheLineOfAnImpossibleLattice) {
  const auto refused = [&](const std::string& vector, const std::string& position, int line) {
    try {
      read_poscar(file(
          "FeI2\n1.0\n4 0 0\n" + vector + "\n0 0 6\nFe I\n1 1\nDirect\n0 0 0\n" + position + "\n",
          "POSCAR"));
    } catch (const InputError& error) {
      EXPECT_EQ(error.where().line, line) << error.what();
      return error.problem();
    }
    return std::string("nothing");
  };
  EXPECT_EQ(refused("0 4 0", "0.5 0.5 0.25", 0), "nothing");
  EXPECT_TRUE(contains(refused("0 4 0", "0.5 1e9 0.25", 10), "a million cells away"));
  EXPECT_TRUE(contains(refused("0 4e8 0", "0.5 0.5 0.25", 3), "1e+08 times as long as wide"));
}

TEST_F(CifFiles, SettingsThatASymbolLeavesOpenAreToldOrRefused) {
  const auto text_of = [](const char* symbol, const char* length, const char* angle) {
    std::string text = "data_a\n";
    for (const char* axis : {"a", "b", "c"})
      text += std::string("_cell_length_") + axis + " " + length + "\n";
    for (const char* name : {"alpha", "beta", "gamma"})
      text += std::string("_cell_angle_") + name + " " + angle + "\n";
    return text + "_space_group_name_H-M_alt '" + symbol +
           "'\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n"
           "_atom_site_fract_z\nYb1 0 0 0\n";
  };
  const auto tells = [](const Import& import, const std::string& words) {
    return std::any_of(import.notes.begin(), import.notes.end(),
                       [&](const std::string& note) { return contains(note, words); });
  };
  const std::string several = "has several settings, and F d -3 m:1 is taken";
  const Import open = *import_file(file(text_of("F d -3 m", "10", "90")));
  EXPECT_TRUE(tells(open, several));
  const Import given = *import_file(file(text_of("F d -3 m :2", "10", "90")));
  EXPECT_FALSE(tells(given, several));
  // The first choice puts 8 atoms into the cell, and the second one 16.
  EXPECT_EQ(given.study.find("lattice")->find("basis")->as_array().size(), 16U);
  EXPECT_EQ(open.study.find("lattice")->find("basis")->as_array().size(), 8U);
  // Without a letter, the axes of R -3 m are hexagonal.
  EXPECT_NO_THROW(import_file(file(text_of("R -3 m :R", "7", "33"))));
  try {
    import_file(file(text_of("R -3 m", "7", "33")));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "the cell does not have the symmetry"));
  }
}

TEST_F(CifFiles, OfOtherTextThanUtf8AreRefused) {
  const auto refused = [&](const std::string& text, const std::string& name) -> std::string {
    try {
      import_file(file(text, name));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto titled = [&](const std::string& title) {
    std::string text = iron_iodide;
    return text.replace(text.find("Fe I2"), 5, title);
  };
  EXPECT_EQ(refused(titled("F\xC3\xA9"), "a.cif"), "accepted");
  EXPECT_TRUE(contains(refused(titled("F\x8D"), "a.cif"),
                       "a.cif: error: the text 'F\\x8d' is not printable UTF-8"));
  EXPECT_TRUE(contains(refused("a\n1\n3 0 0\n0 3 0\n0 0 3\n\xE9x\n1\nDirect\n0 0 0\n", "POSCAR"),
                       "POSCAR:9:1: error: the text '\\xe9x' is not printable UTF-8"));
}

TEST_F(CifFiles, WithoutAnyMomentNameTheFile) {
  std::string text = antiferromagnet;
  text.replace(text.find("4.6(2)"), 6, "0");
  try {
    read_cif(file(text, "a.mcif"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "a.mcif:2:1: error: all moments of the file are 0"));
  }
}

TEST_F(CifFiles, HaveOnlySpeciesThatTheyName) {
  const CrystalFile crystal = read_cif_crystal(file(iron_iodide));
  EXPECT_THROW(with_spins(crystal, {"Co"}), InputError);
  EXPECT_EQ(with_spins(crystal, {"I"}).crystal.basis.size(), 2U);
}

}  // namespace
}  // namespace larmor::imports
