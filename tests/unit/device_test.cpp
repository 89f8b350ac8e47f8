// The capabilities of the machine and the device that environment variables request.
// Rooms: core

#include "larmor/core/device/device.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"

namespace {

using namespace larmor;

/// Sets an environment variable during its lifetime.
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
  for (const std::string& set : instruction_sets_here()) {
    const Variable named("LARMOR_INSTRUCTION_SET", set.c_str());
    EXPECT_EQ(cpu_instruction_set(), set);
  }
}

TEST(InstructionSet, IsRefusedWhereThereIsNoneOfThisName) {
  const Variable wrong("LARMOR_INSTRUCTION_SET", "avx2");
  try {
    cpu_instruction_set();
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("avx2"), std::string::npos) << error.what();
  }
}

}  // namespace
