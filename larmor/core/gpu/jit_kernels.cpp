#include "larmor/core/gpu/jit_kernels.hpp"

#include <cstdlib>

#include "larmor/core/device/jit_compiler.hpp"
#include "larmor/core/error.hpp"

namespace larmor {
namespace {

std::string& chosen() {
  static std::string choice;
  return choice;
}

}  // namespace

void use_jit_kernels(const std::string& choice) { chosen() = choice; }

std::string choice_of_jit_kernels(const Device& gpu) {
  if (std::getenv("LARMOR_MADE_KERNELS") != nullptr)
    throw InputError("LARMOR_MADE_KERNELS is set, which is the former name of a variable",
                     "set LARMOR_JIT instead");
  const char* said = std::getenv("LARMOR_JIT");
  const std::string choice = said == nullptr ? chosen() : said;
  if (!choice.empty() && choice != "always" && choice != "never")
    throw InputError("LARMOR_JIT is \"" + choice + "\"", "\"always\" or \"never\"");
  return runtime_compiler_missing(architecture_of(gpu)) ? "never" : choice;
}

}  // namespace larmor
