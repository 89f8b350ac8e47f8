// Inputs of UppASD as studies: their energies, spin waves, ground states, and the reference folder
// of inputs that LARMOR_TEST_REFERENCE names.
// Rooms: imports, study

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>

#include "larmor/core/maths/vectors.hpp"
#include "larmor/io/files/json.hpp"
#include "larmor/io/results/results_reader.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/run/plan.hpp"
#include "larmor/study/run/run.hpp"
#include "tests/uppasd_inputs.hpp"

namespace larmor::uppasd_studies_tests {

using imports::Import;
using testing_support::chain_files;
using testing_support::iron_files;

constexpr double Ry_in_eV = 13.605693009;  // CODATA 2014
constexpr double mRy = 1e-3 * Ry_in_eV;
/// Larmor has the g factor of the electron, and UppASD's magnons have 2.
constexpr double magnon_factor = 2 / 2.00231930436182;

study::Study study_of(const Import& import, const std::string& folder) {
  Value document = import.study;
  document.set("device", Value(Value::Table{{"backend", "cpu", {}}}));
  return study::study_of(document, to_toml(document), "inpsd.dat", folder);
}

class UppasdStudies : public testing_support::UppasdInputs {
 protected:
  io::ResultsReader results_of(const Import& import) const {
    study::RunOptions options;
    options.output = path_of("results.h5");
    options.force = true;
    study::run_study(study_of(import, folder()), options);
    return io::ResultsReader(options.output);
  }
  io::ResultsReader results_of(const std::map<std::string, std::string>& files) const {
    return results_of(import(files));
  }
};

/// hbar in eV ps, of CODATA 2014.
constexpr double hbar = 6.582119514e-4;

/// Energies of spin waves with the g factor of UppASD, in eV.
std::vector<double> magnons(const io::ResultsReader& results) {
  const std::string path = "/stages/01-spin-waves/dispersion/frequency";
  EXPECT_EQ(results.unit_of(path), "rad/ps");
  std::vector<double> energy = results.read(path).convert<double>();
  for (double& e : energy) e *= hbar * magnon_factor;
  return energy;
}

std::vector<double> series(const io::ResultsReader& results, const std::string& path) {
  return results.read(path).convert<double>();
}

TEST_F(UppasdStudies, FerromagneticIronHasTheEnergyOfUppasd) {
  auto files = iron_files();
  files["inpsd.dat"] += "temp 0\nNstep 1\navrg_step 1\n";
  const auto results = results_of(files);
  EXPECT_NEAR(series(results, "/stages/01-dynamics/series/energy/value").front() / mRy, -12.4098,
              5e-5);
}

TEST_F(UppasdStudies, AdiabaticMagnonsOfAChainHaveTheirDispersion) {
  auto files = chain_files();
  files["jfile"] = "1 1 0 0 1 2.5\n";
  files["inpsd.dat"] += "do_ams Y\nqpoints F\nqfile qfile\n";
  files["qfile"] = "2\n0 0 -0.35\n0 0 0.1\n";
  const auto results = results_of(files);
  const std::vector<double> energy = magnons(results);
  // UppASD prints 432.05837413818 meV for the first one.
  const double first = 4 * 2.5 * mRy * 2 * (1 - std::cos(2 * std::numbers::pi * 0.35));
  EXPECT_NEAR(first, 0.43205837413818, 1e-9);
  EXPECT_NEAR(energy[0], first, 1e-8);
}

TEST_F(UppasdStudies, ChiralChainsTurnBy36Degrees) {
  auto files = chain_files();
  files["inpsd.dat"] +=
      "dm dmfile\nip_mode G\nInitmag 8\ninitpropvec 0 0 0.1\n"
      "initrotvec 0 0 1\nncell 1 1 10\n";
  files["momfile"] = "1 1 1 1 0 0\n";
  files["dmfile"] = "1 1 0 0 1 0 0 0.36\n1 1 0 0 -1 0 0 -0.36\n";
  const auto results = results_of(files);
  const std::vector<double> e = series(results, "/stages/01-minimise/configuration");
  ASSERT_EQ(e.size(), 30U);
  // atan(0.36 / 0.5) is 35.75 degrees, and ten spins on a ring turn by 36.
  EXPECT_NEAR(std::atan(0.36 / 0.5) * 180 / std::numbers::pi, 35.75, 5e-3);
  const double turn = e[0] * e[4] - e[1] * e[3];
  EXPECT_NEAR(turn, std::sin(36 * std::numbers::pi / 180), 1e-6);
}

TEST_F(UppasdStudies, SpinsOfRestartFilesAreTheInitialState) {
  auto files = chain_files();
  files["inpsd.dat"] +=
      "Initmag 4\nrestartfile start\nNstep 1\ntimestep 1e-30\ndo_tottraj Y\n"
      "tottraj_step 1\n";
  std::string start = "####\n# File type: R\n####\n";
  for (int atom = 24; atom > 0; --atom)
    start += "0 1 " + std::to_string(atom) + " 1.0E+00 " + std::to_string(std::sin(atom)) + " 0 " +
             std::to_string(std::cos(atom)) + "\n";
  files["start"] = start;
  const auto results = results_of(files);
  const std::vector<double> e = series(results, "/stages/01-dynamics/configuration");
  for (int site = 0; site < 24; ++site)
    EXPECT_NEAR(e[static_cast<std::size_t>(3 * site)], std::sin(site + 1), 2e-6);
  files["start"] = "# R\n0 1 1 1.0 0 0 1\n";
  EXPECT_THROW(results_of(files), InputError);
}

// Free spins in a field have the moment coth(x) - 1/x, x = mu B / k_B T. In the measurement phase
// there is no field, and a sweep of the heat bath forgets the moment.
TEST_F(UppasdStudies, FieldsOfTheInitialPhaseActOnlyThere) {
  auto files = chain_files();
  files["jfile"] = "1 1 0 0 1 0\n";
  files["inpsd.dat"] +=
      "aunits Y\nncell 1 1 20000\nip_mode H\nip_temp 1\nip_mcNstep 5\nip_hfield 0 0 2\n"
      "mode H\ntemp 1\nmcNstep 1\ncumu_step 1\navrg_step 1\n";
  const auto results = results_of(files);
  const std::vector<double> m =
      series(results, "/stages/01-monte-carlo/series/magnetisation/value");
  EXPECT_NEAR(m[2], 1 / std::tanh(2.0) - 0.5, 4 * 0.3 / std::sqrt(20000));
  const std::vector<double> after =
      series(results, "/stages/02-monte-carlo/series/magnetisation/value");
  EXPECT_NEAR(after[2], 0, 4 * 0.58 / std::sqrt(20000));
}

// A random binary alloy: the energy of the ferromagnet follows from the numbers of pairs.
TEST_F(UppasdStudies, RandomAlloysCoupleChemicalTypes) {
  auto files = chain_files();
  files["inpsd.dat"] += "do_ralloy 1\nncell 1 1 4000\naunits Y\nNstep 1\navrg_step 1\n";
  files["posfile"] = "1 1 1 0.6 0 0 0\n1 1 2 0.4 0 0 0\n";
  files["momfile"] = "1 1 1.0 0 0 1\n1 2 1.0 0 0 1\n";
  files["jfile"] = "1 1 1 1 0 0 1 1.0\n1 1 1 2 0 0 1 0.5\n1 1 2 1 0 0 1 0.5\n1 1 2 2 0 0 1 0.1\n";
  const double energy =
      series(results_of(files), "/stages/01-dynamics/series/energy/value").front();
  const double mean = -2 * (0.36 * 1.0 + 2 * 0.24 * 0.5 + 0.16 * 0.1);
  EXPECT_NEAR(energy, mean, 4 * 2 * 0.4 / std::sqrt(4000.0));
  files["jfile"] = "1 1 1 1 0 0 1 1.0\n1 1 1 2 0 0 1 1.0\n1 1 2 1 0 0 1 1.0\n1 1 2 2 0 0 1 1.0\n";
  EXPECT_NEAR(series(results_of(files), "/stages/01-dynamics/series/energy/value").front(), -2,
              1e-12);
}

TEST_F(UppasdStudies, ThreeSpiralsAreASkyrmionLattice) {
  auto files = chain_files();
  files["inpsd.dat"] =
      "ncell 30 30 1\nBC P P 0\ncell 1 0 0\n0 1 0\n0 0 1\nposfile posfile\nmomfile momfile\n"
      "exchange jfile\ndm dmfile\nip_mode Y\nqm_svec 0 1 0\nqm_nvec 0 0 1\nqpoints F\nqfile qfile\n"
      "Initmag 3\nmode S\nNstep 1\naunits Y\n";
  files["jfile"] = "1 1 1 0 0 1\n1 1 -1 0 0 1\n1 1 0 1 0 1\n1 1 0 -1 0 1\n";
  files["dmfile"] =
      "1 1 1 0 0 0.8 0 0\n1 1 -1 0 0 -0.8 0 0\n1 1 0 1 0 0 0.8 0\n1 1 0 -1 0 0 -0.8 0\n";
  files["qfile"] = "5\n-0.1 0 0\n0.02 0 0\n0.1 0 0\n0.3 0 0\n0 0 0\n";
  const Import spirals = import(files);
  const Value& initial = testing_support::at(spirals.study, "initial");
  EXPECT_EQ(testing_support::at(initial, "state").as_string(), "skyrmion-lattice");
  EXPECT_NEAR(testing_support::at(initial, "period").as_number(), 2 / std::sqrt(3.0) / 0.1, 1e-9);
  EXPECT_EQ(testing_support::at(initial, "helicity").as_string(), "-90 deg");
  // Larmor's state has nearly the energy of the spirals, whose period need not fit the lattice.
  double of_spirals = 0;
  for (const std::string& note : spirals.notes)
    if (const std::size_t place = note.find("qfile, "); note.starts_with("ip_mode Y"))
      of_spirals = std::stod(note.substr(place + 7));
  EXPECT_LT(of_spirals, -4);
  const double energy =
      series(results_of(spirals), "/stages/01-dynamics/series/energy/value").front();
  EXPECT_NEAR(energy, of_spirals, 0.05 * std::abs(of_spirals));
}

// The input of the page docs/from-uppasd.md.
TEST_F(UppasdStudies, TheExampleOfTheManualPassesTheCheck) {
  const std::filesystem::path folder =
      std::filesystem::path(__FILE__).parent_path() / "../../examples/from-uppasd";
  const Import iron = imports::read_uppasd((folder / "inpsd.dat").string());
  EXPECT_TRUE(testing_support::has_note(iron, "-12.4098 mRy per atom"));
  const study::Plan plan = study::plan_study(study_of(iron, folder.string()));
  std::string text;
  for (const std::string& line : plan.lines) text += line + "\n";
  EXPECT_NE(text.find("2000 sites"), std::string::npos) << text;
}

// The inputs of other people.

class UppasdReference : public testing::Test {
 protected:
  void SetUp() override {
    const char* const folder = std::getenv("LARMOR_TEST_REFERENCE");
    if (folder == nullptr) GTEST_SKIP() << "LARMOR_TEST_REFERENCE names no folder";
    root_ = std::filesystem::path(folder) / "uppasd";
    ASSERT_TRUE(std::filesystem::is_directory(root_)) << root_;
    std::string pattern =
        (std::filesystem::temp_directory_path() / "larmor-reference-XXXXXX").string();
    copies_ = ::mkdtemp(pattern.data());
  }
  ~UppasdReference() override {
    if (!copies_.empty()) std::filesystem::remove_all(copies_);
  }

