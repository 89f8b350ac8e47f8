// Rooms: io
#include "larmor/io/potentials/snap_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "larmor/core/error.hpp"
#include "larmor/io/potentials/lammps_script.hpp"

namespace larmor::io {
namespace {

using atoms::snap::SnapPotential;

/// Writes files into a folder that the end of the test removes.
class SnapFiles : public testing::Test {
 protected:
  SnapFiles() { std::filesystem::create_directories(folder_); }
  ~SnapFiles() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  SnapPotential read(const std::string& coefficients, const std::string& parameters,
                     const std::vector<std::string>& elements = {"W"}) const {
    return read_snap(file("x.snapcoeff", coefficients), file("x.snapparam", parameters), elements);
  }
  /// The error message for malformed files.
  std::string refusal(const std::string& coefficients, const std::string& parameters,
                      const std::vector<std::string>& elements = {"W"}) const {
    try {
      read(coefficients, parameters, elements);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  void expect_refused(const std::string& parameters, const std::string& words,
                      const std::string& coefficients = two_elements) const {
    const std::string said = refusal(coefficients, parameters);
    EXPECT_NE(said.find(words), std::string::npos) << said;
    EXPECT_NE(said.find("x.snapparam:"), std::string::npos) << said;
  }
  void expect_refused_coefficients(const std::string& coefficients, const std::string& words,
                                   const std::string& parameters = order_1) const {
    const std::string said = refusal(coefficients, parameters);
    EXPECT_NE(said.find(words), std::string::npos) << said;
    EXPECT_NE(said.find("x.snapcoeff:"), std::string::npos) << said;
  }

  static constexpr const char* order_1 = "rcutfac 4\ntwojmax 1\n";
  /// Coefficients beta_0 and two components for each element.
  static constexpr const char* two_elements =
      "# DATE: 2017\n\n  2 3 # elements and coefficients\n"
      "W 0.5 1\n0.25 # B[0]\n 1e-1\n-2\n"
      "'Be' 0.42 0.96\n1\n2\n3\n# the end\n";

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("larmor_snap_" + std::to_string(::getpid()));
};

TEST_F(SnapFiles, ElementsAreInTheOrderThatIsAskedFor) {
  const SnapPotential both = read(two_elements, order_1, {"Be", "W"});
  ASSERT_EQ(both.elements.size(), 2U);
  EXPECT_EQ(both.elements[0].name, "Be");
  EXPECT_EQ(both.elements[0].radius, 0.42);
  EXPECT_EQ(both.elements[0].weight, 0.96);
  EXPECT_EQ(both.elements[1].coefficients, (std::vector<double>{0.25, 0.1, -2}));
  EXPECT_DOUBLE_EQ(both.cutoff(0, 1), 4 * 0.92);
  EXPECT_EQ(read(two_elements, order_1).elements.size(), 1U);
}

TEST_F(SnapFiles, ParametersHaveDefaults) {
  const auto p = read(two_elements, order_1).parameters;
  EXPECT_EQ(p.rcutfac, 4);
  EXPECT_EQ(p.twojmax, 1);
  EXPECT_EQ(p.rfac0, 0.99363);
  EXPECT_EQ(p.rmin0, 0);
  EXPECT_TRUE(p.switchflag && p.bzeroflag);
  EXPECT_FALSE(p.quadraticflag || p.chemflag || p.bnormflag || p.wselfallflag || p.switchinnerflag);
}

TEST_F(SnapFiles, EveryKeyIsRead) {
  const auto p = read(two_elements,
                      "# a comment\n\n  rcutfac 4.5 # too\ntwojmax 1\nrfac0 0.9\nrmin0 0.1\n"
                      "switchflag 0\nbzeroflag 0\nbnormflag 1\nwselfallflag 1\nquadraticflag 0\n"
                      "chemflag 0\nswitchinnerflag 1\nsinner 2 2.5\ndinner 0.1 0.2\n"
                      "diagonalstyle 3\nchunksize 16\nparallelthresh 8\n",
                      {"W", "Be"})
                     .parameters;
  EXPECT_EQ(p.rcutfac, 4.5);
  EXPECT_EQ(p.rfac0, 0.9);
  EXPECT_EQ(p.rmin0, 0.1);
  EXPECT_FALSE(p.switchflag || p.bzeroflag);
  EXPECT_TRUE(p.bnormflag && p.wselfallflag && p.switchinnerflag);
  EXPECT_EQ(p.sinner, (std::vector<double>{2, 2.5}));
  EXPECT_EQ(p.dinner, (std::vector<double>{0.1, 0.2}));
}

TEST_F(SnapFiles, QuadraticAndChemicalPotentialsHaveMoreCoefficients) {
  std::string quadratic = "1 6\nW 0.5 1\n", chemical = "2 17\n";
  for (int n = 0; n < 6; ++n) quadratic += "1\n";
  for (const char* name : {"W", "Be"}) {
    chemical += std::string(name) + " 0.5 1\n";
    for (int n = 0; n < 17; ++n) chemical += "1\n";
  }
  EXPECT_EQ(
      read(quadratic, "rcutfac 4\ntwojmax 1\nquadraticflag 1\n").elements[0].coefficients.size(),
      6U);
  const std::string chem = "rcutfac 4\ntwojmax 1\nchemflag 1\n";
  EXPECT_EQ(read(chemical, chem, {"W", "Be"}).elements[1].coefficients.size(), 17U);
  EXPECT_NE(refusal(chemical, chem).find("name all elements of the file"), std::string::npos);
}

TEST_F(SnapFiles, BadParametersAreRefused) {
  expect_refused("rcutfac 4\n", "twojmax is missing");
  expect_refused("twojmax 1\n", "rcutfac is missing");
  expect_refused("rcutfac 4\ntwojmax 1\nbzeroflg 0\n", "did you mean 'bzeroflag'?");
  expect_refused("rcutfac 4\ntwojmax 15\n", "a whole number from 0 to 14");
  expect_refused("rcutfac 4\ntwojmax 1.5\n", "twojmax is \"1.5\", not a whole number");
  expect_refused("rcutfac four\ntwojmax 1\n", "rcutfac is \"four\", not a number");
  expect_refused("rcutfac nan\ntwojmax 1\n", "not a finite number");
  expect_refused("rcutfac 0\ntwojmax 1\n", "write a number above 0");
  expect_refused("rcutfac 4\ntwojmax 1\nrmin0 -1\n", "write a number of at least 0");
  expect_refused("rcutfac 4\ntwojmax 1\nrmin0 4\n", "rmin0 is not below the cutoff");
  expect_refused("rcutfac 4\ntwojmax 1\nchemflag 2\n", "write 0 or 1");
  expect_refused("rcutfac 4\ntwojmax 1\nchemflag\n", "1 of 2 columns");
  expect_refused("rcutfac 4\ntwojmax 1\ntwojmax 1\n", "given twice, first in line 2");
  expect_refused("rcutfac 4 5\ntwojmax 1\n", "the line has 3 columns");
  expect_refused("rcutfac 4\ntwojmax 1\nswitchinnerflag 1\n", "sinner is missing");
  expect_refused("rcutfac 4\ntwojmax 1\nswitchinnerflag 1\nsinner 2\n", "dinner is missing");
  expect_refused("rcutfac 4\ntwojmax 1\nsinner 2\n", "sinner is given without switchinnerflag");
  expect_refused("rcutfac 4\ntwojmax 1\nswitchinnerflag 1\nsinner 2 3\ndinner 1\n",
                 "a number for each of the 1 element");
  expect_refused("rcutfac 4\ntwojmax 1\nswitchinnerflag 1\nsinner 2\ndinner 0\n",
                 "write a number above 0");
  expect_refused("rcutfac 4\ntwojmax 1\ndiagonalstyle 2\n", "write 3, the only possible style");
}

TEST_F(SnapFiles, BadCoefficientsAreRefused) {
  expect_refused_coefficients("# nothing\n", "the file is empty");
  expect_refused_coefficients("1\n", "1 of 2 columns");
  expect_refused_coefficients("0 3\n", "counts 0 elements");
  expect_refused_coefficients("1 3\nW 0.5 1\n1\n2\n",
                              "the file ends where coefficient 3 of 3 of W should stand");
  expect_refused_coefficients("1 3\nW 0.5 1\n1\n\n2\n3\n",
                              "a line without data stands where coefficient 2 of 3 of W");
  expect_refused_coefficients("1 3\nW 0.5 1\n1\n2 2\n3\n", "coefficient 2 of 3 of W should stand");
  expect_refused_coefficients("1 3\nW 0.5 1\n1\n2\nx\n", "not a number");
  expect_refused_coefficients("1 3\nW 0.5 1\n1\n2\ninf\n", "not a finite number");
  expect_refused_coefficients("1 3\nW 0.5 1\n1\n2\n3\n4\n", "the file continues after");
  expect_refused_coefficients("1 3\nW 0 1\n1\n2\n3\n", "the radius is 0");
  expect_refused_coefficients("1 3\nW 0.5\n1\n2\n3\n", "2 of 3 columns");
  expect_refused_coefficients("1 3\nTa 0.5 1\n1\n2\n3\n", "the file has no element 'W'");
  expect_refused_coefficients("2 3\nW 0.5 1\n1\n2\n3\nW 0.5 1\n1\n2\n3\n",
                              "the element W is given twice");
  expect_refused_coefficients("1 4\nW 0.5 1\n1\n2\n3\n4\n", "twojmax 1 needs 3");
  expect_refused_coefficients("1 3\nW 0.5 1\n1\n2\n3\n", "twojmax 1, quadraticflag 1 needs 6",
                              "rcutfac 4\ntwojmax 1\nquadraticflag 1\n");
}

TEST_F(SnapFiles, MissingFilesAndElementsAreRefused) {
  EXPECT_THROW(read_snap("/nowhere/x.snapcoeff", file("p", order_1), std::vector<std::string>{"W"}),
               InputError);
  EXPECT_NE(refusal(two_elements, order_1, {"W", "W"}).find("named twice"), std::string::npos);
  EXPECT_NE(refusal(two_elements, order_1, {}).find("not named"), std::string::npos);
}

// ---- Include files ----

class LammpsScripts : public SnapFiles {
 protected:
  /// Writes the files that scripts name.
  LammpsScripts() {
    for (const char* name : {"W.snapcoeff", "W.snapparam", "a", "b"}) file(name, "");
  }
  LammpsPotential script(const std::string& text) const {
    return read_lammps_potential(file("x.snap", text));
  }
  void expect_script_refused(const std::string& text, const std::string& words, int line) const {
    try {
      script(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& error) {
      const std::string said = error.what();
      EXPECT_NE(said.find(words), std::string::npos) << said;
      EXPECT_NE(said.find("x.snap:" + std::to_string(line)), std::string::npos) << said;
    }
  }
};

TEST_F(LammpsScripts, SnapWithZbl) {
  const LammpsPotential p = script(
      "# DATE: 2019\nvariable inner equal 4\nvariable zo index 4.8\nvariable z string 74\n"
      "units metal\npair_style hybrid/overlay &\nzbl ${inner} ${zo} & # the repulsion.\nsnap\n"
      "pair_coeff 1 1 zbl $z $z\npair_coeff\t1 2* zbl $z 4\n"
      "pair_coeff * * snap W.snapcoeff \"W.snapparam\" W Be\nneighbor 1.0 bin\n");
  EXPECT_EQ(p.elements, (std::vector<std::string>{"W", "Be"}));
  EXPECT_EQ(std::filesystem::path(p.coefficients).filename(), "W.snapcoeff");
  EXPECT_EQ(std::filesystem::path(p.parameters).filename(), "W.snapparam");
  ASSERT_TRUE(p.zbl.has_value());
  EXPECT_EQ(p.zbl->inner, 4);
  EXPECT_EQ(p.zbl->outer, 4.8);
  ASSERT_EQ(p.zbl->pairs.size(), 2U);
  EXPECT_EQ(p.zbl->pairs[1].type_i, 0);
  EXPECT_EQ(p.zbl->pairs[1].type_j, 1);
  EXPECT_EQ(p.zbl->pairs[1].Z_i, 74);
  EXPECT_EQ(p.zbl->pairs[1].Z_j, 4);
}

TEST_F(LammpsScripts, SnapAlone) {
  for (const char* name : {"Mo.snapcoeff", "Mo.snapparam"}) file(name, "");
  const LammpsPotential p =
      script("pair_style snap\npair_coeff * * Mo.snapcoeff Mo.snapparam Mo\n");
  EXPECT_EQ(p.elements, std::vector<std::string>{"Mo"});
  EXPECT_FALSE(p.zbl.has_value());
}

TEST_F(LammpsScripts, FilesAreLookedForInTheFolderOfPotentials) {
  const std::filesystem::path here = file("Mo.snapcoeff", "");
  const std::string text = "pair_style snap\npair_coeff * * Mo.snapcoeff Mo.snapparam Mo\n";
  const std::filesystem::path folder = here.parent_path() / "potentials";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "Mo.snapparam") << "";
  ::setenv("LAMMPS_POTENTIALS", folder.c_str(), 1);
  const LammpsPotential p = script(text);
  ::unsetenv("LAMMPS_POTENTIALS");
  EXPECT_EQ(p.coefficients, here.string());
  EXPECT_EQ(p.parameters, (folder / "Mo.snapparam").string());
}

TEST_F(LammpsScripts, WhatIsNotReadIsRefusedByName) {
  const std::string snap = "pair_coeff * * snap a b W\n";
  expect_script_refused("pair_style hybrid/overlay snap table spline 10\n" + snap,
                        "the pair style 'table'", 1);
  expect_script_refused("\npair_style hybrid snap\n" + snap, "the pair style 'hybrid'", 2);
  expect_script_refused("pair_style zbl 4 4.8\n", "the pair style 'zbl'", 1);
  expect_script_refused("run 10\n", "the command 'run'", 1);
  expect_script_refused("units real\n", "units are real", 1);
  expect_script_refused("variable x loop 5\n", "of style loop", 1);
  expect_script_refused("variable x equal 2*3\n", "not a number", 1);
  expect_script_refused("pair_style hybrid/overlay zbl ${in} 4 snap\n", "no variable 'in'", 1);
  expect_script_refused("pair_style hybrid/overlay zbl ${in 4 snap\n", "'${' is not closed", 1);
  expect_script_refused("pair_style hybrid/overlay zbl 5 4 snap\n", "0 < INNER < OUTER", 1);
  expect_script_refused("pair_style hybrid/overlay zbl 4\n", "columns", 1);
  expect_script_refused("pair_style snap &\n", "the file ends after '&'", 1);
  expect_script_refused("pair_style snap\npair_coeff * * a b NULL\n", "type 1 is NULL", 2);
  expect_script_refused("pair_style snap\npair_coeff 1 1 a b W\n", "names the type 1", 2);
  expect_script_refused("pair_style snap\n", "there is no pair_coeff for snap", 2);
  expect_script_refused(snap + "pair_style snap\n", "pair_coeff stands before pair_style", 1);
  expect_script_refused("pair_style snap\npair_style snap\n" + snap, "given twice", 2);
  const std::string style = "pair_style hybrid/overlay zbl 4 4.8 snap\n";
  expect_script_refused(style + snap, "there is no pair_coeff for zbl", 3);
  expect_script_refused(style + snap + "pair_coeff 1 2 zbl 74 4\n", "there is no such type", 3);
  expect_script_refused(style + snap + "pair_coeff 1 x zbl 74 4\n", "'x' is not a type", 3);
  expect_script_refused(style + snap + "pair_coeff 1 1 zbl 74 0\n", "the charge of the nucleus", 3);
  expect_script_refused(style + snap + snap, "given twice", 3);
  expect_script_refused(style + "pair_coeff 1 1 eam x y\n", "pair_coeff has the style 'eam'", 2);
}

}  // namespace
}  // namespace larmor::io
