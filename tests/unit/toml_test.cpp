// Rooms: io
#include "larmor/io/files/toml.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "tests/expectations.hpp"

namespace larmor::io {
namespace {

using testing_support::contains;

std::string refusal(const std::string& text) {
  try {
    parse_toml(text, "study.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// A folder that the end of the test removes.
struct ScratchFolder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("larmor-toml-test-" + std::to_string(::getpid()));
  ScratchFolder() { std::filesystem::create_directories(path); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() { std::filesystem::remove_all(path); }
};

TEST(ParseToml, KeepsKindsValuesAndOrder) {
  const Value root = parse_toml("z = 1\na = 2.5\nm = true\ns = \"x\"\nl = [1, 2.5, \"y\"]\n", "f");
  const auto& table = root.as_table();
  ASSERT_EQ(table.size(), 5U);
  EXPECT_EQ(table[0].key, "z");
  EXPECT_EQ(table[1].key, "a");
  EXPECT_EQ(table[4].key, "l");
  EXPECT_EQ(root.find("z")->as_integer(), 1);
  EXPECT_EQ(root.find("a")->as_number(), 2.5);
  EXPECT_TRUE(root.find("m")->as_boolean());
  EXPECT_EQ(root.find("s")->as_string(), "x");
  EXPECT_EQ(root.find("l")->as_array()[2].as_string(), "y");
  EXPECT_EQ(root.find("absent"), nullptr);
}

TEST(ParseToml, ValuesKnowTheirPlace) {
  const Value root = parse_toml("title = \"t\"\r\n\r\n[[exchange]]\r\n  J = [1,\r\n 2]\r\n", "f");
  const Value& exchange = root.find("exchange")->as_array().at(0);
  EXPECT_EQ(exchange.where().line, 3);
  const SourcePosition where = exchange.find("J")->where();
  EXPECT_EQ(where.file, "f");
  EXPECT_EQ(where.line, 4);
  EXPECT_EQ(where.column, 7);
  EXPECT_EQ(where.line_text, "  J = [1,");
  EXPECT_EQ(exchange.find("J")->as_array()[1].where().line, 5);
  EXPECT_EQ(exchange.as_table()[0].key_mark.position().column, 3);
}

TEST(ParseToml, ErrorsShowTheLineAndACaret) {
  const auto message = refusal("title = \"x\"\nJ = 4.5 meV\n");
  EXPECT_TRUE(contains(message, "study.toml:2:9: error: "));
  EXPECT_TRUE(contains(message, "\n    2 | J = 4.5 meV\n      |         ^\n"));
  EXPECT_TRUE(contains(message, "  help: "));
  EXPECT_TRUE(contains(message, "\"4.5 meV\""));
}

TEST(ParseToml, RemediesFitTheSlip) {
  EXPECT_TRUE(contains(refusal("J = 1\nJ = 2\n"), "give each key and each table once"));
  EXPECT_TRUE(contains(refusal("J = \"abc\n"), "close every quote"));
  EXPECT_TRUE(contains(refusal("just words\n"), "key = value"));
}

TEST(ParseToml, KeysOfTooManyNamesAreRefused) {
  const auto key = [](int dots) {
    std::string text = "a";
    for (int n = 0; n < dots; ++n) text += ".b";
    return text;
  };
  EXPECT_TRUE(contains(refusal("x = 1\n" + key(40000) + " = 1\n"), "more than 100 dots"));
  EXPECT_TRUE(contains(refusal("[" + key(40000) + "]\n"), "more than 100 dots"));
  EXPECT_TRUE(contains(refusal("x = { " + key(40000) + " = 1 }\n"), "more than 100 dots"));
  EXPECT_EQ(refusal(key(90) + " = 1\n"), "accepted");
  const std::string dots(1000, '.');
  EXPECT_EQ(refusal("x = \"" + dots + "\"  # " + dots + "\n"), "accepted");
  EXPECT_EQ(refusal("x = '" + dots + "'\ny = \"\"\"\"" + dots + "\n" + dots + "\"\"\"\n"),
            "accepted");
}

TEST(ParseToml, BinaryAndForeignEncodingsAreRefused) {
  EXPECT_TRUE(
      contains(refusal(std::string("a = 1\nb\0c", 9)), "study.toml:2:2: error: the file is bin"));
  EXPECT_TRUE(
      contains(refusal("a = 1 # \xff\n"), "study.toml:1:9: error: the file is not valid UTF-8"));
  for (const char* bad : {"\xc0\xaf", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80", "\x80"}) {
    EXPECT_TRUE(contains(refusal(std::string("a = \"") + bad), "not valid UTF-8"));
  }
  EXPECT_EQ(refusal("a = \"Γ μ 𝄞\"\n"), "accepted");
}

TEST(ParseToml, EmptyTextIsRefused) {
  EXPECT_TRUE(contains(refusal(""), "study.toml: error: the file is empty"));
  EXPECT_TRUE(contains(refusal("# only a comment\n"), "empty"));
}

TEST(ParseToml, DatesAreRefused) {
  EXPECT_TRUE(contains(refusal("a = 2020-01-01\n"), "study.toml:1:5: error: dates"));
}

TEST(ParseToml, HostileTextIsRefusedWithoutHarm) {
  const auto message = refusal("a = " + std::string(100000, '[') + "\n");
  EXPECT_TRUE(contains(message, "error"));
  EXPECT_LT(message.size(), 2000U);
  EXPECT_TRUE(contains(refusal("a = 99999999999999999999\n"), "error"));
  EXPECT_EQ(refusal("a = \x1b[31m\n").find('\x1b'), std::string::npos);
}

TEST(ReadToml, MissingFilesAndFoldersAreTheUsersFault) {
  const ScratchFolder folder;
  EXPECT_THROW(read_toml((folder.path / "absent.toml").string()), InputError);
  EXPECT_THROW(read_toml((folder.path / "absent" / "study.toml").string()), InputError);
  EXPECT_THROW(read_toml(folder.path.string()), InputError);
}

TEST(ReadToml, ReadsWhatIsOnDisk) {
  const ScratchFolder folder;
  const std::string path = (folder.path / "study.toml").string();
  std::ofstream(path) << "\xEF\xBB\xBFseed = 7\n";
  const Value root = read_toml(path);
  EXPECT_EQ(root.find("seed")->as_integer(), 7);
  EXPECT_EQ(root.find("seed")->where().file, path);
  if (::geteuid() != 0) {  // root may read every file
    std::filesystem::permissions(path, std::filesystem::perms::none);
    EXPECT_THROW(read_toml(path), MachineError);
  }
}

TEST(ReadToml, AFileThatCannotBeReadIsTheMachinesFault) {
  if (!std::filesystem::exists("/proc/self/mem")) GTEST_SKIP() << "needs Linux's /proc";
  EXPECT_THROW(read_toml("/proc/self/mem"), MachineError);
}

TEST(ToToml, IsReadBackTheSame) {
  Value inner;
  inner.set("x", 1e-300);
  inner.set("y", Value::Array{1, 2.5, "z"});
  Value site;
  site.set("name", "quote \" back \\ line\n tab\t bell\x07 Γ");
  site.set("inner", inner);
  Value root;
  root.set("nested", inner);
  root.set("sites", Value::Array{site, site});
  root.set("odd key.", 0.1 + 0.2);
  root.set("whole", 3.0);
  root.set("big", 1e20);
  root.set("least", std::numeric_limits<std::int64_t>::min());
  root.set("flags", Value::Array{true, false});
  root.set("mixed", Value::Array{inner, 1});
  root.set("none", Value::Array{});
  root.set("bare", Value());
  root.set("infinite", std::numeric_limits<double>::infinity());

  const std::string text = to_toml(root);
  const Value again = parse_toml(text, "again");
  EXPECT_EQ(to_toml(again), text);
  EXPECT_EQ(again.find("odd key.")->as_number(), 0.1 + 0.2);
  EXPECT_EQ(again.find("whole")->kind(), Value::Kind::real);
  EXPECT_EQ(again.find("big")->as_number(), 1e20);
  EXPECT_EQ(again.find("least")->as_integer(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(again.find("nested")->find("x")->as_number(), 1e-300);
  EXPECT_TRUE(again.find("bare")->as_table().empty());
  EXPECT_TRUE(again.find("none")->as_array().empty());
  const Value& second = again.find("sites")->as_array().at(1);
  EXPECT_EQ(second.find("name")->as_string(), site.find("name")->as_string());
  EXPECT_EQ(second.find("inner")->find("y")->as_array()[1].as_number(), 2.5);
}

TEST(Value, WrongKindIsAnInputErrorAtItsPlace) {
  const Value root = parse_toml("a = 1\n", "f");
  try {
    root.find("a")->as_string();
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(std::string(error.what()), "f:1:5: error: a string is needed here"));
  }
}

}  // namespace
}  // namespace larmor::io