  /// A copy of a folder, with numbers in place of the words of templates.
  std::filesystem::path copy_of(const std::string& name, const std::string& mode = "S") const {
    const std::filesystem::path copy = copies_ / name;
    std::filesystem::remove_all(copy);
    std::filesystem::copy(root_ / name, copy);
    const std::filesystem::path base = copy / "inpsd.dat.base";
    const std::filesystem::path input = copy / "inpsd.dat";
    std::ifstream file(std::filesystem::exists(base) ? base : input);
    std::string text(std::istreambuf_iterator<char>(file), {});
    file.close();
    for (const auto& [word, value] :
         std::initializer_list<std::pair<std::string, std::string>>{{" TEMPE ", " 10.0 "},
                                                                    {" TEMP ", " 300.0 "},
                                                                    {" GILBERT ", " 0.1 "},
                                                                    {" MODE ", " " + mode + " "},
                                                                    {" SOLVER", " 5"}}) {
      for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;)
        text.replace(at, word.size(), value);
    }
    std::ofstream(input) << text;
    return input;
  }

  static void check(const std::filesystem::path& input) {
    SCOPED_TRACE(input.string());
    EXPECT_TRUE(imports::is_uppasd_input(input.string()));
    try {
      const Import import = imports::read_uppasd(input.string());
      study::plan_study(study_of(import, input.parent_path().string()));
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }

  std::filesystem::path root_, copies_;
};

TEST_F(UppasdReference, EveryFolderIsAStudyThatPassesTheCheck) {
  int folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root_)) {
    if (!entry.is_directory()) continue;
    ++folders;
    check(copy_of(entry.path().filename().string()));
  }
  EXPECT_GE(folders, 19);
  for (const char* mode : {"M", "H"}) check(copy_of("tests_bccFe", mode));
}

