// Rooms: imports
#include "larmor/imports/vampire/vampire.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "larmor/core/error.hpp"
#include "tests/expectations.hpp"

namespace larmor::imports::vampire_tests {
namespace {

using testing_support::contains;

/// A file with these lines.
std::string lines(std::initializer_list<const char*> all) {
  std::string text;
  for (const char* line : all) text += line + std::string("\n");
  return text;
}

/// A tetragonal cell of two materials, with a tensor between its atoms.
const std::string unit_cell = lines(
    {"# Unit cell size:", "3.0 3.0 4.0", "# Unit cell vectors:", "1 0 0", "0 1 0", "0 0 1",
     "# Atoms num, id cx cy cz mat lc hc", "2 2", "0 0 0 0 0 0 0", "1 0.5 0.5 0.5 1 0 0",
     "#Interactions n exctype, id i j dx dy dz J", "4 tensorial",
     "0 0 1 0 0 0 2e-21 1e-22 0 -1e-22 2e-21 0 0 0 2e-21",
     "1 1 0 0 0 0 2e-21 -1e-22 0 1e-22 2e-21 0 0 0 2e-21",
     "2 0 0 1 0 0 1e-21 0 0 0 1e-21 0 0 0 3e-21", "3 0 0 -1 0 0 1e-21 0 0 0 1e-21 0 0 0 3e-21"});

const std::string materials = lines(
    {"material:num-materials = 2", "#-----", "material[1]:material-name=iron",
     "material[1]:material-element=Fe", "material[1]:damping-constant=0.1",
     "material[1]:atomic-spin-moment=2.25 !muB", "material[1]:uniaxial-anisotropy-constant=5.0e-24",
     "material[1]:uniaxial-anisotropy-direction = 0.0 , 0.0, 1.0",
     "material[1]:initial-spin-direction = 0.0,0.0,1.0", "material[2]:material-element=Co",
     "material[2]:damping-constant=0.5", "material[2]:atomic-spin-moment=1.75",
     "material[2]:initial-spin-direction = 0.0,0.0,-1.0"});

const std::string input = lines({"# a comment",
                                 "create:full",
                                 "create:periodic-boundaries-x",
                                 "create:periodic-boundaries-y",
                                 "create:periodic-boundaries-z",
                                 "material:file=two.mat",
                                 "material:unit-cell-file = \"two.ucf\"",
                                 "dimensions:unit-cell-size-x = 3.0",
                                 "dimensions:system-size-x = 2.4 !nm",
                                 "dimensions:system-size-y = 24 # Angstrom",
                                 "dimensions:system-size-z = 15.8 !A",
                                 "sim:temperature=300",
                                 "sim:minimum-temperature=0",
                                 "sim:maximum-temperature=100",
                                 "sim:temperature-increment=30",
                                 "sim:time-steps-increment=5",
                                 "sim:equilibration-time-steps=2500",
                                 "sim:loop-time-steps=3000",
                                 "sim:program=curie-temperature",
                                 "sim:integrator=monte-carlo",
                                 "output:temperature",
                                 "output:magnetisation-length"});

std::string joined_notes(const Import& import) {
  std::string all;
  for (const std::string& note : import.notes) all += note + "\n";
  return all;
}

class VampireFiles : public testing::Test {
 protected:
  VampireFiles() {
    std::filesystem::create_directories(folder_);
    file("two.ucf", unit_cell);
    file("two.mat", materials);
  }
  ~VampireFiles() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  Import import(const std::string& text = input) const { return read_vampire(file("input", text)); }
  /// The error message with its position, or "accepted".
  std::string refusal(const std::string& text) const {
    try {
      import(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  static std::string replaced(std::string text, const std::string& old, const std::string& by) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return text.replace(at, old.size(), by);
  }
  static std::string changed(const std::string& old, const std::string& by) {
    return replaced(input, old, by);
  }

 private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                  ("larmor-vampire-test-" + std::to_string(::getpid()));
};

TEST_F(VampireFiles, AreKnownByTheirNamesOrTheirFirstLines) {
  EXPECT_TRUE(is_vampire_input(file("input", input)));
  EXPECT_TRUE(is_vampire_input(file("other", "\nsim:temperature = 3\n")));
  EXPECT_TRUE(is_vampire_input(file("iron.UCF", unit_cell)));
  EXPECT_TRUE(is_vampire_input(file("iron.mat", materials)));
  EXPECT_FALSE(is_vampire_input(file("inpsd.dat", "simid  bccFe300\nncell 10 10 10\n")));
  EXPECT_FALSE(is_vampire_input(file("notes", "note: nothing\n")));
  EXPECT_FALSE(is_vampire_input(file("empty", "")));
  EXPECT_FALSE(is_vampire_input(file("binary", std::string("\0\1", 2))));
}

TEST_F(VampireFiles, APairHasTheCouplingOfTheFile) {
  const Value study = import().study;
  EXPECT_EQ(to_toml_value(*study.find("exchange")),
            "[{ J = \"2e-21 J\", atoms = [0, 1], offset = [[0, 0, 0]] }]");
  // e_i^T A e_j with A_xy = D_z.
  EXPECT_EQ(to_toml_value(*study.find("dmi")),
            "[{ D = [\"0 J\", \"0 J\", \"1e-22 J\"], atoms = [0, 1], offset = [[0, 0, 0]] }]");
  EXPECT_EQ(to_toml_value(*study.find("exchange-tensor")),
            "[{ A = [[\"1e-21 J\", \"0 J\", \"0 J\"], [\"0 J\", \"1e-21 J\", \"0 J\"], "
            "[\"0 J\", \"0 J\", \"3e-21 J\"]], atoms = [0, 0], offset = [[1, 0, 0]] }]");
}

TEST_F(VampireFiles, TheLatticeHasWholeCells) {
  const Import import = this->import();
  const Value& lattice = *import.study.find("lattice");
  EXPECT_EQ(to_toml_value(*lattice.find("cell")),
            "[[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]");
  EXPECT_EQ(to_toml_value(*lattice.find("size")), "[8, 8, 4]");
  EXPECT_EQ(to_toml_value(*lattice.find("periodic")), "[true, true, true]");
  EXPECT_EQ(to_toml_value(*lattice.find("species")), "[\"Fe\", \"Co\"]");
  EXPECT_EQ(to_toml_value(*lattice.find("moment")), "[\"2.25 muB\", \"1.75 muB\"]");
  EXPECT_TRUE(contains(joined_notes(import), "nearest whole numbers of cells"));
  EXPECT_EQ(to_toml_value(*import.study.find("anisotropy")),
            "[{ K = \"5e-24 J\", axis = [0.0, 0.0, 1.0], species = \"Fe\" }]");
  EXPECT_EQ(to_toml_value(*import.study.find("initial")),
            "{ state = \"sublattices\", directions = [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]] }");
}

TEST_F(VampireFiles, OpenBoundariesNeedWholeCells) {
  const std::string open = changed("create:periodic-boundaries-z\n", "");
  EXPECT_TRUE(contains(refusal(open), "input:10:28: error: the edge is 3.95 cells"));
  EXPECT_TRUE(contains(refusal(open), "write 16 !A"));
  const Value study = import(replaced(open, "15.8 !A", "1.6 !nm")).study;
  EXPECT_EQ(to_toml_value(*study.find("lattice")->find("periodic")), "[true, true, false]");
  const std::string all =
      replaced(open, "create:periodic-boundaries-x", "create:periodic-boundaries = zx");
  EXPECT_EQ(to_toml_value(*import(all).study.find("lattice")->find("periodic")),
            "[true, true, true]");
}

TEST_F(VampireFiles, MonteCarloStepsAreSweeps) {
  EXPECT_EQ(
      to_toml_value(*import().study.find("stage")),
      "[{ kind = \"monte-carlo\", temperature = { from = \"30 K\", to = \"90 K\", points = 3 }, "
      "thermalisation = 2500, sweeps = 3000, measure_every = 5, "
      "measure = [\"energy\", \"magnetisation\", \"sublattices\"] }]");
  EXPECT_TRUE(contains(joined_notes(import()), "0 K is left out"));
  EXPECT_TRUE(contains(joined_notes(import()),
                       "not needed, because the results hold all measurements: "
                       "output:magnetisation-length, output:temperature"));
  const std::string one = changed("sim:minimum-temperature=0", "sim:minimum-temperature=90");
  EXPECT_EQ(to_toml_value(*import(one).study.find("stage")->as_array()[0].find("temperature")),
            "\"90 K\"");
}

TEST_F(VampireFiles, DynamicsHasAStageForEachTemperature) {
  const std::string text =
      changed("sim:integrator=monte-carlo", "sim:integrator = llg-heun\nsim:time-step = 1.0E-16");
  const Value::Array stages = import(text).study.find("stage")->as_array();
  ASSERT_EQ(stages.size(), 8U);  // 0, 30, 60 and 90 K, each with its equilibration
  const Value& at_60 = stages[5];
  EXPECT_EQ(to_toml_value(*at_60.find("kind")), "\"dynamics\"");
  EXPECT_EQ(to_toml_value(*at_60.find("integrator")), "\"heun\"");
  EXPECT_EQ(to_toml_value(*at_60.find("timestep")), "\"1e-16 s\"");
  EXPECT_EQ(to_toml_value(*at_60.find("steps")), "3000");
  EXPECT_EQ(to_toml_value(*at_60.find("damping")), "[0.1, 0.5]");
  EXPECT_EQ(to_toml_value(*at_60.find("temperature")), "\"60 K\"");
  EXPECT_EQ(to_toml_value(*at_60.find("measure")->as_array()[1].find("every")), "5");
  EXPECT_EQ(to_toml_value(*stages[4].find("steps")), "2500");
  const std::string guessed = changed("sim:integrator=monte-carlo\n", "");
  EXPECT_TRUE(
      contains(joined_notes(import(guessed)), "sim:time-step is missing; Vampire assumes 1 fs"));
}

TEST_F(VampireFiles, ATimeSeriesEquilibratesFirst) {
  const std::string series =
      changed("sim:program=curie-temperature", "sim:program=time-series\nsim:total-time-steps=200");
  const std::string at_600 = replaced(series, "sim:temperature=300", "sim:temperature=600");
  const Value::Array stages = import(at_600).study.find("stage")->as_array();
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(to_toml_value(*stages[0].find("temperature")), "\"300 K\"");
  EXPECT_EQ(to_toml_value(*stages[0].find("sweeps")), "2500");
  EXPECT_EQ(to_toml_value(*stages[1].find("temperature")), "\"600 K\"");
  EXPECT_EQ(to_toml_value(*stages[1].find("sweeps")), "200");
  EXPECT_TRUE(contains(joined_notes(import(at_600)), "equilibrates a time series at 300 K"));
  // At equal temperatures, the equilibration is the thermalisation of one stage.
  const Value::Array one = import(series).study.find("stage")->as_array();
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(to_toml_value(*one[0].find("thermalisation")), "2500");
  const std::string missing = changed("sim:program=curie-temperature", "sim:program=time-series");
  EXPECT_TRUE(contains(refusal(missing), "sim:total-time-steps is missing"));
}

TEST_F(VampireFiles, FieldsAndLoopsAreRead) {
  const std::string field =
      changed("sim:program=curie-temperature",
              "sim:program=benchmark\nsim:applied-field-strength = 5000 !Oe\n"
              "sim:applied-field-unit-vector = 0,3,4\nsim:integrator-random-seed = 77");
  const Value study = import(field).study;
  EXPECT_EQ(to_toml_value(*study.find("field")),
            "{ B = [\"0 T\", \"0.30000000000000004 T\", \"0.4 T\"] }");
  EXPECT_EQ(to_toml_value(*study.find("seed")), "77");
  EXPECT_EQ(to_toml_value(*study.find("stage")->as_array()[0].find("sweeps")), "10000");
  const std::string loop = replaced(
      changed("sim:temperature=300", "sim:temperature=0"), "sim:program=curie-temperature",
      "sim:program=static-hysteresis-loop\nsim:maximum-applied-field-strength = 2 !T\n"
      "sim:applied-field-strength-increment = 100 !mT\nsim:applied-field-unit-vector = 1,0,0");
  EXPECT_EQ(to_toml_value(*import(loop).study.find("stage")),
            "[{ kind = \"hysteresis\", direction = [1.0, 0.0, 0.0], field = { from = \"2 T\", to = "
            "\"-2 T\", step = \"100 mT\" }, loop = true }]");
}

TEST_F(VampireFiles, CubicAnisotropiesAreReadByHalves) {
  // Vampire has - c / 2 (x^4 + y^4 + z^4), and Larmor - K4 (x^4 + y^4 + z^4).
  file("two.mat", replaced(materials, "material[2]:damping",
                           "material[2]:cubic-anisotropy-constant = -3.0 !meV\n"
                           "material[2]:damping"));
  const Value study = import().study;
  EXPECT_EQ(to_toml_value(*study.find("cubic-anisotropy")),
            "[{ K4 = \"-1.5 meV\", species = \"Co\" }]");
  EXPECT_NE(study.find("anisotropy"), nullptr);
  file("two.mat", replaced(materials, "uniaxial-anisotropy-constant=5.0e-24",
                           "fourth-order-cubic-anisotropy-constant=5.0e-24"));
  const Value renamed = import().study;
  EXPECT_EQ(to_toml_value(*renamed.find("cubic-anisotropy")),
            "[{ K4 = \"2.5e-24 J\", species = \"Fe\" }]");
  EXPECT_EQ(renamed.find("anisotropy"), nullptr);
}

const std::string hysteresis_loop =
    "sim:program=hysteresis-loop\n"
    "sim:maximum-applied-field-strength = 500 !mT\n"
    "sim:applied-field-strength-increment = 0.4\n"
    "sim:applied-field-unit-vector = 0,3,4";

TEST_F(VampireFiles, HysteresisLoopsAreStagesOfOneFieldEach) {
  const std::string text = changed("sim:program=curie-temperature", hysteresis_loop);
  const Import loop = import(text);
  const Value::Array stages = loop.study.find("stage")->as_array();
  // The equilibration without field, then 0.5, 0.1, -0.3 T, and -0.5, -0.1, 0.3 T.
  ASSERT_EQ(stages.size(), 7U);
  EXPECT_EQ(to_toml_value(*stages[0].find("added_field")), "[\"0 T\", \"0 T\", \"0 T\"]");
  EXPECT_EQ(to_toml_value(*stages[0].find("sweeps")), "2500");
  EXPECT_EQ(to_toml_value(*stages[0].find("measure_every")), "2500");
  const double along[] = {0.5, 0.1, -0.3, -0.5, -0.1, 0.3};
  for (std::size_t n = 0; n < 6; ++n) {
    const Value::Array B = stages[n + 1].find("added_field")->as_array();
    EXPECT_EQ(B[0].as_string(), "0 T");
    EXPECT_NEAR(std::stod(B[1].as_string()), 0.6 * along[n], 1e-15);
    EXPECT_NEAR(std::stod(B[2].as_string()), 0.8 * along[n], 1e-15);
    EXPECT_EQ(to_toml_value(*stages[n + 1].find("sweeps")), "3000");
    EXPECT_EQ(to_toml_value(*stages[n + 1].find("thermalisation")), "0");
    EXPECT_EQ(to_toml_value(*stages[n + 1].find("measure_every")), "5");
    EXPECT_EQ(to_toml_value(*stages[n + 1].find("temperature")), "\"300 K\"");
  }
  EXPECT_TRUE(contains(joined_notes(loop), "Vampire equilibrates without field"));
  EXPECT_EQ(loop.study.find("field"), nullptr);

  const Import dynamics = import(replaced(text, "monte-carlo",
                                          "llg-heun\n"
                                          "sim:applied-field-strength = 3\n"
                                          "sim:equilibration-applied-field-strength = 1.0"));
  const Value::Array of_time = dynamics.study.find("stage")->as_array();
  ASSERT_EQ(of_time.size(), 7U);
  EXPECT_EQ(to_toml_value(*of_time[0].find("pulse")),
            "[{ B = [\"0 T\", \"0.6000000000000001 T\", \"0.8 T\"], shape = \"constant\" }]");
  EXPECT_EQ(to_toml_value(*of_time[1].find("steps")), "3000");
  EXPECT_EQ(dynamics.study.find("field"), nullptr);
  EXPECT_TRUE(contains(joined_notes(dynamics), "sim:applied-field-strength has no effect"));
}

TEST_F(VampireFiles, ImpossibleLoopsAreRefused) {
  const auto said = [&](const std::string& old, const std::string& by) {
    return refusal(changed("sim:program=curie-temperature", replaced(hysteresis_loop, old, by)));
  };
  EXPECT_TRUE(contains(said("= 0.4", "= 1.1"), "the fields of the loop are not possible"));
  EXPECT_TRUE(contains(said("= 0.4", "= 1e-7"), "the increment of the field is too small"));
  EXPECT_EQ(said("= 0.4", "= 1e-3"), "accepted");
  EXPECT_TRUE(contains(said("= 500 !mT", "= 500 !meV"), "error:"));
  const std::string fixed =
      replaced(changed("sim:temperature=300", "sim:temperature=0"), "sim:program=curie-temperature",
               replaced(hysteresis_loop, "hysteresis", "static-hysteresis") +
                   "\nsim:equilibration-applied-field-strength = 1.0");
  EXPECT_TRUE(contains(refusal(fixed), "not supported in a static loop"));
}

TEST_F(VampireFiles, FieldCoolingFollowsItsFunction) {
  const auto cooled = [&](const std::string& function) {
    return import(replaced(
        changed("sim:program=curie-temperature",
                "sim:program=field-cool\nsim:cooling-time = 2.0e-12\nsim:total-time-steps = "
                "50000\nsim:time-step = 1.0e-16\nsim:applied-field-strength = 1.0" +
                    function),
        "monte-carlo", "llg-heun"));
  };
  const auto temperature_at = [](const Value& stage, double ps) {
    const Value::Array points = stage.find("temperature_schedule")->as_array();
    double before_t = 0, before_T = 0;
    for (const Value& point : points) {
      const double t = std::stod(point.find("time")->as_string());
      const double T = std::stod(point.find("temperature")->as_string());
      if (t >= ps)
        return t == ps ? T : before_T + (T - before_T) * (ps - before_t) / (t - before_t);
      before_t = t;
      before_T = T;
    }
    return before_T;
  };
  const std::pair<const char*, double (*)(double)> functions[] = {
      {"", [](double x) { return std::exp(-x); }},
      {"exponential", [](double x) { return std::exp(-x); }},
      {"gaussian", [](double x) { return std::exp(-x * x); }},
      {"double-gaussian", [](double x) { return std::exp(-(x - 3) * (x - 3)); }},
      {"linear", [](double x) { return std::max(0.0, 1 - x); }}};
  for (const auto& [name, g] : functions) {
    const std::string function = name;
    const Import cooling = cooled(function.empty() ? "" : "\nsim:cooling-function = " + function);
    EXPECT_EQ(contains(joined_notes(cooling), "Vampire cools exponentially"), function.empty());
    const Value::Array stages = cooling.study.find("stage")->as_array();
    ASSERT_EQ(stages.size(), 2U);
    EXPECT_EQ(to_toml_value(*stages[0].find("temperature")), "\"300 K\"");
    EXPECT_EQ(to_toml_value(*stages[1].find("steps")), "50000");
    EXPECT_EQ(stages[1].find("temperature"), nullptr);
    EXPECT_NE(cooling.study.find("field"), nullptr);
    // 5 ps of cooling from 100 K to 0 K.
    for (const double ps : {0.0, 0.013, 0.5, 1.9, 2.0, 3.3, 4.99, 5.0})
      EXPECT_NEAR(temperature_at(stages[1], ps), 100 * g(ps / 2), 0.011) << name << " " << ps;
  }
  EXPECT_EQ(cooled("\nsim:cooling-function = linear")
                .study.find("stage")
                ->as_array()[1]
                .find("temperature_schedule")
                ->as_array()
                .size(),
            2U);
  const auto said = [&](const std::string& lines) {
    try {
      cooled(lines);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_TRUE(contains(said("\nsim:cooling-function = linea"), "did you mean 'linear'?"));
  EXPECT_TRUE(contains(said("\nsim:cooling-time = 0"), "the cooling time is not positive"));
  EXPECT_TRUE(contains(refusal(changed("sim:program=curie-temperature",
                                       "sim:program=field-cool\nsim:cooling-time = 2.0e-12")),
                       "which Monte Carlo lacks"));
}

TEST_F(VampireFiles, NamedCrystalsCoupleNearestNeighbours) {
  const std::string text =
      "create:crystal-structure = bcc\ncreate:periodic-boundaries\nmaterial:file = fe.mat\n"
      "dimensions:unit-cell-size = 2.87 !A\ndimensions:system-size = 28.7\n"
      "sim:temperature = 300\nsim:total-time-steps = 100\nsim:program = time-series\n"
      "sim:integrator = monte-carlo\n";
  file("fe.mat",
       "material[1]:atomic-spin-moment = 2.2\nmaterial[1]:exchange-matrix[1] = 6.0e-21 !J/link\n");
  const Import import = this->import(text);
  EXPECT_EQ(to_toml_value(*import.study.find("exchange")), "[{ J = \"6e-21 J\", shell = 1 }]");
  EXPECT_EQ(to_toml_value(*import.study.find("lattice")->find("type")), "\"bcc\"");
  EXPECT_EQ(to_toml_value(*import.study.find("lattice")->find("size")), "[10, 10, 10]");
  // J0 = 8 J, and k_B T_c = J0 / 3.
  EXPECT_TRUE(contains(
      joined_notes(import),
      "J0 of atom 0, its sum over j of J_ij in the convention of Vampire: 4.8e-20 J along x"));
  EXPECT_TRUE(contains(joined_notes(import), "-149.796 meV a site along x, y and z"));
  EXPECT_TRUE(contains(joined_notes(import), "mean-field T_c: 1158.8"));
  EXPECT_TRUE(contains(refusal(replaced(text, "2.87 !A", "1e200 !A")),
                       "input:4:29: error: the cell has a vector that is too long"));
  EXPECT_TRUE(contains(refusal(replaced(text, "bcc", "hcp")),
                       "input:1:1: error: the crystal structure hcp"));
}

TEST_F(VampireFiles, NormalisedCouplingsAreFactorsOfTheMaterials) {
  file("two.ucf",
       "3 3 4\n1 0 0\n0 1 0\n0 0 1\n2 2\n0 0 0 0 0\n1 .5 .5 .5 1\n2 normalised-isotropic\n"
       "0 0 1 0 0 0 0.5\n1 1 0 0 0 0 0.5\n");
  EXPECT_TRUE(contains(refusal(input),
                       "two.ucf:9:1: error: the materials 1 and 2 have no exchange-matrix"));
  file("two.mat", std::string(materials) +
                      "material[1]:exchange-matrix[2] = 4e-21\n"
                      "material[2]:exchange-matrix[1] = 4e-21\n");
  const Value::Array tables = import().study.find("exchange")->as_array();
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_TRUE(contains(to_toml_value(tables[0]), "e-21 J\", atoms = [0, 1], offset = [[0, 0, 0]]"));
}

TEST_F(VampireFiles, ACellOfItsOwnGetsASimulation) {
  const Import import = read_vampire(file("two.ucf", unit_cell));
  EXPECT_EQ(to_toml_value(*import.study.find("lattice")->find("moment")), "[\"1 muB\", \"1 muB\"]");
  EXPECT_EQ(to_toml_value(*import.study.find("lattice")->find("size")), "[1000, 1, 1]");
  EXPECT_TRUE(contains(to_toml_value(*import.study.find("stage")), "monte-carlo"));
  EXPECT_TRUE(contains(joined_notes(import), "a unit cell has no moments"));
  try {
    read_vampire(file("two.mat", materials));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "describes materials, and no crystal"));
  }
}

TEST_F(VampireFiles, EdgesOfTb2jScaleComponents) {
  // TB2J divides each component of the vectors by the length of the vector with its number.
  file("two.ucf", replaced(replaced(unit_cell, "3.0 3.0 4.0", "3.0 4.0 5.0"),
                           "1 0 0\n0 1 0\n0 0 1\n", "1 0 0\n0 1 0\n1 0 0.8\n"));
  EXPECT_EQ(to_toml_value(*import().study.find("lattice")->find("cell")),
            "[[3.0, 0.0, 0.0], [0.0, 4.0, 0.0], [3.0, 0.0, 4.0]]");
}

TEST_F(VampireFiles, OldUnitCellsOfTb2jWarn) {
  file("two.ucf", replaced(replaced(unit_cell, "# Unit cell size:\n3.0 3.0 4.0",
                                    "# Unit cell size (Angstrom):\n1 1 1"),
                           "1 0 0\n0 1 0\n0 0 1\n", "3 0 0\n0 3 0\n0 0 4\n"));
  const Import import = this->import();
  EXPECT_EQ(to_toml_value(*import.study.find("lattice")->find("size")), "[8, 8, 4]");
  EXPECT_TRUE(contains(joined_notes(import), "J half as large as Vampire needs"));
}

TEST_F(VampireFiles, KeywordsAreRefusedAtTheirLines) {
  EXPECT_TRUE(contains(refusal(changed("sim:temperature=", "sim:temprature=")),
                       "input:12:1: error: there is no keyword sim:temprature"));
  EXPECT_TRUE(contains(refusal(changed("sim:temperature=", "sim:temprature=")),
                       "did you mean 'sim:temperature'?"));
  EXPECT_TRUE(contains(refusal(changed("create:full", "create:sphere")),
                       "input:2:1: error: create:sphere is not supported"));
  EXPECT_TRUE(
      contains(refusal(changed("create:full", "whole")), "input:2:1: error: this line is not"));
  EXPECT_TRUE(contains(refusal(changed("curie-temperature", "laser-pulse")),
                       "input:19:13: error: the program laser-pulse is not supported"));
  EXPECT_TRUE(contains(refusal(changed("curie-temperature", "curie-temprature")),
                       "did you mean 'curie-temperature'?"));
  EXPECT_TRUE(contains(refusal(changed("monte-carlo", "constrained-monte-carlo")),
                       "input:20:16: error: the integrator constrained-monte-carlo"));
  EXPECT_TRUE(contains(refusal(changed("sim:loop-time-steps=3000", "sim:loop-time-steps=3.5")),
                       "input:18:21: error: sim:loop-time-steps is 3.5"));
  EXPECT_TRUE(contains(refusal(changed("sim:loop-time-steps=3000", "sim:loop-time-steps=1e300")),
                       "input:18:21: error: sim:loop-time-steps is 1e300"));
  EXPECT_TRUE(
      contains(refusal(changed("sim:temperature-increment=30", "sim:temperature-increment=1e-300")),
               "more than 10000 temperatures"));
  EXPECT_TRUE(contains(refusal(changed("=100", "=warm")), "sim:maximum-temperature is \"warm\""));
  EXPECT_TRUE(contains(refusal(changed("=100", "=-100")), "negative"));
  EXPECT_TRUE(contains(refusal(changed("2.4 !nm", "2.4 !T")), "input:9:28: error:"));
  EXPECT_TRUE(contains(refusal(changed("sim:loop-time-steps=3000\n", "")),
                       "sim:loop-time-steps is missing"));
  EXPECT_TRUE(
      contains(refusal(changed("material:file=two.mat\n", "")), "material:file is missing"));
  EXPECT_TRUE(
      contains(refusal(changed("two.mat", "three.mat")), "input:6:15: error: there is no file"));
  EXPECT_TRUE(contains(refusal(changed("create:full", "sim:preconditioning-steps = 10")),
                       "sim:preconditioning-steps is not supported"));
  EXPECT_EQ(refusal(changed("create:full", "sim:preconditioning-steps = 0")), "accepted");
}

TEST_F(VampireFiles, MaterialsAreRefusedAtTheirLines) {
  const auto said = [&](const std::string& old, const std::string& by) {
    file("two.mat", replaced(materials, old, by));
    return refusal(input);
  };
  EXPECT_TRUE(contains(said("material[2]:damping", "material[3]:damping"),
                       "two.mat:11:1: error: there is no material 3"));
  EXPECT_TRUE(contains(said("material[2]:damping", "material:damping"),
                       "lacks the number of its material"));
  EXPECT_TRUE(
      contains(said("2.25 !muB", "-2.25 !muB"), "two.mat:6:32: error: the moment is not positive"));
  EXPECT_TRUE(contains(said("material[2]:atomic-spin-moment=1.75\n", ""),
                       "material[2] has no atomic-spin-moment"));
  EXPECT_TRUE(contains(said("0.0,0.0,-1.0", "0.0,-1.0"), "not a vector"));
  EXPECT_TRUE(
      contains(said("0.0,0.0,-1.0", "random"), "only some materials begin with random spins"));
  EXPECT_TRUE(
      contains(said("uniaxial-anisotropy-constant=5.0e-24", "neel-anisotropy-constant=5.0e-24"),
               "two.mat:7:1: error: material[1]:neel-anisotropy-constant is not supported"));
  EXPECT_EQ(said("uniaxial-anisotropy-constant=5.0e-24", "neel-anisotropy-constant=0.0"),
            "accepted");
  EXPECT_TRUE(contains(said("uniaxial-anisotropy-constant=5.0e-24",
                            "cubic-anisotropy-constant=5.0e-24\n"
                            "material[1]:fourth-order-cubic-anisotropy-constant=4.0e-24"),
                       "two.mat:8:1: error: cubic-anisotropy-constant is given twice"));
  EXPECT_TRUE(contains(said("material[2]:damping-constant=0.5", "material[2]:relative-gamma=0.5"),
                       "one gyromagnetic ratio"));
  EXPECT_TRUE(
      contains(said("#-----\n",
                    "material[1]:exchange-matrix[2]=1e-21\nmaterial[2]:exchange-matrix[1]=2e-21\n"),
               "exchange-matrix is not symmetric"));
  EXPECT_TRUE(contains(said("num-materials = 2", "num-materials = two"), "two.mat:1:26: error:"));
  EXPECT_TRUE(contains(said("#-----\n", "sim:temperature = 3\n"), "stands in a material file"));
}

TEST_F(VampireFiles, UnitCellsAreRefusedAtTheirLines) {
  const auto said = [&](const std::string& old, const std::string& by) {
    file("two.ucf", replaced(unit_cell, old, by));
    return refusal(input);
  };
  EXPECT_TRUE(
      contains(said("3.0 3.0 4.0", "2"), "two.ucf:2:1: error: this is not a unit cell of Vampire"));
  EXPECT_TRUE(contains(said("3.0 3.0 4.0", "3.0 0 4.0"), "two.ucf:2:5: error:"));
  EXPECT_TRUE(contains(said("0 0 1\n#", "0 1 0\n#"), "lie in a plane"));
  EXPECT_TRUE(contains(said("3.0 3.0 4.0", "3.0 1e200 4.0"),
                       "two.ucf:2:1: error: the cell has a vector that is too long"));
  EXPECT_TRUE(contains(said("1 0.5 0.5 0.5 1", "1 0.5 0.5 0.5 2"),
                       "the atom has material 2, but there are 2"));
  EXPECT_TRUE(contains(said("1 0.5 0.5 0.5 1", "2 0.5 0.5 0.5 1"),
                       "two.ucf:10:1: error: atom 1 should stand here"));
  EXPECT_TRUE(contains(said("tensorial", "tensorical"), "two.ucf:12:3: error:"));
  EXPECT_TRUE(
      contains(said("4 tensorial", "5 tensorial"), "ends where interaction 4 of 5 should stand"));
  EXPECT_TRUE(contains(said("4 tensorial", "3 tensorial"),
                       "two.ucf:16:1: error: the unit cell has more lines"));
  EXPECT_TRUE(contains(said("1 1 0 0 0 0 2e-21 -1e-22", "1 1 0 0 0 0 2e-21 1e-22"),
                       "have different couplings"));
  EXPECT_TRUE(contains(said("3 0 0 -1 0 0", "3 0 0 -2 0 0"), "lacks its reverse"));
  EXPECT_TRUE(contains(said("3 0 0 -1 0 0", "3 0 0 1 0 0"), "is given twice, first in line 15"));
  EXPECT_TRUE(contains(said("3 0 0 -1 0 0", "3 0 0 0 0 0"), "couples an atom with itself"));
  EXPECT_TRUE(
      contains(said("2 0 0 1 0 0", "2 0 7 1 0 0"), "two.ucf:15:5: error: there is no atom 7"));
  EXPECT_TRUE(contains(said("1e-21 0 0 0 1e-21 0 0 0 3e-21\n3", "1e-21 0 0 0 1e-21 0 0\n3"),
                       "of 15 columns"));
}

}  // namespace
}  // namespace larmor::imports::vampire_tests
