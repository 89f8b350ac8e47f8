// Inputs of UppASD as tables of a study.
// Rooms: imports
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "larmor/core/input/value.hpp"
#include "larmor/imports/formats.hpp"
#include "larmor/imports/uppasd/keywords.hpp"
#include "larmor/imports/uppasd/torque.hpp"
#include "tests/expectations.hpp"
#include "tests/named.hpp"
#include "tests/uppasd_inputs.hpp"

namespace larmor::uppasd_import_tests {

using imports::Import;
using testing_support::all_notes;
using testing_support::at;
using testing_support::chain_files;
using testing_support::contains;
using testing_support::has_note;
using testing_support::iron_files;

class UppasdImports : public testing_support::UppasdInputs {};

/// The number of "1.5 mRy".
double number_of(const Value& value) {
  return value.is_string() ? std::stod(value.as_string()) : value.as_number();
}

Vec3<double> vector_of(const Value& value) {
  const Value::Array& v = value.as_array();
  return {number_of(v[0]), number_of(v[1]), number_of(v[2])};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

TEST_F(UppasdImports, InputsOfUppasdAreRecognised) {
  write(iron_files());
  EXPECT_TRUE(imports::is_uppasd_input(path_of("inpsd.dat")));
  for (const char* other : {"posfile", "momfile", "jfile", "missing"})
    EXPECT_FALSE(imports::is_uppasd_input(path_of(other))) << other;
  write({{"study.toml", "title = \"mode\"\n[lattice]\ncell = 1\nmode = 2\nbc = 3\nsym = 4\n"}});
  EXPECT_FALSE(imports::is_uppasd_input(path_of("study.toml")));
}

TEST_F(UppasdImports, ConvertedStudiesNameTheLinesOfTheInput) {
  write(iron_files());
  const auto iron = imports::import_file(path_of("inpsd.dat"));
  ASSERT_TRUE(iron);
  EXPECT_EQ(iron->program, "UppASD");
  const std::string toml = imports::commented_toml(*iron);
  EXPECT_TRUE(contains(toml, "inpsd.dat:14  temp 300.0 K"));
  EXPECT_TRUE(contains(toml, "jfile:1  1 1 0.5 0.5 0.5 1.33767484769984"));
}

TEST_F(UppasdImports, IronHasTheEnergyAndTheMeanFieldTemperatureOfUppasd) {
  const Import iron = import(iron_files());
  EXPECT_EQ(iron.program, "UppASD");
  EXPECT_TRUE(contains(all_notes(iron), "J0 = sum_j J_0j = 12.4098, 12.4098 mRy"));
  EXPECT_TRUE(contains(all_notes(iron), "-12.4098 mRy per atom"));
  EXPECT_TRUE(contains(all_notes(iron), "1306.2 K"));
  double sum = 0;
  for (const Value& table : at(iron.study, "exchange").as_array())
    sum += number_of(at(table, "J")) * static_cast<double>(at(table, "offset").as_array().size());
  EXPECT_NEAR(-sum / 2, -12.4098, 5e-5);
  EXPECT_EQ(at(iron.study, "units").as_string(), "material");
  EXPECT_EQ(at(iron.study, "constants").as_integer(), 2014);
}

TEST_F(UppasdImports, BondsOfEqualCouplingsShareATable) {
  const Import iron = import(iron_files());
  // Shells of the two sublattices: 0-1 for shells 1 and 4; 0-0 and 1-1 for shells 2 and 3.
  EXPECT_EQ(at(iron.study, "exchange").as_array().size(), 6U);
}

TEST_F(UppasdImports, ValuesHaveTheirPlacesInTheFiles) {
  const Import iron = import(iron_files());
  const SourcePosition J = at(iron.study, "exchange", 0, "J").where();
  EXPECT_EQ(J.file, path_of("jfile"));
  EXPECT_EQ(J.line, 1);
  EXPECT_EQ(J.column, 18);
  const SourcePosition temperature = at(iron.study, "stage", 0, "temperature").where();
  EXPECT_EQ(temperature.file, path_of("inpsd.dat"));
  EXPECT_EQ(temperature.line, 14);
  EXPECT_EQ(temperature.line_text, "temp 300.0 K");
  EXPECT_EQ(at(iron.study, "lattice", "moment", 1).where().file, path_of("momfile"));
  EXPECT_EQ(at(iron.study, "lattice", "basis", 1).where().line, 2);
  for (const Value::Entry& entry : at(iron.study, "stage", 0).as_table())
    EXPECT_GT(entry.value.where().line, 0) << entry.key;
}

TEST_F(UppasdImports, OrderCaseCommentsAndExponentsOfKeywordsDoNotMatter) {
  const Import iron = import(iron_files());
  auto files = iron_files();
  files["inpsd.dat"] =
      "# a comment\n"
      "! another\n"
      "% and one more\n"
      "* and the last.\n"
      "NSTEP 20.0\n"
      "TimeStep 1E-16 seconds\n"
      "Damping 1d-1 gamma\n"
      "TEMP 3.0D+02\n"
      "MODE s\n"
      "Do_Avrg y\n"
      "initmag 3 (1=random)\n"
      "sdealgh 5\n"
      "exchange jfile  Exchange file\n"
      "momfile momfile\n"
      "posfile posfile\n"
      "sym 1\n"
      "cell 1, 0, 0\n0, 1, 0\n0, 0, 1\n"
      "bc p p p\n"
      "ncell 4,4,4\n"
      "simid bccFe\n";
  EXPECT_EQ(to_toml(import(files).study), to_toml(iron.study));
}

TEST_F(UppasdImports, TheLastOfRepeatedKeywordsCounts) {
  const Import iron = this->iron("temp 10\n");
  EXPECT_EQ(at(iron.study, "stage", 0, "temperature").as_string(), "10 K");
  EXPECT_TRUE(contains(all_notes(iron), "temp stands on line 14 and on line 19"));
}

TEST_F(UppasdImports, KeywordsOfOutputAreReportedOnce) {
  const Import iron = this->iron("avrg_buff 10\ndo_prnstruct 1\nuse_vsl .false.\navrg_buff 20\n");
  EXPECT_TRUE(contains(all_notes(iron), "not needed: avrg_buff, do_prnstruct, use_vsl."));
}

TEST_F(UppasdImports, RowsThatNoListCountsAreReported) {
  const Import iron = this->iron("ip_mode N\nip_mcanneal 1\n10 100.0\n20 200.0\n");
  EXPECT_TRUE(
      contains(all_notes(iron), "line 22 is not read: ip_mcanneal does not count this row"));
}

struct Refusal {
  const char* name;
  const char* lines;    ///< added to the input of iron
  const char* problem;  ///< part of the message
  const char* remedy;

  friend void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }
};

class UppasdRefusals : public testing_support::UppasdInputs,
                       public testing::WithParamInterface<Refusal> {};

TEST_P(UppasdRefusals, NamePlaceProblemAndRemedy) {
  const Refusal& refusal = GetParam();
  auto files = iron_files();
  files["inpsd.dat"] += refusal.lines;
  const std::string message = this->refusal(files);
  EXPECT_TRUE(contains(message, refusal.problem));
  EXPECT_TRUE(contains(message, refusal.remedy));
  EXPECT_TRUE(contains(message, "inpsd.dat:"));
}

INSTANTIATE_TEST_SUITE_P(
    Inputs, UppasdRefusals,
    testing::Values(
        Refusal{"UnknownKeyword", "dampin 0.1\n", "'dampin'", "did you mean 'damping'?"},
        Refusal{"NumberInFront", "17 18\n", "begins with a number",
                "begin the line with a keyword"},
        Refusal{"NoNumber", "damping abc\n", "\"abc\"", "write a number"},
        Refusal{"Template", "temp TEMP\n", "'TEMP'", "the file is a template"},
        Refusal{"TemplateOfModes", "mode MODE\n", "'MODE'", "the file is a template"},
        Refusal{"NegativeTemperature", "temp -5\n", "negative", "at least 0"},
        Refusal{"NegativeDamping", "damping -1\n", "negative", "at least 0"},
        Refusal{"NoTimeStep", "timestep 0\n", "not positive", "in seconds"},
        Refusal{"FewValues", "ncell 4 4\n", "lacks", "on this line"},
        Refusal{"NoCells", "ncell 4 0 4\n", "less than 1", "at least 1"},
        Refusal{"Boundary", "BC P Q P\n", "'Q'", "write P or 0"},
        Refusal{"Symmetry", "Sym 9\n", "no Sym 9", "0 to 5"},
        Refusal{"MissingFile", "posfile nowhere\n", "nowhere", ""},
        Refusal{"MissingOperations", "Sym 4\n", "sym.mat", ""},
        Refusal{"Maptype", "maptype 4\n", "no maptype 4", "write 1"},
        Refusal{"ConeWithoutAngle", "Initmag 2\n", "theta0 is missing", "in radians"},
        Refusal{"ConeOfHalfATurn", "Initmag 2\ntheta0 0.3\nphi0 3.14159265\n", "a part of a cone",
                "a full turn"},
        Refusal{"ConeOfNoAngle", "Initmag 2\ntheta0 0\nphi0 6.2831853\n", "not positive",
                "in radians"},
        Refusal{"ConeOfFullMoment", "Initmag 2\nmavg0 1\n", "leaves no cone", "below 1"},
        Refusal{"TurnedCone", "Initmag 2\nmavg0 0.5\nroteul 1\nrotang 1 2 3\n", "turns the cone",
                "set roteul 0"},
        Refusal{"TurnedSigns", "Initmag 5\nroteul 2\nrotang 1 2 3\n", "random signs", "0 or 1"},
        Refusal{"EndsOfAPath", "Initmag 7\n", "both ends of a path", "momfile_f"},
        Refusal{"Spirals", "ip_mode Q\n", "spirals of lowest energy", "Initmag 8"},
        Refusal{"NoRestart", "Initmag 4\nrestartfile nowhere\n", "nowhere", "Initmag 1 or 3"},
        Refusal{"Mode", "mode X\n", "mode X", "write S"},
        Refusal{"InitialMode", "ip_mode SX\n", "ip_mode SX", "write N"},
        Refusal{"Solver", "SDEalgh 21\n", "solver 21", "1 to 7"},
        Refusal{"ShortList", "ip_mode S\nip_nphase 2\n10 1 1e-16 0.1\n", "counts 2 rows, but 1",
                "next lines"},
        Refusal{"HugeList", "ip_mode M\nip_mcanneal 1\n1e300 1\n", "number of sweeps",
                "at most 1e12"},
        Refusal{"BrokenSteps", "ip_mode S\nip_nphase 1\n1.5 1 1e-16 1\n", "number of steps is 1.5",
                "whole number"},
        Refusal{"ShortRow", "ip_mode S\nip_nphase 1\n10 1 1e-16\n", "3 of 4 columns", "damping"},
        Refusal{"LongitudinalFluctuations", "do_lsf Y\n", "longitudinal", "off value"},
        Refusal{"RingExchange", "ring ./ring\n", "ring exchange", "four spins"},
        Refusal{"PeriodicDipoles", "do_dip 1\n", "periodic images", "BC 0 0 0"},
        Refusal{"SiteDamping", "do_site_damping Y\n", "damping by site", "list of damping"},
        Refusal{"Torque", "stt S\njvec 1 0 0\n", "stt S", "N, A or F"},
        Refusal{"TorqueWithoutCurrent", "stt A\n", "jvec is missing", "write `jvec`"},
        Refusal{"Spectra", "do_sc Q\n", "qpoints is missing", "qpoints C"},
        Refusal{"Points", "do_sc Q\nqpoints X\n", "qpoints X", "write F or D"}),
    testing_support::by_name);

TEST_F(UppasdImports, RefusedKeywordsMayBeOff) {
  EXPECT_EQ(refusal_of_iron("do_lsf N\nllg 1\nset_landeg 0\ndo_bpulse 0\nind_mom_flag n\n"
                            "damping2 0.0\ngradient N\n"),
            "accepted");
}

TEST_F(UppasdImports, MissingKeywordsAreNamed) {
  for (const auto& [line, keyword] : {std::pair("ncell 4 4 4   System size\n", "ncell"),
                                      {"posfile ./posfile\n", "posfile"},
                                      {"momfile ./momfile\n", "momfile"},
                                      {"exchange ./jfile\n", "exchange"},
                                      {"mode S\n", "mode"},
                                      {"Nstep 20\n", "Nstep"},
                                      {"Initmag 3\n", "restart"}}) {
    auto files = iron_files();
    files["inpsd.dat"] = replaced(files["inpsd.dat"], line, "");
    EXPECT_TRUE(contains(refusal(files), keyword)) << keyword;
  }
}

TEST_F(UppasdImports, ShortAndContradictoryFilesAreRefused) {
  struct Fault {
    const char* file;
    const char* text;
    const char* part;
  };
  for (const Fault& fault :
       {Fault{"momfile", "1 1 2.23 0 0 1\n", "the moment of site 2 is missing"},
        {"momfile", "1 1 2.23 0 0 1\n2 1 0 0 0 1\n", "the moment is zero"},
        {"momfile", "1 1 2.23 0 0 0\n2 1 2 0 0 1\n", "direction of the moment is zero"},
        {"momfile", "1 1 2.23 0 0\n2 1 2 0 0 1\n", "5 of 6 columns"},
        {"momfile", "1 1 2.23 0 0 1\n1 1 2 0 0 1\n", "already on line 1"},
        {"momfile", "1 2 2.23 0 0 1\n2 1 2 0 0 1\n", "no chemical type 2"},
        {"posfile", "1 1 0 0 0\n3 1 .5 .5 .5\n", "beyond the number of rows"},
        {"posfile", "", "lists no sites"},
        {"posfile", "1 1 0 0 0\n2 1 0 0 0\n", "equal positions"},
        {"jfile", "1 3 0.5 0.5 0.5 1\n", "no site 3"},
        {"jfile", "1 1 0.5 0.5 1\n", "5 of 6 columns"},
        {"jfile", "1 1 0.25 0.5 0.5 1\n", "no vector leads to an atom"},
        {"jfile", "1 1 .5 .5 .5 1\n1 1 -.5 .5 .5 1\n", "Sym already gives"}}) {
    auto files = iron_files();
    files[fault.file] = fault.text;
    EXPECT_TRUE(contains(refusal(files), fault.part)) << fault.file << ": " << fault.text;
  }
}

TEST_F(UppasdImports, DirectPositionsAndCellOffsetsGiveTheSameBonds) {
  const std::map<std::string, std::string> honeycomb{
      {"inpsd.dat",
       "ncell 4 4 1\nBC P P 0\ncell 1 0 0\n-0.5 0.866025403784 0\n0 0 5\nposfile posfile\n"
       "momfile momfile\nexchange jfile\nInitmag 1\nmode S\nNstep 1\n"},
      {"posfile", "1 1 0 0 0\n2 2 0 0.577350269190 0\n"},
      {"momfile", "1 1 1 0 0 1\n2 1 1 0 0 1\n"},
      {"jfile",
       "1 2 0 0.57735 0 1\n1 2 0.5 -0.288675 0 1\n1 2 -0.5 -0.288675 0 1\n"
       "2 1 0 -0.57735 0 1\n2 1 -0.5 0.288675 0 1\n2 1 0.5 0.288675 0 1\n"}};
  const std::string expected = to_toml(at(import(honeycomb).study, "exchange", 0));
  EXPECT_TRUE(contains(expected, "[0, 0, 0]"));
  auto direct = honeycomb;
  direct["inpsd.dat"] += "posfiletype D\nmaptype 2\n";
  direct["posfile"] = "1 1 0 0 0\n2 2 0.333333333333 0.666666666667 0\n";
  direct["jfile"] =
      "1 2 0 0 0 1\n1 2 0 -1 0 1\n1 2 -1 -1 0 1\n2 1 0 0 0 1\n2 1 0 1 0 1\n2 1 1 1 0 1\n";
  EXPECT_EQ(to_toml(at(import(direct).study, "exchange", 0)), expected);
  // With maptype 3, cells count from the position as written; maptype 2 counts from the folded one.
  auto unfolded = direct;
  unfolded["inpsd.dat"] += "maptype 3\n";
  unfolded["posfile"] = "1 1 0 0 0\n2 2 1.333333333333 0.666666666667 0\n";
  unfolded["jfile"] =
      "1 2 -1 0 0 1\n1 2 -1 -1 0 1\n1 2 -2 -1 0 1\n2 1 1 0 0 1\n2 1 1 1 0 1\n2 1 2 1 0 1\n";
  EXPECT_EQ(to_toml(at(import(unfolded).study, "exchange", 0)), expected);
}

TEST_F(UppasdImports, VectorsHaveTheUnitsOfDirectPositions) {
  auto files = chain_files();
  files["inpsd.dat"] = replaced(files["inpsd.dat"], "0 0 1\n", "0 0 2\n") + "posfiletype D\n";
  files["jfile"] = "1 1 0 0 1 0.5\n";
  const Import chain = import(files);
  EXPECT_TRUE(has_note(chain, "in units of the cell"));
  EXPECT_EQ(to_toml_value(at(chain.study, "exchange", 0, "offset")), "[[0, 0, 1]]");
  // If this vector were Cartesian, it would lead to the next atom.
  files["jfile"] = "1 1 0 0 2 0.5\n";
  files["inpsd.dat"] += "bq ./bqfile\n";
  files["bqfile"] = "1 1 0 0 2 0.25\n";
  EXPECT_EQ(to_toml_value(at(import(files).study, "exchange", 0, "offset")), "[[0, 0, 2]]");
  EXPECT_EQ(to_toml_value(at(import(files).study, "biquadratic", 0, "offset")), "[[0, 0, 1]]");
}

TEST_F(UppasdImports, SymmetryCompletesBiquadraticCouplingsAndNoChiralOnes) {
  auto files = chain_files();
  files["inpsd.dat"] += "bq ./bqfile\n";
  files["bqfile"] = "1 1 0 0 1 0.25\n";
  EXPECT_EQ(number_of(at(import(files).study, "biquadratic", 0, "b")), 0.5);
  files["inpsd.dat"] += "dm ./dmfile\n";
  files["dmfile"] = "1 1 0 0 1 0 0 0.36\n";
  EXPECT_TRUE(contains(refusal(files), "no row for the reverse bond"));
}

TEST_F(UppasdImports, OperationsOfAFileCompleteVectors) {
  auto files = chain_files();
  files["inpsd.dat"] = replaced(files["inpsd.dat"], "Sym 1", "Sym 4");
  files["sym.mat"] = "2\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n0 -1 0\n0 0 -1\n";
  EXPECT_EQ(number_of(at(import(files).study, "exchange", 0, "J")), 1);
  files["sym.mat"] = "1\n1 0 0\n0 1 0\n0 0 1\n";
  EXPECT_TRUE(contains(refusal(files), "no row for the reverse bond"));
  files["sym.mat"] = "2\n1 0 0\n0 1 0\n0 0 1\n";
  EXPECT_TRUE(contains(refusal(files), "ends before the last operation"));
}

TEST_F(UppasdImports, OperationsOfATypeStandByColumns) {
  auto files = chain_files();
  files["inpsd.dat"] = replaced(files["inpsd.dat"], "ncell 1 1 24", "ncell 5 5 5");
  files["inpsd.dat"] = replaced(files["inpsd.dat"], "BC 0 0 P", "BC P P P");
  files["jfile"] = "1 1 0 0 1 0.5\n1 1 0 0 -1 0.5\n";
  files["sym.mat"] = "2\n1 0 0\n0 1 0\n0 0 1\n0 1 0\n0 0 1\n1 0 0\n";
  // By rows the second matrix takes z to y, and by columns to x.
  for (const auto& [sym, along] : {std::pair("Sym 4", 1), {"Sym 5", 0}}) {
    files["inpsd.dat"] = replaced(files["inpsd.dat"], "Sym 1", sym);
    const Import given = import(files);
    files["inpsd.dat"] = replaced(files["inpsd.dat"], sym, "Sym 1");
    const Value& offsets = at(given.study, "exchange", 0, "offset");
    ASSERT_EQ(offsets.as_array().size(), 2U);
    std::array<int, 3> sum{};
    for (int bond = 0; bond < 2; ++bond)
      for (int d = 0; d < 3; ++d)
        sum[static_cast<std::size_t>(d)] += static_cast<int>(at(offsets, bond, d).as_integer());
    std::array<int, 3> expected{0, 0, 1};
    expected[static_cast<std::size_t>(along)] = 1;
    EXPECT_EQ(sum, expected) << sym;
  }
}

TEST_F(UppasdImports, OnlyOneOfTwoBondsBetweenTwoAtomsIsToldAsADifference) {
  auto files = chain_files();
  files["inpsd.dat"] = replaced(files["inpsd.dat"], "ncell 1 1 24", "ncell 1 1 2");
  EXPECT_TRUE(has_note(import(files), "exchange: 1 bonds of the cell lead around the lattice"));
  files["inpsd.dat"] += "map_multiple T\n";
  EXPECT_FALSE(has_note(import(files), "bonds of the cell lead around"));
  files = chain_files();
  files["inpsd.dat"] = replaced(files["inpsd.dat"], "ncell 1 1 24", "ncell 1 1 3");
  EXPECT_FALSE(has_note(import(files), "bonds of the cell lead around"));
  // Neighbours of an open lattice have no images.
  files["inpsd.dat"] = replaced(files["inpsd.dat"], "ncell 1 1 3", "ncell 1 1 2");
  files["inpsd.dat"] = replaced(files["inpsd.dat"], "BC 0 0 P", "BC 0 0 0");
  EXPECT_FALSE(has_note(import(files), "bonds of the cell lead around"));
}

TEST_F(UppasdImports, AntiferromagnetsOfOneSiteHaveNoMeanFieldTemperature) {
  auto files = chain_files();
  files["jfile"] = "1 1 0 0 1 -0.5\n";
  EXPECT_TRUE(has_note(import(files), "The mean-field T_c is 0"));
  files["jfile"] = "1 1 0 0 1 0.5\n";
  EXPECT_TRUE(has_note(import(files), "The mean-field T_c is 105.3 K"));
}

TEST_F(UppasdImports, RepeatedVectorsTakeTheLastCoupling) {
  auto files = chain_files();
  files["jfile"] = "1 1 0 0 1 0.5\n1 1 0 0 1 0.75\n";
  const Import chain = import(files);
  EXPECT_EQ(number_of(at(chain.study, "exchange", 0, "J")), 1.5);
  EXPECT_TRUE(has_note(chain, "the last row counts"));
}

TEST_F(UppasdImports, VectorsToNoAtomAndToTheAtomItselfAreReported) {
  auto files = chain_files();
  files["jfile"] = "1 1 0 0 1 0.5\n1 1 0 0 0.5 1\n1 1 0 0 24 1\n";
  const Import chain = import(files);
  EXPECT_EQ(at(chain.study, "exchange").as_array().size(), 1U);
  EXPECT_TRUE(has_note(chain, "1 vectors lead to no atom"));
  EXPECT_TRUE(has_note(chain, "couple an atom with itself"));
}

TEST_F(UppasdImports, ChiralVectorsKeepTheirSignAndDouble) {
  auto files = chain_files();
  files["inpsd.dat"] += "dm ./dmfile\n";
  files["dmfile"] = "1 1 0 0 1 0 0 0.36\n1 1 0 0 -1 0 0 -0.36\n";
  const Import chain = import(files);
  testing_support::expect_near(vector_of(at(chain.study, "dmi", 0, "D")), {0, 0, 0.72});
  EXPECT_EQ(to_toml_value(at(chain.study, "dmi", 0, "offset")), "[[0, 0, 1]]");
  files["dmfile"] = "1 1 0 0 1 0 0 0.36\n";
  EXPECT_TRUE(contains(refusal(files), "no row for the reverse bond"));
  files["dmfile"] = "1 1 0 0 1 0 0 0.36\n1 1 0 0 -1 0 0 0.36\n";
  EXPECT_TRUE(contains(refusal(files), "contradict each other"));
}

TEST_F(UppasdImports, TensorsAreReadByRows) {
  auto files = chain_files();
  files["inpsd.dat"] =
      replaced(files["inpsd.dat"], "Sym 1", "Sym 0") + "do_jtensor 1\ncalc_jtensor F\n";
  files["jfile"] = "1 1 0 0 1  1 2 3 4 5 6 7 8 9\n1 1 0 0 -1  1 4 7 2 5 8 3 6 9\n";
  const Import chain = import(files);
  const Value& A = at(chain.study, "exchange-tensor", 0, "A");
  testing_support::expect_near(vector_of(at(A, 0)), {2, 4, 6});
  testing_support::expect_near(vector_of(at(A, 2)), {14, 16, 18});
  // Symmetry would have to turn this tensor.
  files["inpsd.dat"] = replaced(files["inpsd.dat"], "Sym 0", "Sym 1");
  EXPECT_TRUE(contains(refusal(files), "would have to be turned"));
  // Isotropic tensors are plain couplings.
  files["jfile"] = "1 1 0 0 1  2 0 0 0 2 0 0 0 2\n";
  const Import isotropic = import(files);
  EXPECT_EQ(number_of(at(isotropic.study, "exchange", 0, "J")), 4);
  EXPECT_EQ(isotropic.study.find("exchange-tensor"), nullptr);
}

TEST_F(UppasdImports, WithoutCalcJtensorTensorsHaveOneNumber) {
  auto files = chain_files();
  files["inpsd.dat"] += "do_jtensor 1\n";
  files["jfile"] = "1 1 0 0 1  2 0 0 0 3 0 0 0 4\n";
  const Import chain = import(files);
  EXPECT_EQ(number_of(at(chain.study, "exchange", 0, "J")), 4);
  EXPECT_TRUE(has_note(chain, "calc_jtensor"));
}

TEST_F(UppasdImports, BiquadraticCouplingsDouble) {
  auto files = chain_files();
  files["inpsd.dat"] += "bq bqfile\n";
  files["bqfile"] = "1 1 0 0 1 0.25\n";
  EXPECT_EQ(number_of(at(import(files).study, "biquadratic", 0, "b")), 0.5);
}

TEST_F(UppasdImports, ScalesMultiplyCouplings) {
  auto files = chain_files();
  files["inpsd.dat"] += "jij_scale 2.0\ndm dmfile\ndm_scale -1\n";
  files["dmfile"] = "1 1 0 0 1 0 0 1\n1 1 0 0 -1 0 0 -1\n";
  const Import chain = import(files);
  EXPECT_EQ(number_of(at(chain.study, "exchange", 0, "J")), 2);
  EXPECT_EQ(vector_of(at(chain.study, "dmi", 0, "D")).z, -2);
}

/// Energy of the tables [[anisotropy]] and [[cubic-anisotropy]] of a spin.
double table_energy(const Value& study, const Vec3<double>& e) {
  double energy = 0;
  const auto strength = [](const Value& table, const char* key) {
    const Value* const value = table.find(key);
    return value != nullptr ? number_of(*value) : 0;
  };
  if (const Value* tables = study.find("anisotropy"))
    for (const Value& table : tables->as_array()) {
      const Vec3<double> axis = vector_of(at(table, "axis"));
      const double c2 = std::pow(dot(axis, e), 2) / dot(axis, axis);
      energy -= strength(table, "K") * c2 + strength(table, "K4") * c2 * c2 +
                strength(table, "K6") * c2 * c2 * c2;
    }
  if (const Value* tables = study.find("cubic-anisotropy"))
    for (const Value& table : tables->as_array())
      energy -= strength(table, "K4") * (std::pow(e.x, 4) + std::pow(e.y, 4) + std::pow(e.z, 4));
  return energy;
}

TEST_F(UppasdImports, AnisotropiesHaveTheEnergiesOfUppasdsFields) {
  const Vec3<double> axis{0.6, 0, 0.8};
  for (const auto& [type, ratio] : {std::pair(1, 0.0), {2, 0.0}, {7, 0.4}}) {
    auto files = chain_files();
    files["inpsd.dat"] += "anisotropy kfile\n";
    files["kfile"] = "1 " + std::to_string(type) + " -0.3 0.7 1.2 0 1.6 " + std::to_string(ratio);
    const Import chain = import(files);
    const auto energy = [&, type = type, ratio = ratio](const Vec3<double>& e) {
      const double c = dot(axis, e), K1 = -0.3, K2 = 0.7;
      const double uniaxial = K1 * c * c + K2 * (2 * c * c - std::pow(c, 4));
      const double xx = e.x * e.x, yy = e.y * e.y, zz = e.z * e.z;
      const double cubic = -K1 * (xx * yy + yy * zz + zz * xx) - K2 * xx * yy * zz;
      return type == 1 ? uniaxial : type == 2 ? cubic : uniaxial + ratio * cubic;
    };
    const Vec3<double> first{0, 0, 1};
    const double constant = table_energy(chain.study, first) - energy(first);
    for (int n = 0; n < 20; ++n) {
      const Vec3<double> v{std::sin(n + 1.0), std::cos(3.0 * n), std::sin(7.0 * n + 2)};
      const Vec3<double> e = (1 / length(v)) * v;
      EXPECT_NEAR(table_energy(chain.study, e) - constant, energy(e), 1e-12) << type;
    }
  }
}

TEST_F(UppasdImports, SitesOfOneTypeMayHaveDifferentAnisotropies) {
  auto files = iron_files();
  files["inpsd.dat"] += "anisotropy kfile\n";
  files["kfile"] = "1 1 -0.1 0 0 0 1 0\n2 1 -0.1 0 0 0 1 0\n";
  const Import equal = import(files);
  EXPECT_EQ(at(equal.study, "anisotropy").as_array().size(), 1U);
  EXPECT_EQ(at(equal.study, "anisotropy", 0).find("species"), nullptr);
  files["kfile"] = "1 1 -0.1 0 0 0 1 0\n2 1 -0.2 0 0 0 1 0\n";
  const Import different = import(files);
  EXPECT_EQ(at(different.study, "anisotropy", 1, "species").as_string(), "1-2");
  EXPECT_EQ(at(different.study, "lattice", "species", 1).as_string(), "1-2");
  files["kfile"] = "1 1 -0.1 0 0 0 1 0\n";
  EXPECT_TRUE(contains(refusal(files), "the anisotropy of site 2 is missing"));
  files["kfile"] += "2 0 0 0 0 0 1 0\n1 1 -0.1 0 1 0 0 0\n2 0 0 0 0 0 1 0\n";
  EXPECT_TRUE(contains(refusal(files), "set mult_axis Y"));
  files["inpsd.dat"] += "mult_axis Y\n";
  EXPECT_EQ(at(import(files).study, "anisotropy").as_array().size(), 2U);
}

TEST_F(UppasdImports, AtomicUnitsAreReducedUnits) {
  auto files = chain_files();
  files["inpsd.dat"] += "aunits Y\ntemp 0.25\nhfield 0 0 0.5\ntimestep 0.01\n";
  const Import chain = import(files);
  EXPECT_EQ(at(chain.study, "units").as_string(), "reduced");
  EXPECT_EQ(chain.study.find("constants"), nullptr);
  EXPECT_EQ(at(chain.study, "exchange", 0, "J").as_number(), 1);
  EXPECT_EQ(at(chain.study, "field", "B", 2).as_number(), 0.5);
  EXPECT_EQ(at(chain.study, "stage", 0, "temperature").as_number(), 0.25);
  EXPECT_EQ(at(chain.study, "stage", 0, "timestep").as_number(), 0.01);
}

TEST_F(UppasdImports, AnAllZeroCellIsACube) {
  auto files = chain_files();
  files["inpsd.dat"] =
      replaced(files["inpsd.dat"], "cell 1 0 0\n0 1 0\n0 0 1\n", "cell 0 0 0\n0 0 0\n0 0 0\n");
  EXPECT_EQ(to_toml_value(at(import(files).study, "lattice", "cell")),
            to_toml_value(at(import(chain_files()).study, "lattice", "cell")));
  files["inpsd.dat"] = replaced(files["inpsd.dat"], "cell 0 0 0\n", "cell 1 0 0\n");
  EXPECT_TRUE(contains(refusal(files), "cell"));
}

TEST_F(UppasdImports, PositionsAreFoldedIntoTheCell) {
  auto files = iron_files();
  files["posfile"] = "1 1 0.0 0.0 0.0\n2 1 -0.5 1.5 0.5\n";
  const Import iron = import(files);
  testing_support::expect_near(vector_of(at(iron.study, "lattice", "basis", 1)), {0.5, 0.5, 0.5});
  EXPECT_TRUE(contains(all_notes(iron), "-12.4098 mRy per atom"));
}

TEST_F(UppasdImports, RandomAlloysReplaceChemicalTypes) {
  auto files = chain_files();
  files["inpsd.dat"] += "do_ralloy 1\n";
  files["posfile"] = "1 1 1 0.6 0 0 0\n1 1 2 0.3 0 0 0\n";
  files["momfile"] = "1 1 2.0 0 0 1\n1 2 1.0 0 0 1\n";
  files["jfile"] = "1 1 1 1 0 0 1 1.0\n1 1 1 2 0 0 1 0.5\n1 1 2 1 0 0 1 0.5\n1 1 2 2 0 0 1 0.1\n";
  const Import alloy = import(files);
  EXPECT_EQ(at(alloy.study, "lattice", "species", 0).as_string(), "1-1");
  const Value& tables = at(alloy.study, "alloy");
  EXPECT_EQ(tables.as_array().size(), 2U);
  EXPECT_EQ(at(tables, 0, "by").as_string(), "1-2");
  EXPECT_NEAR(at(tables, 0, "fraction").as_number(), 0.3, 1e-12);
  EXPECT_EQ(number_of(at(tables, 0, "moment")), 1);
  EXPECT_EQ(at(tables, 1, "by").as_string(), "vacancy");
  EXPECT_NEAR(at(tables, 1, "fraction").as_number(), 0.1, 1e-12);
  // A bond of two types is not its own reverse: forward 1-2 and forward 2-1.
  EXPECT_EQ(at(alloy.study, "exchange").as_array().size(), 4U);
  EXPECT_EQ(at(alloy.study, "exchange", 1, "between", 1).as_string(), "1-2");
  files["jfile"] = "1 1 1 2 0 0 1 0.5\n";
  EXPECT_TRUE(contains(refusal(files), "no row for the reverse bond"));
  files["posfile"] = "1 1 1 0.6 0 0 0\n1 1 2 0.5 0 0 0\n";
  EXPECT_TRUE(contains(refusal(files), "add up to 1.1"));
}

TEST_F(UppasdImports, InitialStatesBecomeTables) {
  auto files = iron_files();
  files["momfile"] = "1 1 2.23 0 0 1\n2 1 2.23 0 0 -1\n";
  const Value two = at(import(files).study, "initial");
  EXPECT_EQ(at(two, "state").as_string(), "sublattices");
  EXPECT_EQ(vector_of(at(two, "directions", 1)).z, -1);
  EXPECT_EQ(at(at(iron("").study, "initial"), "state").as_string(), "aligned");
  EXPECT_EQ(at(at(iron("Initmag 1\n").study, "initial"), "state").as_string(), "random");
  const Value cone = at(iron("Initmag 2\ntheta0 0.5\nphi0 6.2831853\n").study, "initial");
  EXPECT_EQ(to_toml_value(cone), "{ state = \"cone\", angle = \"0.5 rad\" }");
  const Value of_moment = at(iron("Initmag 2\nmavg0 0.5\n").study, "initial");
  EXPECT_NEAR(number_of(at(of_moment, "angle")), 2 * std::acos(0.5), 1e-15);
  const Value signs = at(iron("Initmag 5\n").study, "initial");
  EXPECT_EQ(to_toml_value(signs), "{ state = \"random-signs\", direction = [0.0, 0.0, 1.0] }");
  files = iron_files();
  files["inpsd.dat"] += "Initmag 4\nrestartfile ./start\n";
  files["start"] = "# header\n";
  const Value restart = at(import(files).study, "initial");
  EXPECT_EQ(at(restart, "state").as_string(), "file");
  EXPECT_EQ(at(restart, "file").as_string(), "./start");
}

TEST_F(UppasdImports, EulerAnglesTurnDirections) {
  const Value turned = at(iron("roteul 1\nrotang 0.0 60.0 90.0\n").study, "initial", "direction");
  // UppASD's degree has the factor 3.1415 / 180.
  const double theta = 60 * 3.1415 / 180, psi = 90 * 3.1415 / 180;
  testing_support::expect_near(
      vector_of(turned),
      {std::sin(psi) * std::sin(theta), std::cos(psi) * std::sin(theta), std::cos(theta)});
  auto files = iron_files();
  files["momfile"] = "1 1 2.23 0 3 4\n2 1 2.23 0 3 4\n";
  files["inpsd.dat"] += "roteul 2\nrotang 0 0 0\n";
  const Vec3<double> x = vector_of(at(import(files).study, "initial", "direction"));
  testing_support::expect_near((1 / length(x)) * x, {1, 0, 0});
}

TEST_F(UppasdImports, SpiralsTurnTheDirectionOfTheMomfile) {
  auto files = chain_files();
  files["momfile"] = "1 1 1.0 1 0 0\n";
  files["inpsd.dat"] += "Initmag 8\ninitpropvec 0 0 0.25\ninitrotvec 0 0 2\ninitrotang 90\n";
  const Value spiral = at(import(files).study, "initial");
  EXPECT_EQ(at(spiral, "state").as_string(), "spiral");
  testing_support::expect_near(vector_of(at(spiral, "direction")), {0, 1, 0});
  EXPECT_EQ(vector_of(at(spiral, "q")).z, 0.25);
}

TEST_F(UppasdImports, InitialPhasesAreStages) {
  const Value annealed =
      at(iron("ip_mode M\nip_mcanneal 2\n100 600 1e-16 0.5\n50 0.0\n").study, "stage");
  EXPECT_EQ(annealed.as_array().size(), 3U);
  EXPECT_EQ(at(annealed, 0, "kind").as_string(), "monte-carlo");
  EXPECT_EQ(at(annealed, 0, "sampler").as_string(), "metropolis");
  EXPECT_EQ(at(annealed, 0, "temperature").as_string(), "600 K");
  EXPECT_EQ(at(annealed, 0, "thermalisation").as_integer() + at(annealed, 0, "sweeps").as_integer(),
            100);
  EXPECT_EQ(at(annealed, 1, "temperature").as_string(), "1e-12 K");
  const Value heat_bath = at(iron("ip_mode H\nip_temp 50\nip_mcNstep 10\n").study, "stage");
  EXPECT_EQ(at(heat_bath, 0, "sampler").as_string(), "heat-bath");
  EXPECT_EQ(at(heat_bath, 0, "temperature").as_string(), "50 K");
  const Value dynamics =
      at(iron("ip_mode S\nip_nphase 1\n200 10 1e-15 0.5\nip_hfield 0 0 2\nhfield 0 0 0.5\n").study,
         "stage");
  EXPECT_EQ(at(dynamics, 0, "kind").as_string(), "dynamics");
  EXPECT_EQ(at(dynamics, 0, "timestep").as_string(), "1e-15 s");
  EXPECT_EQ(at(dynamics, 0, "damping").as_number(), 0.5);
  EXPECT_EQ(at(dynamics, 0, "pulse", 0, "B", 2).as_string(), "1.5 T");
  // Without ip_hfield, the initial phase has no field.
  const Value without =
      at(iron("ip_mode M\nip_temp 50\nip_mcNstep 10\nhfield 0 0 3\n").study, "stage");
  EXPECT_EQ(at(without, 0, "added_field", 2).as_string(), "-3 T");
  EXPECT_EQ(at(without, 1).find("added_field"), nullptr);
  const Value minimised = at(iron("ip_mode G\n").study, "stage");
  EXPECT_EQ(at(minimised, 0, "kind").as_string(), "minimise");
}

TEST_F(UppasdImports, SolversBecomeSchemes) {
  for (const auto& [number, scheme] : {std::pair("1", "semi-implicit"),
                                       {"2", "heun"},
                                       {"4", "heun"},
                                       {"5", "depondt"},
                                       {"6", "midpoint"},
                                       {"7", "midpoint"}})
    EXPECT_EQ(at(iron(std::string("SDEalgh ") + number + "\n").study, "stage", 0, "integrator")
                  .as_string(),
              scheme);
  EXPECT_TRUE(has_note(iron("SDEalgh 3\n"), "SDEalgh 3 becomes"));
  EXPECT_FALSE(has_note(iron("SDEalgh 5\n"), "SDEalgh"));
}

TEST_F(UppasdImports, ATemperatureWithoutDampingHasNoHeatBath) {
  const Import free = iron("damping 0\n");
  EXPECT_EQ(at(free.study, "stage", 0).find("temperature"), nullptr);
  EXPECT_TRUE(has_note(free, "no effect without damping"));
}

TEST_F(UppasdImports, MonteCarloMeasuresAveragesAndTrajectories) {
  const Value stage = at(iron("mode M\nmcNstep 400\ndo_cumu Y\ncumu_step 20\ndo_tottraj Y\n"
                              "tottraj_step 100\nskyno T\nMensemble 3\n")
                             .study,
                         "stage", 0);
  EXPECT_EQ(at(stage, "sweeps").as_integer(), 400);
  EXPECT_EQ(at(stage, "measure_every").as_integer(), 20);
  EXPECT_EQ(at(stage, "trajectory_every").as_integer(), 5);
  EXPECT_EQ(at(stage, "keep_configurations").as_integer(), 3);
  EXPECT_TRUE(contains(to_toml_value(at(stage, "measure")), "topological-charge"));
}

TEST_F(UppasdImports, SpectraHaveAStageOfTheirSamples) {
  auto files = iron_files();
  files["inpsd.dat"] += "do_sc Q\nsc_step 2\nsc_nstep 5\nsc_window_fun 2\nqpoints F\nqfile qfile\n";
  files["qfile"] = " 2\n0.5 0 0\n0.5 0.5 0\n";
  const Import iron = import(files);
  const Value& stages = at(iron.study, "stage");
  EXPECT_EQ(at(stages, 0, "steps").as_integer(), 10);
  EXPECT_EQ(at(stages, 1, "steps").as_integer(), 10);
  const Value& measured = at(stages, 0, "measure").as_array().back();
  EXPECT_EQ(at(measured, "what").as_string(), "structure-factor");
  EXPECT_EQ(at(measured, "every").as_integer(), 2);
  EXPECT_EQ(at(measured, "window").as_string(), "hann");
  testing_support::expect_near(vector_of(at(measured, "q", 1)), {0.5, 0.5, 0});
  EXPECT_FALSE(contains(to_toml_value(at(stages, 1, "measure")), "structure-factor"));
  files["inpsd.dat"] += "sc_nstep 1000\n";
  EXPECT_EQ(at(import(files).study, "stage").as_array().size(), 1U);
  files["qfile"] = " 3\n0.5 0 0\n0.5 0.5 0\n";
  EXPECT_TRUE(contains(refusal(files), "announces 3 wave vectors, and has 2"));
}

TEST_F(UppasdImports, CartesianWaveVectorsBecomeReciprocalUnits) {
  auto files = chain_files();
  files["inpsd.dat"] = replaced(files["inpsd.dat"], "0 0 1\n", "0 0 2\n");
  files["jfile"] = "1 1 0 0 2 0.5\n";
  files["inpsd.dat"] += "do_sc C\nqpoints F\nqfile qfile\n";
  files["qfile"] = "1\n0 0 0.125 label\n";
  const auto q = [&] {
    return vector_of(at(import(files).study, "stage", 0, "measure")
                         .as_array()
                         .back()
                         .find("q")
                         ->as_array()[0])
        .z;
  };
  EXPECT_NEAR(q(), 0.25, 1e-12);
  files["inpsd.dat"] += "qpoints D\n";
  EXPECT_NEAR(q(), 0.125, 1e-12);
}

TEST_F(UppasdImports, EnergiesOfSpectraGiveStepAndSamples) {
  auto files = iron_files();
  files["inpsd.dat"] += "do_sc Q\nqpoints C\nsc_emax 50\nsc_eres 5\nNstep 1000\n";
  const Import iron = import(files);
  const Value::Array& all = at(iron.study, "stage", 0, "measure").as_array();
  const auto spectrum = std::find_if(all.begin(), all.end(), [](const Value& entry) {
    return entry.find("connected") != nullptr;
  });
  ASSERT_NE(spectrum, all.end());
  // pi hbar / (1e-16 s * 50 mRy) = 30.39
  EXPECT_EQ(at(*spectrum, "every").as_integer(), 30);
  // With two atoms in the cell, S(q) of q and of q + G differ, and UppASD's q lie around 0.
  EXPECT_EQ(at(*spectrum, "q").as_array().size(), 64U);
  EXPECT_EQ(to_toml_value(at(*spectrum, "q", 0)), "[-0.25, -0.25, -0.25]");
}

TEST_F(UppasdImports, AllWaveVectorsOfOneAtomAreAGrid) {
  auto files = chain_files();
  files["inpsd.dat"] += "do_sc Q\nqpoints C\nsc_step 1\nsc_nstep 5\n";
  const Import chain = import(files);
  const Value::Array& all = at(chain.study, "stage", 0, "measure").as_array();
  const auto spectrum = std::find_if(all.begin(), all.end(), [](const Value& entry) {
    return entry.find("connected") != nullptr;
  });
  ASSERT_NE(spectrum, all.end());
  EXPECT_TRUE(at(*spectrum, "grid").as_boolean());
}

TEST_F(UppasdImports, CumulantsAndAveragesShareSamples) {
  auto files = iron_files();
  files["inpsd.dat"] += "do_cumu Y\navrg_step 100\ncumu_step 30\nNstep 1000\nMensemble 3\n";
  const Import import = this->import(files);
  const Value& stage = at(import.study, "stage", 0);
  EXPECT_EQ(at(stage, "measure", 0, "every").as_integer(), 10);
  EXPECT_EQ(at(stage, "keep_configurations").as_integer(), 3);
}

TEST_F(UppasdImports, AdiabaticMagnonsAreSpinWaves) {
  const Import iron = this->iron("do_ams Y\nqpoints C\ndo_magdos Y\nmagdos_freq 50\n");
  const Value& waves = at(iron.study, "stage", 0);
  EXPECT_EQ(at(waves, "kind").as_string(), "spin-waves");
  EXPECT_EQ(at(waves, "ground_state", "state").as_string(), "aligned");
  EXPECT_EQ(at(waves, "density_of_states", "bins").as_integer(), 50);
  EXPECT_TRUE(has_note(iron, "1.00116"));
}

TEST_F(UppasdImports, PathsHaveTheEnsemblesAsImages) {
  auto files = iron_files();
  files["inpsd.dat"] +=
      "mode G\nMensemble 7\ndo_gneb_ci Y\nInitmag 6\nmomfile_i momfile\nmomfile_f last\n"
      "ip_mode G\n";
  files["last"] = "1 1 2.23 0 0 -1\n2 1 2.23 0 0 -1\n";
  const Import path = import(files);
  EXPECT_EQ(path.study.find("replicas"), nullptr);
  const Value& stages = at(path.study, "stage");
  ASSERT_EQ(stages.as_array().size(), 1U);
  EXPECT_EQ(at(stages, 0, "images").as_integer(), 7);
  EXPECT_TRUE(at(stages, 0, "climb").as_boolean());
  EXPECT_TRUE(at(stages, 0, "relax").as_boolean());
  EXPECT_EQ(vector_of(at(stages, 0, "final", "direction")).z, -1);
}

using imports::uppasd::Coupling;

Coupling pair_along(const Vec3<double>& r) { return {{{0, 0, {0, 0, 0}}, {1, 1}}, r, {}, {}, {}}; }

TEST(UppasdTorques, DerivativesAreMeansOverNeighbours) {
  using imports::uppasd::derivative_along;
  const Vec3<double> j{10, 0, 0};
  const std::vector<Coupling> square{pair_along({1, 0, 0}), pair_along({0, 1, 0}),
                                     pair_along({2, 0, 0})};
  testing_support::expect_near(derivative_along(j, 0, square), {5, 0, 0});
  testing_support::expect_near(derivative_along(j, 0, {pair_along({1, 0, 0})}), {10, 0, 0});
  // Each of the four neighbours of a centred square has x and y components; those of y cancel.
  const std::vector<Coupling> centred{pair_along({0.5, 0.5, 0}), pair_along({0.5, -0.5, 0})};
  testing_support::expect_near(derivative_along(j, 0, centred), {10, 0, 0});
  testing_support::expect_near(derivative_along(j, 0, {}), {0, 0, 0});
}

TEST_F(UppasdImports, CurrentsBecomeTorques) {
  auto files = chain_files();
  files["inpsd.dat"] += "stt A\njvec 0 0 2.0\nadibeta 0.1\nalat 3e-10\ndamping 0.5\n";
  const Value torque = at(import(files).study, "stage", 0, "torque", 0);
  EXPECT_EQ(at(torque, "kind").as_string(), "spin-transfer");
  EXPECT_NEAR(vector_of(at(torque, "velocity")).z, 1.760859644e11 * 3e-10 * 2, 1e-6);
  EXPECT_EQ(at(torque, "beta").as_number(), 0.1);
  files["inpsd.dat"] += "stt F\njvec 0 3 4\n";
  const Value fixed = at(import(files).study, "stage", 0, "torque", 0);
  EXPECT_NEAR(number_of(at(fixed, "damping_like")), 5 / 1.25, 1e-12);
  EXPECT_NEAR(number_of(at(fixed, "field_like")), 2.5 / 1.25, 1e-12);
  files["inpsd.dat"] += "stt N\n";
  EXPECT_EQ(at(import(files).study, "stage", 0).find("torque"), nullptr);
}

TEST(UppasdKeywords, AreKnownOnceAndInLowerCase) {
  std::vector<std::string> names;
  for (const imports::uppasd::Keyword& keyword : imports::uppasd::keywords()) {
    names.emplace_back(keyword.name);
    for (const char c : names.back()) EXPECT_FALSE(c >= 'A' && c <= 'Z') << names.back();
    if (keyword.kind == imports::uppasd::KeywordClass::refused) {
      EXPECT_NE(std::string(keyword.text), "") << keyword.name;
      EXPECT_NE(std::string(keyword.remedy), "") << keyword.name;
    }
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(UppasdKeywords, TheManualHasTheirTable) {
  const std::filesystem::path page =
      std::filesystem::path(__FILE__).parent_path() / "../../docs/from-uppasd.md";
  std::ifstream file(page);
  ASSERT_TRUE(file) << page;
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(text.find(imports::uppasd::keyword_table()), std::string::npos)
      << "write this table into docs/from-uppasd.md:\n"
      << imports::uppasd::keyword_table();
}

}  // namespace larmor::uppasd_import_tests
