// What the machine offers, and what the environment asks of it.

#include "larmor/core/device/device.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "larmor/core/error.hpp"

namespace {

using namespace larmor;

/// Sets a variable of the environment for as long as this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~Variable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(InstructionSet, IsTheOneThatTheEnvironmentNames) {
  if (cpu_instruction_set() == "generic") GTEST_SKIP() << "built for one instruction set";
  const Variable narrow("LARMOR_INSTRUCTION_SET", "v2");
  EXPECT_EQ(cpu_instruction_set(), "v2");
}

TEST(InstructionSet, IsRefusedWhereThereIsNoneOfThisName) {
  if (cpu_instruction_set() == "generic") GTEST_SKIP() << "built for one instruction set";
  const Variable wrong("LARMOR_INSTRUCTION_SET", "avx2");
  try {
    cpu_instruction_set();
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("avx2"), std::string::npos) << error.what();
  }
}

}  // namespace