TEST_F(UppasdReference, AdiabaticMagnonsOfTheChain) {
  const std::filesystem::path input = copy_of("tests_HeisChain");
  Import import = imports::read_uppasd(input.string());
  // Only the spin waves.
  Value::Array stages = testing_support::at(import.study, "stage").as_array();
  stages.resize(1);
  import.study.set("stage", Value(stages));
  study::RunOptions options;
  options.output = (input.parent_path() / "results.h5").string();
  study::run_study(study_of(import, input.parent_path().string()), options);
  const std::vector<double> energy = magnons(io::ResultsReader(options.output));
  std::ifstream file(root_ / "expected_regulartests.json");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const Value expected = io::parse_json(text, "expected_regulartests.json");
  double meV = 0;
  for (const Value& test : expected.as_array())
    for (const Value& number : testing_support::at(test, "expected").as_array())
      if (testing_support::at(number, "what").as_string() == "AMS")
        meV = testing_support::at(number, "values", 0).as_number();
  ASSERT_GT(meV, 0);
  EXPECT_NEAR(energy[0] * 1e3, meV, 1e-6 * meV);
}

/// The value with every number of steps or sweeps cut to `most`.
Value with_few_steps(const Value& value, Index most) {
  if (value.is_array()) {
    Value::Array cut;
    for (const Value& element : value.as_array()) cut.push_back(with_few_steps(element, most));
    Value made(std::move(cut));
    made.mark(value.source_mark());
    return made;
  }
  if (!value.is_table()) return value;
  Value made;
  made.mark(value.source_mark());
  for (const Value::Entry& entry : value.as_table()) {
    Value kept = with_few_steps(entry.value, most);
    for (const char* key : {"steps", "sweeps", "thermalisation", "every", "measure_every"})
      if (entry.key == key && kept.as_integer() > most) {
        kept = Value(most);
        kept.mark(entry.value.source_mark());
      }
    made.set(entry.key, std::move(kept), entry.key_mark);
  }
  return made;
}

