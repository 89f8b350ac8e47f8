// Rooms: core
#include "larmor/core/input/fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "larmor/io/files/toml.hpp"
#include "tests/expectations.hpp"

namespace larmor {
namespace {

using testing_support::contains;

const ReadContext reduced = ReadContext::reduced();
const ReadContext material = ReadContext::material();

struct Window {
  std::string kind = "hann";
  double width = 1;
  SourcePosition where;
  static FieldTable<Window> fields() {
    return FieldTable<Window>()
        .optional("kind", &Window::kind, Dimension::none, "shape")
        .one_of({"hann", "none"})
        .optional("width", &Window::width, Dimension::time, "length")
        .positive();
  }
};

struct Sample {
  static constexpr const char* name = "sample";
  double J = 0;
  bool flag = false;
  int count = 3;
  Index steps = 100;
  std::uint64_t seed = 1;
  std::string label = "x";
  Vec3<double> axis{0, 0, 1};
  Vec3<double> field{0, 0, 0};
  Mat3<double> tensor{};
  std::array<bool, 3> periodic{true, true, false};
  std::array<Index, 3> size{1, 2, 3};
  std::vector<bool> flags;
  std::vector<double> temperatures;
  std::vector<Index> sites;
  std::vector<std::string> species;
  std::vector<Vec3<double>> positions;
  std::vector<std::array<Index, 2>> pairs;
  std::vector<std::array<Index, 3>> offsets;
  std::optional<double> cutoff;
  std::optional<std::string> file;
  std::optional<Value> custom;
  OrAuto<double> angle;
  Window window;
  std::vector<Window> windows;
  SourcePosition where;

