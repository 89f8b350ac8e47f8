#include "larmor/core/gpu/specialised_kernels.hpp"

#include <cstdlib>

#include "larmor/core/device/runtime_compiler.hpp"
#include "larmor/core/error.hpp"

namespace larmor {
namespace {

std::string& chosen() {
  static std::string choice;
  return choice;
}

}  // namespace

void use_specialised_kernels(const std::string& choice) { chosen() = choice; }

std::string choice_of_specialised_kernels(const Device& gpu) {
  if (std::getenv("LARMOR_MADE_KERNELS") != nullptr)
    throw InputError("LARMOR_MADE_KERNELS is set, which is the former name of a variable",
                     "set LARMOR_SPECIALISED_KERNELS instead");
  const char* said = std::getenv("LARMOR_SPECIALISED_KERNELS");
  const std::string choice = said == nullptr ? chosen() : said;
  if (!choice.empty() && choice != "always" && choice != "never")
    throw InputError("LARMOR_SPECIALISED_KERNELS is \"" + choice + "\"", "\"always\" or \"never\"");
  return runtime_compiler_missing(architecture_of(gpu)) ? "never" : choice;
}

}  // namespace larmor
