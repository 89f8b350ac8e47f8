#include "larmor/core/lanes/instruction_set.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>

#include "larmor/core/device/device.hpp"
#include "larmor/core/error.hpp"

namespace larmor {

#if defined(LARMOR_ONE_INSTRUCTION_SET)

std::string cpu_instruction_set() { return "generic"; }

void use_instruction_set(const std::string&) {}

#else

namespace {

/// Each has all of those before it.
constexpr const char* instruction_sets[] = {"v2", "v3", "v4"};

std::ptrdiff_t widest_set_here() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd"))
    return 2;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                 __builtin_cpu_supports("bmi2")
             ? 1
             : 0;
}

/// -1: it is none of them.
std::ptrdiff_t number_of(const std::string& set) {
  const auto* found = std::find(std::begin(instruction_sets), std::end(instruction_sets), set);
  return found == std::end(instruction_sets) ? -1 : found - std::begin(instruction_sets);
}

/// Where nothing was chosen, empty.
std::string& chosen_set() {
  static std::string set;
  return set;
}

}  // namespace

std::string cpu_instruction_set() {
  const std::ptrdiff_t widest = widest_set_here();
  const char* wanted = std::getenv("LARMOR_INSTRUCTION_SET");
  if (wanted == nullptr) return chosen_set().empty() ? instruction_sets[widest] : chosen_set();
  const std::ptrdiff_t found = number_of(wanted);
  if (found < 0)
    throw InputError(
        "LARMOR_INSTRUCTION_SET is \"" + std::string(wanted) + "\", for which there are no kernels",
        "it may be v2, v3 or v4");
  if (found > widest)
    throw MachineError("LARMOR_INSTRUCTION_SET asks for kernels for x86-64-" + std::string(wanted) +
                       "; this processor runs those up to x86-64-" + instruction_sets[widest]);
  return wanted;
}

void use_instruction_set(const std::string& set) {
  const std::ptrdiff_t widest = widest_set_here();
  if (number_of(set) > widest)
    throw MachineError(std::string("this processor runs kernels up to x86-64-") +
                       instruction_sets[widest]);
  if (number_of(set) >= 0) chosen_set() = set;
}

#endif

}  // namespace larmor