  static FieldTable<Sample> fields() {
    return FieldTable<Sample>()
        .required("J", &Sample::J, Dimension::energy, "coupling; J > 0: ferromagnetic")
        .optional("flag", &Sample::flag, Dimension::none, "")
        .optional("count", &Sample::count, Dimension::none, "")
        .at_least(1)
        .at_most(10)
        .optional("steps", &Sample::steps, Dimension::none, "")
        .optional("seed", &Sample::seed, Dimension::none, "")
        .optional("label", &Sample::label, Dimension::none, "")
        .not_empty()
        .optional("axis", &Sample::axis, Dimension::none, "")
        .not_zero()
        .optional("field", &Sample::field, Dimension::magnetic_field, "")
        .optional("tensor", &Sample::tensor, Dimension::energy, "")
        .optional("periodic", &Sample::periodic, Dimension::none, "")
        .optional("size", &Sample::size, Dimension::none, "")
        .positive()
        .optional("flags", &Sample::flags, Dimension::none, "")
        .optional("temperatures", &Sample::temperatures, Dimension::temperature, "")
        .at_least(0)
        .not_empty()
        .optional("sites", &Sample::sites, Dimension::none, "")
        .optional("species", &Sample::species, Dimension::none, "")
        .optional("positions", &Sample::positions, Dimension::length, "")
        .optional("pairs", &Sample::pairs, Dimension::none, "")
        .optional("offsets", &Sample::offsets, Dimension::none, "")
        .optional("cutoff", &Sample::cutoff, Dimension::length, "")
        .optional("file", &Sample::file, Dimension::none, "")
        .optional("custom", &Sample::custom, Dimension::none, "")
        .optional("window", &Sample::window, Dimension::none, "")
        .optional("windows", &Sample::windows, Dimension::none, "")
        .optional("angle", &Sample::angle, Dimension::angle, "")
        .at_most(2);
  }
};

Sample sample(const std::string& text, const ReadContext& context = reduced) {
  return read<Sample>(io::parse_toml(text, "study.toml"), context);
}

std::string refusal(const std::string& text, const ReadContext& context = reduced) {
  try {
    sample(text, context);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

testing::AssertionResult refused(const std::string& line, const std::string& part) {
  return contains(refusal("J = 1\n" + line + "\n"), part);
}

constexpr const char* full_text = R"(
J = 2
flag = true
count = 7
steps = 1e6
seed = "18446744073709551615"
label = "Γ"
axis = [1, 0, 0]
field = [0, 0.5, -1]
tensor = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
periodic = [false, true, false]
size = [4, 5, 6]
flags = [true, false]
temperatures = [1.5, 2]
sites = [3, 1]
species = ["Fe", "Co"]
positions = [[0, 0, 0], [0.5, 0.5, 0.25]]
pairs = [[0, 1], [2, 3]]
offsets = [[1, 0, 0], [0, -1, 0]]
cutoff = 3.5
file = "jfile"
custom = { from = 1, to = 2 }
angle = "90 deg"
window = { kind = "none", width = 0.1 }

[[windows]]
width = 2

[[windows]]
width = 3
)";

TEST(ReadFields, EveryKindOfMember) {
  const Sample s = sample(full_text);
  EXPECT_EQ(s.J, 2);
  EXPECT_TRUE(s.flag);
  EXPECT_EQ(s.count, 7);
  EXPECT_EQ(s.steps, 1000000);
  EXPECT_EQ(s.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(s.label, "Γ");
  EXPECT_EQ(s.axis, (Vec3<double>{1, 0, 0}));
  EXPECT_EQ(s.field, (Vec3<double>{0, 0.5, -1}));
  EXPECT_EQ(s.tensor.row[2], (Vec3<double>{7, 8, 9}));
  EXPECT_EQ(s.periodic, (std::array<bool, 3>{false, true, false}));
  EXPECT_EQ(s.size, (std::array<Index, 3>{4, 5, 6}));
  EXPECT_EQ(s.flags, (std::vector<bool>{true, false}));
  EXPECT_EQ(s.temperatures, (std::vector<double>{1.5, 2}));
  EXPECT_EQ(s.sites, (std::vector<Index>{3, 1}));
  EXPECT_EQ(s.species, (std::vector<std::string>{"Fe", "Co"}));
  EXPECT_EQ(s.positions.at(1), (Vec3<double>{0.5, 0.5, 0.25}));
  EXPECT_EQ(s.pairs.at(1), (std::array<Index, 2>{2, 3}));
  EXPECT_EQ(s.offsets.at(1), (std::array<Index, 3>{0, -1, 0}));
  EXPECT_EQ(s.cutoff, 3.5);
  EXPECT_EQ(s.file, "jfile");
  EXPECT_EQ(s.custom.value().find("to")->as_integer(), 2);
  EXPECT_EQ(s.window.kind, "none");
  ASSERT_EQ(s.windows.size(), 2U);
  EXPECT_EQ(s.windows[1].width, 3);
}

TEST(ReadFields, KeysLeftOutKeepTheirDefaults) {
  const Sample s = sample("J = 1\n");
  EXPECT_EQ(s.count, 3);
  EXPECT_EQ(s.size, (std::array<Index, 3>{1, 2, 3}));
  EXPECT_EQ(s.window.kind, "hann");
  EXPECT_FALSE(s.cutoff);
}

TEST(ReadFields, WhatMayBeAutoIsAValueWithinItsLimitsOrTheWord) {
  EXPECT_NEAR(sample(full_text).angle.given.value(), std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(sample("J = 1\nangle = 1.5\n").angle.given, 1.5);
  EXPECT_FALSE(sample("J = 1\nangle = \"auto\"\n").angle.given);
  EXPECT_FALSE(sample("J = 1\n").angle.given);
  EXPECT_TRUE(refused("angle = 3", "angle must be at most 2, not 3"));
  EXPECT_TRUE(refused("angle = \"atuo\"", "or \"auto\""));
  EXPECT_TRUE(refused("angle = true", "angle must be a number"));
  EXPECT_EQ(complete(sample("J = 1\n"), reduced).find("angle")->as_string(), "auto");
  const auto infos = describe<Sample>();
  const auto angle = std::find_if(infos.begin(), infos.end(),
                                  [](const FieldInfo& info) { return info.key == "angle"; });
  EXPECT_EQ(angle->type, "number or \"auto\"");
  EXPECT_EQ(angle->default_text, "\"auto\"");
}

TEST(ReadFields, ObjectsRememberTheirPlace) {
  const Sample s = sample(full_text);
  EXPECT_EQ(s.where.file, "study.toml");
  EXPECT_EQ(s.window.where.line, 24);
  EXPECT_EQ(s.windows.at(1).where.line, 29);
}

TEST(ReadFields, SingleValueCountsAsListOfOne) {
  const Sample s = sample("J = 1\ntemperatures = 5\nspecies = \"Fe\"\n[windows]\nwidth = 4\n");
  EXPECT_EQ(s.temperatures, (std::vector<double>{5}));
  EXPECT_EQ(s.species, (std::vector<std::string>{"Fe"}));
  ASSERT_EQ(s.windows.size(), 1U);
  EXPECT_EQ(s.windows[0].width, 4);
}

TEST(ReadFields, MaterialStudiesTakeQuantities) {
  const Sample s = sample(
      "J = \"13 meV\"\ntemperatures = [\"300 K\", \"1 meV\"]\nfield = [\"0 T\", \"0 T\", \"5 "
      "kOe\"]\n",
      material);
  EXPECT_DOUBLE_EQ(s.J, 0.013);
  EXPECT_DOUBLE_EQ(s.temperatures.at(1), 1e-3 / codata_2018.k_B);
  EXPECT_DOUBLE_EQ(s.field.z, 0.5);
  EXPECT_EQ(sample("J = \"1 eV\"\ntemperatures = \"300 K\"\n", material).temperatures,
            std::vector<double>{300});
}

TEST(ReadFields, BareNumbersAreRefusedInMaterialStudies) {
  const auto message = refusal("J = 4.5\n", material);
  EXPECT_TRUE(contains(message, "study.toml:1:5: error: J needs a unit of energy"));
  EXPECT_TRUE(contains(message, "help: write J = \"4.5 meV\""));
  EXPECT_TRUE(contains(refusal("J = \"1 eV\"\ntemperatures = [\"1 K\", 2]\n", material),
                       "2:24: error: element 2 of temperatures needs a unit of temperature"));
}

TEST(ReadFields, UnitsAreRefusedInReducedStudies) {
  const auto message = refusal("J = \"4.5 meV\"\n");
  EXPECT_TRUE(contains(message, "J: '4.5 meV' has a unit, but this study is in reduced units"));
  EXPECT_TRUE(contains(message, "units = \"material\""));
}

TEST(ReadFields, UnknownKeysGetASuggestionAndTheList) {
  const auto message = refusal("J = 1\n  temperatuers = 5\n");
  EXPECT_TRUE(contains(message, "study.toml:2:3: error: unknown key 'temperatuers' in sample"));
  EXPECT_TRUE(contains(message, "did you mean 'temperatures'?"));
  EXPECT_TRUE(contains(message, "known keys: J, flag, count"));
}

TEST(ReadFields, MissingKeysAreExplained) {
  const auto message = refusal("count = 5\n");
  EXPECT_TRUE(contains(message, "study.toml: error: the key 'J' is missing in sample"));
  EXPECT_TRUE(contains(message, "help: J (number, energy): coupling; J > 0: ferromagnetic"));
}

TEST(ReadFields, WrongTypesAreNamed) {
  EXPECT_TRUE(contains(refusal("J = true\n"), "J must be a number, not true or false"));
  EXPECT_TRUE(contains(refusal("J = true\n", material), "J must be an energy, not true or false"));
  EXPECT_TRUE(contains(refusal("J = \"one\"\n"), "J: 'one' is text, and a plain number is needed"));
  EXPECT_TRUE(refused("axis = [1, \"2\", 3]", "element 2 of axis must be a number, not a string"));
  EXPECT_TRUE(refused("flag = 1", "flag must be true or false, not a number"));
  EXPECT_TRUE(refused("count = 2.5", "count must be a whole number, not 2.5"));
  EXPECT_TRUE(refused("count = \"3\"", "count must be a whole number, not a string"));
  EXPECT_TRUE(refused("label = 3", "write label = \"3\""));
  EXPECT_TRUE(refused("axis = [1, 2]", "axis must be a list of 3, not of 2"));
  EXPECT_TRUE(refused("axis = 1", "axis must be a list of 3, not a number"));
  EXPECT_TRUE(refused("pairs = [1, 2]", "write pairs = [[1, 2]]"));
  EXPECT_TRUE(refused("pairs = 1", "pairs must be a list of lists"));
  EXPECT_TRUE(refused("positions = [[1, 1, 1], [1, 1]]",
                      "element 2 of positions must be a list of 3, not of 2"));
  EXPECT_TRUE(refused("window = 1", "window must be a table, not a number"));
  EXPECT_TRUE(refused("[[window]]", "window must be a table, not a list"));
  EXPECT_TRUE(refused("windows = [{}, 1]", "windows must be a table, not a number"));
}

TEST(ReadFields, NumbersThatAreNoneAreRefused) {
  EXPECT_TRUE(contains(refusal("J = nan\n"), "J must be a finite number, not nan"));
  EXPECT_TRUE(refused("temperatures = [1, inf]", "must be a finite number, not inf"));
  EXPECT_TRUE(refused("axis = [0, 0, -inf]", "must be a finite number, not -inf"));
  EXPECT_TRUE(refused("steps = nan", "steps must be a whole number, not nan"));
  EXPECT_TRUE(refused("steps = inf", "steps must be a whole number, not inf"));
  EXPECT_TRUE(refused("steps = 1e300", "steps must be a whole number"));
}

TEST(ReadFields, LimitsHold) {
  EXPECT_EQ(sample("J = 1\ncount = 1\n").count, 1);
  EXPECT_EQ(sample("J = 1\ncount = 10\n").count, 10);
  EXPECT_TRUE(refused("count = 0", "count must be at least 1, not 0"));
  EXPECT_TRUE(refused("count = 11", "count must be at most 10, not 11"));
  EXPECT_TRUE(refused("count = 3000000000", "at most 10"));
  EXPECT_TRUE(refused("seed = -1", "seed must not be negative"));
  EXPECT_TRUE(refused("seed = \"18446744073709551616\"", "must be a whole number from 0"));
  EXPECT_TRUE(refused("axis = [0, 0, 0]", "axis must not be the zero vector"));
  EXPECT_EQ(sample("J = 1\naxis = [0, 2, 0]\n").axis.y, 2);
  EXPECT_TRUE(refused("size = [1, 0, 1]", "element 2 of size must be positive, not 0"));
  EXPECT_TRUE(refused("label = \"\"", "label must not be empty"));
  EXPECT_TRUE(refused("temperatures = []", "temperatures must not be empty"));
  EXPECT_TRUE(contains(refusal("J = \"1 eV\"\ntemperatures = \"-5 K\"\n", material),
                       "temperatures must be at least 0 K, not \"-5 K\""));
}

TEST(ReadFields, ChoicesHoldInNestedTables) {
  const auto message = refusal("J = 1\n[window]\nkind = \"han\"\n");
  EXPECT_TRUE(contains(message, "study.toml:3:8: error: kind cannot be 'han'"));
  EXPECT_TRUE(contains(message, "did you mean 'hann'? choices: hann, none"));
  EXPECT_TRUE(refused("[[windows]]\nknid = 1", "unknown key 'knid' in windows"));
}

TEST(CompleteFields, IsReadBackTheSame) {
  Sample s = sample(full_text);
  s.J = 0.1 + 0.2;
  s.tensor.row[0].x = 1.0 / 3;
  s.custom.reset();  // the numbers of a custom table have no dimension here
  for (const auto& context : {reduced, material}) {
    const std::string text = to_toml(complete(s, context));
    const Sample again = sample(text, context);
    EXPECT_EQ(to_toml(complete(again, context)), text);
    EXPECT_EQ(again.J, s.J);
    EXPECT_EQ(again.seed, s.seed);
    EXPECT_EQ(again.tensor, s.tensor);
    EXPECT_EQ(again.positions, s.positions);
    EXPECT_EQ(again.flags, s.flags);
    EXPECT_EQ(again.cutoff, s.cutoff);
    EXPECT_EQ(again.windows.at(1).width, s.windows[1].width);
  }
}

TEST(CompleteFields, DefaultsAreReadBackToo) {
  for (const auto& context : {reduced, material}) {
    const std::string text = to_toml(complete(Sample(), context));
    EXPECT_EQ(to_toml(complete(sample(text, context), context)), text);
  }
}

TEST(CompleteFields, HasDefaultsAndUnitsButNoEmptyOptionals) {
  const Value table = complete(sample("J = \"2 eV\"\n", material), material);
  EXPECT_EQ(table.find("J")->as_string(), "2 eV");
  EXPECT_EQ(table.find("count")->as_integer(), 3);
  EXPECT_EQ(table.find("window")->find("width")->as_string(), "1 ps");
  EXPECT_EQ(table.find("cutoff"), nullptr);
  EXPECT_EQ(table.as_table().front().key, "J");
}

TEST(DescribeFields, SaysWhatExplainShows) {
  const auto infos = describe<Sample>();
  EXPECT_EQ(infos.at(0).key, "J");
  EXPECT_TRUE(infos[0].required);
  EXPECT_EQ(infos[0].default_text, "");
  EXPECT_EQ(infos[0].dimension, Dimension::energy);
  EXPECT_EQ(infos[0].type, "number");
  EXPECT_EQ(infos.at(2).default_text, "3");
  EXPECT_EQ(infos[2].limits, (std::vector<std::string>{"at least 1", "at most 10"}));
  const auto& window = infos.at(21);
  EXPECT_EQ(window.key, "window");
  EXPECT_EQ(window.type, "table");
  ASSERT_EQ(window.children.size(), 2U);
  EXPECT_EQ(window.children[0].default_text, "\"hann\"");
  EXPECT_EQ(window.children[0].choices, (std::vector<std::string>{"hann", "none"}));
  EXPECT_EQ(infos.at(17).type, "list of lists of 3 whole numbers");
  EXPECT_EQ(infos.at(22).type, "list of tables");
  EXPECT_EQ(infos[22].children.size(), 2U);
}

TEST(ReadValue, ReadsOneValueForCustomCode) {
  const Value root = io::parse_toml("t = { from = \"10 K\", to = 3 }\n", "study.toml");
  const Value& range = *root.find("t");
  EXPECT_EQ(read_value<double>(*range.find("from"), "from", Dimension::temperature, material), 10);
  EXPECT_EQ(read_value<Index>(*range.find("to"), "to", Dimension::none, material), 3);
  EXPECT_THROW(read_value<double>(*range.find("to"), "to", Dimension::temperature, material),
               InputError);
}

struct DeclaredTwice {
  double a = 0;
  static FieldTable<DeclaredTwice> fields() {
    return FieldTable<DeclaredTwice>()
        .optional("a", &DeclaredTwice::a, Dimension::none, "")
        .optional("a", &DeclaredTwice::a, Dimension::none, "");
  }
};

TEST(FieldTable, DefectsOfATableAreInternalErrors) {
  EXPECT_THROW(DeclaredTwice::fields(), InternalError);
  EXPECT_THROW(FieldTable<Window>().positive(), InternalError);
}

struct Base {
  double shared = 1;
};
struct Derived : Base {
  static FieldTable<Derived> fields() {
    return FieldTable<Derived>().optional("shared", &Derived::shared, Dimension::none, "");
  }
};

TEST(FieldTable, MembersOfABaseWork) {
  EXPECT_EQ(read<Derived>(io::parse_toml("shared = 4\n", "f"), reduced).shared, 4);
}

}  // namespace
}  // namespace larmor