TEST_F(UppasdReference, EveryFolderRunsAFewSteps) {
  for (const auto& entry : std::filesystem::directory_iterator(root_)) {
    if (!entry.is_directory()) continue;
    SCOPED_TRACE(entry.path().string());
    const std::filesystem::path input = copy_of(entry.path().filename().string());
    try {
      Import import = imports::read_uppasd(input.string());
      import.study = with_few_steps(import.study, 2);
      study::RunOptions options;
      options.output = (input.parent_path() / "results.h5").string();
      study::run_study(study_of(import, input.parent_path().string()), options);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

// Without temperature nothing is random: two sublattices relax to one direction. UppASD itself
// compares this number of its GPU code with a tolerance of two per cent.
TEST_F(UppasdReference, RelaxationWithoutTemperatureIsNearThatOfUppasd) {
  const std::filesystem::path input = copy_of("tests_bccFe_cuda");
  Import import = imports::read_uppasd(input.string());
  study::RunOptions options;
  options.output = (input.parent_path() / "results.h5").string();
  study::run_study(study_of(import, input.parent_path().string()), options);
  const io::ResultsReader results(options.output);
  const std::vector<double> m = series(results, "/stages/01-dynamics/series/magnetisation/value");
  const std::vector<double> step = series(results, "/stages/01-dynamics/series/magnetisation/step");
  std::ifstream file(root_ / "expected_cudatests.json");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const Value expected = io::parse_json(text, "expected_cudatests.json");
  const double size = testing_support::at(expected, 0, "expected", 0, "values", 0).as_number();
  double found = 0;
  for (std::size_t n = 0; n < step.size(); ++n)
    if (step[n] == 1700) found = std::hypot(m[3 * n], m[3 * n + 1], m[3 * n + 2]);
  EXPECT_NEAR(found, size, 0.01 * size);
}

}  // namespace larmor::uppasd_studies_tests
