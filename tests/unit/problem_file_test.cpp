// Files of Ising and QUBO problems, and the errors for malformed files.
// Rooms: io

#include "larmor/io/graphs/problem_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "larmor/core/error.hpp"
#include "larmor/io/files/json.hpp"

namespace larmor::io {
namespace {

using ground_states::Coupling;
using ground_states::QuadraticProblem;
using ground_states::Variables;

/// A file that the end of the test removes.
class ScratchFile {
 public:
  ScratchFile(const std::string& name, const std::string& text)
      : folder_(std::filesystem::temp_directory_path() /
                ("larmor-problem-test-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    path = (folder_ / name).string();
    std::ofstream(path) << text;
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { std::filesystem::remove_all(folder_); }

  std::string path;

 private:
  std::filesystem::path folder_;
};

ProblemFile read(const std::string& name, const std::string& text, const std::string& format = "") {
  const ScratchFile file(name, text);
  return read_problem(file.path, format);
}

/// The message of the error, which begins with the name of the file.
std::string refusal(const std::string& name, const std::string& text,
                    const std::string& format = "") {
  const ScratchFile file(name, text);
  try {
    read_problem(file.path, format);
  } catch (const InputError& error) {
    const std::string message = error.what();
    return message.substr(message.find(name));
  }
  return "accepted";
}

testing::AssertionResult begins(const std::string& text, const std::string& part) {
  if (text.starts_with(part)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "not \"" << part << "\": " << text;
}

/// A model of three variables as dimod writes it.
std::string bqm(const std::string& type = "SPIN", const std::string& head = "[0, 1]",
                const std::string& tail = "[1, 2]", const std::string& biases = "[1.0, -0.5]",
                const std::string& linear = "[1.5, 0.0, -2.0]") {
  return R"({"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"},
 "use_bytes": false, "index_type": "int32", "bias_type": "float64", "num_variables": 3,
 "num_interactions": 2, "variable_labels": ["a", [0, 1], 7], "variable_type": ")" +
         type + R"(", "offset": 0.25, "info": {},
 "linear_biases": )" +
         linear + ",\n \"quadratic_biases\": " + biases + ",\n \"quadratic_head\": " + head +
         ",\n \"quadratic_tail\": " + tail + "}";
}

TEST(ProblemFiles, DimodsJson) {
  const ProblemFile file = read("a.json", bqm());
  EXPECT_EQ(file.problem.variables, Variables::spins);
  EXPECT_EQ(file.problem.linear, (std::vector<double>{1.5, 0, -2}));
  EXPECT_EQ(file.problem.couplings, (std::vector<Coupling>{{0, 1, 1}, {1, 2, -0.5}}));
  EXPECT_EQ(file.problem.offset, 0.25);
  EXPECT_EQ(file.labels, (std::vector<std::string>{"\"a\"", "[0,1]", "7"}));
  EXPECT_EQ(read("a.json", bqm("BINARY")).problem.variables, Variables::bits);
}

TEST(ProblemFiles, CoordinateListsKeepTheNumbersOfTheirVariables) {
  const ProblemFile file = read("a.coo", "# vartype=BINARY\n0 0 1.500000\n5 1 -0.500000\n");
  EXPECT_EQ(file.problem.variables, Variables::bits);
  EXPECT_EQ(file.problem.linear, (std::vector<double>{1.5, 0, 0}));
  EXPECT_EQ(file.problem.couplings, (std::vector<Coupling>{{1, 2, -0.5}}));
  EXPECT_EQ(file.labels, (std::vector<std::string>{"0", "1", "5"}));
  EXPECT_EQ(read("a.txt", "0 1 -1\n1 2 1\n").problem.variables, Variables::spins);
  const ProblemFile with_offset = read("a.coo", "# vartype=BINARY, offset=42\n0 1 1\n");
  EXPECT_EQ(with_offset.problem.variables, Variables::bits);
  EXPECT_EQ(with_offset.problem.offset, 42);
  EXPECT_EQ(read("a.coo", "# offset : -1.5 of the energy\n0 1 1\n").problem.offset, -1.5);
  for (const char* const text :
       {"# the offset is none", "# offset: see below", "# field_offset = 3"})
    EXPECT_EQ(read("a.coo", std::string(text) + "\n0 1 1\n").problem.offset, 0) << text;
}

TEST(ProblemFiles, CouplingsMayHaveTheSignOfStudies) {
  const ScratchFile scratch("a.txt", "0 1 -1\n1 2 3\n2 2 0.5\n");
  const ProblemFile file = read_problem(scratch.path, "", true);
  EXPECT_EQ(file.problem.linear, (std::vector<double>{0, 0, -0.5}));
  EXPECT_EQ(file.problem.couplings, (std::vector<Coupling>{{0, 1, 1}, {1, 2, -3}}));
  EXPECT_EQ(file.sign_text(), "H = - sum J s s: J > 0 is ferromagnetic");
  EXPECT_EQ(read_problem(scratch.path, "").sign_text(),
            "H = + sum J s s: J > 0 is antiferromagnetic");
  const ScratchFile bits("b.txt", "# vartype=BINARY\n0 1 -1\n");
  EXPECT_EQ(read_problem(bits.path, "").sign_text(), "");
  EXPECT_THROW(read_problem(bits.path, "", true), InputError);
}

TEST(ProblemFiles, Qbsolv) {
  const ProblemFile file =
      read("a.qubo", "c a comment\np qubo 0 4 2 1\nc more\n0 0 -1\n3 3 2.5\n0 3 4\n");
  EXPECT_EQ(file.problem.variables, Variables::bits);
  EXPECT_EQ(file.problem.linear, (std::vector<double>{-1, 0, 0, 2.5}));
  EXPECT_EQ(file.problem.couplings, (std::vector<Coupling>{{0, 3, 4}}));
  EXPECT_EQ(file.problem.offset, 0);
  // Any line that begins with `c` is a comment. QUBOTools writes a scale and an offset in such
  // lines.
  const ProblemFile scaled = read("a.qubo",
                                  "cTable\nC another\nc offset : 1.5\nc scale : 2\n"
                                  "p qubo 0 2 1 1\n0 0 -1\nc---\n0 1 4\n");
  EXPECT_EQ(scaled.problem.linear, (std::vector<double>{-2, 0}));
  EXPECT_EQ(scaled.problem.couplings, (std::vector<Coupling>{{0, 1, 8}}));
  EXPECT_EQ(scaled.problem.offset, 3);
}

TEST(ProblemFiles, BiqMacCountsPairsOfItsSymmetricMatrixTwice) {
  const ProblemFile file = read("a.sparse", "3 3\n1 1 -4\n1 2 5\n3 2 1.5\n");
  EXPECT_EQ(file.problem.variables, Variables::bits);
  // For x = (1, 1, 0), the function x^T Q x is -4 + 5 + 5.
  EXPECT_EQ(value_of(file.problem, {1, 1, -1}), 6);
  EXPECT_EQ(value_of(file.problem, {-1, 1, 1}), 3);
  EXPECT_EQ(file.labels, (std::vector<std::string>{"1", "2", "3"}));
}

TEST(ProblemFiles, GraphsWithoutWeightsHaveOnes) {
  const ProblemFile file = read("a.mc", "3 2\n1 2\n2 3\n");
  EXPECT_EQ(file.problem.couplings, (std::vector<Coupling>{{0, 1, 0.5}, {1, 2, 0.5}}));
  EXPECT_EQ(file.problem.offset, -1);
}

TEST(ProblemFiles, MinusTheCutIsMinimised) {
  const ProblemFile file = read("a.mc", "# a triangle\n3 3\n1 2 1\n2 3 2\n1 3 -5\n");
  EXPECT_TRUE(file.is_cut());
  EXPECT_EQ(value_of(file.problem, {1, 1, 1}), 0);
  EXPECT_EQ(value_of(file.problem, {1, -1, 1}), -3);
  EXPECT_EQ(value_of(file.problem, {-1, 1, 1}), 4);
  EXPECT_EQ(read("G1", "2 1\n1 2 1\n", "maxcut").problem.size(), 2);
}

TEST(ProblemFiles, WhatIsWrongIsToldWithItsPlace) {
  const auto list = [](const std::string& text) { return refusal("a.txt", text); };
  EXPECT_TRUE(begins(list("0 1 nan\n"), "a.txt:1:5: error: the coefficient is \"nan\""));
  EXPECT_TRUE(begins(list("0 1 1e999\n"), "a.txt:1:5: error: the coefficient is \"1e999\""));
  EXPECT_TRUE(begins(list("0 1 1e200\n"), "a.txt:1:5: error: the coefficient is 1e+200"));
  EXPECT_TRUE(begins(list("0 1 1\n2 1 1\n1 0 2\n"),
                     "a.txt:3:1: error: the pair of 1 and 0 is given twice, first in line 1"));
  EXPECT_TRUE(begins(list("4 4 1\n4 4 2\n"),
                     "a.txt:2:1: error: the coefficient of variable 4 is given twice"));
  EXPECT_TRUE(begins(list("0 -1 1\n"), "a.txt:1:3: error: a variable has the number -1"));
  EXPECT_TRUE(begins(list("0 1\n"), "a.txt:1:1: error: the file may be a graph or a QUBO"));
  EXPECT_TRUE(begins(list("0 1 2 3\n"), "a.txt:1:7: error: a row has 4 columns"));
  EXPECT_TRUE(begins(list("0 1 2\n1 2\n"), "a.txt:2:4: error: the line has 2 of 3 columns"));
  EXPECT_TRUE(begins(list("0 x 2\n"), "a.txt:1:3: error: j is \"x\", not a whole number"));
  EXPECT_TRUE(begins(list(""), "a.txt:1:1: error: the file lists nothing"));
  EXPECT_TRUE(begins(list("# vartype=SPINS\n0 1 2\n"), "a.txt:1:3: error: the vartype is"));
  EXPECT_TRUE(begins(list("# offset=1x\n0 1 2\n"), "a.txt:1:10: error: offset is"));
}

TEST(ProblemFiles, WrongGraphsAndQubosAreToldWithTheirPlace) {
  const auto graph = [](const std::string& text) { return refusal("a.mc", text); };
  EXPECT_TRUE(begins(graph("3 1\n1 4 1\n"), "a.mc:2:3: error: there is no variable 4"));
  EXPECT_TRUE(begins(graph("3 1\n0 2 1\n"), "a.mc:2:1: error: there is no variable 0"));
  EXPECT_TRUE(begins(graph("3 2\n1 2 1\n"), "a.mc:1:3: error: the file lists 1 rows"));
  EXPECT_TRUE(begins(graph("3 1\n2 2 1\n"), "a.mc:2:3: error: an edge joins node 2 with itself"));
  EXPECT_TRUE(begins(graph("-3 1\n"), "a.mc:1:1: error: the number of variables is -3"));
  EXPECT_TRUE(begins(graph("3\n"), "a.mc:1:1: error: the first row has 1 columns"));
  EXPECT_TRUE(begins(graph(""), "a.mc:1:1: error: the file is empty"));
  const auto qubo = [](const std::string& text) { return refusal("a.qubo", text); };
  EXPECT_TRUE(begins(qubo("0 0 1\n"), "a.qubo:1:1: error: the header is missing"));
  EXPECT_TRUE(begins(qubo("p qubo 0 2 1 0\n0 0 1\n1 1 1\n"),
                     "a.qubo:1:12: error: the file lists 2 rows i i weight"));
  EXPECT_TRUE(begins(qubo("p qubo 0 2 0 2\n0 1 1\n"),
                     "a.qubo:1:14: error: the file lists 1 rows i j weight"));
  EXPECT_TRUE(begins(qubo("p qubo 0 2 0 1\n0 2 1\n"), "a.qubo:2:3: error: there is no variable 2"));
  EXPECT_TRUE(begins(qubo("p cnf 0 2 0 1\n"), "a.qubo:1:3: error: this is not a header of a QUBO"));
}

TEST(ProblemFiles, WrongModelsOfDimodAreToldWithTheirPlace) {
  const auto json = [](const std::string& text) { return refusal("a.json", text); };
  EXPECT_TRUE(begins(json(bqm("SPIN", "[0, 3]")), "a.json:6:24: error: there is no variable 3"));
  EXPECT_TRUE(begins(json(bqm("SPIN", "[0, 2]")), "a.json:7:24: error: variable 2 is coupled"));
  EXPECT_TRUE(begins(json(bqm("SPIN", "[0, 1]", "[1, 0]")),
                     "a.json:7:1: error: the pair of 1 and 0 is given twice"));
  EXPECT_TRUE(begins(json(bqm("SPIN", "[0]")), "a.json:6:20: error: the list has 1 entries"));
  EXPECT_TRUE(begins(json(bqm("SPIN", "[0, 1]", "[1, 2]", "[1, NaN]")),
                     "a.json:5:26: error: the number is NaN"));
  EXPECT_TRUE(begins(json(bqm("SPIN", "[0, 1]", "[1, 2]", "[1, 2]", "[1]")),
                     "a.json:4:19: error: the list has 1 entries, but num_variables is 3"));
  EXPECT_TRUE(begins(json(bqm("INTEGER")), "a.json:3:79: error: variable_type is \"INTEGER\""));
  EXPECT_TRUE(begins(json("{\"use_bytes\": true}"), "a.json:1:15: error: the biases are bytes"));
  EXPECT_TRUE(begins(json("{\"variable_type\": \"SPIN\"}"),
                     "a.json:1:1: error: the key \"num_variables\" is missing"));
  EXPECT_TRUE(begins(json("[1]"), "a.json:1:1: error: a table is needed here, not a list"));
}

TEST(Json, KeepsValuesAndOrder) {
  const Value root = parse_json(
      " {\"z\": [1, -2.5e1, true, false, \"\\u00e9\\n\\ud83d\\ude00\"],\n\"a\": {}}", "f");
  ASSERT_EQ(root.as_table().size(), 2U);
  EXPECT_EQ(root.as_table()[0].key, "z");
  const Value::Array& list = root.find("z")->as_array();
  EXPECT_EQ(list[0].as_integer(), 1);
  EXPECT_EQ(list[1].as_number(), -25);
  EXPECT_TRUE(list[2].as_boolean());
  EXPECT_FALSE(list[3].as_boolean());
  EXPECT_EQ(list[4].as_string(), "\xc3\xa9\n\xf0\x9f\x98\x80");
  EXPECT_TRUE(root.find("a")->as_table().empty());
  EXPECT_EQ(root.find("a")->where().line, 2);
  EXPECT_EQ(root.find("a")->where().column, 6);
}

TEST(Json, WhatIsWrongIsToldWithItsPlace) {
  const auto refused = [](const std::string& text) -> std::string {
    try {
      parse_json(text, "f");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_TRUE(begins(refused(""), "f:1:1: error: the file is empty"));
  EXPECT_TRUE(
      begins(refused("{\"a\": 1,\n \"a\": 2}"), "f:2:2: error: the key \"a\" is given twice"));
  EXPECT_TRUE(begins(refused("{\"a\": [1, 2"), "f:1:12: error: there is no ','"));
  EXPECT_TRUE(begins(refused("{\"a\" 1}"), "f:1:6: error: there is no ':'"));
  EXPECT_TRUE(begins(refused("{a: 1}"), "f:1:2: error: a key is missing"));
  EXPECT_TRUE(begins(refused("[\"a]"), "f:1:5: error: a text has no end"));
  EXPECT_TRUE(begins(refused("[1.5.2]"), "f:1:2: error: the value is \"1.5.2\", not a number"));
  EXPECT_TRUE(begins(refused("[null]"), "f:1:2: error: null is not allowed here"));
  EXPECT_TRUE(begins(refused("[1] 2"), "f:1:5: error: something follows"));
  EXPECT_TRUE(begins(refused(std::string(1000, '[')), "f:1:202: error: lists are nested"));
  EXPECT_TRUE(begins(refused("[\"\\q\"]"), "f:1:4: error: a backslash"));
}

}  // namespace
}  // namespace larmor::io
