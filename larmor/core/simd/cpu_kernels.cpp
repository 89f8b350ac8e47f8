#include "larmor/core/simd/cpu_kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>

#include "larmor/core/device/device.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/maths/isa.hpp"

namespace larmor {

namespace {

/// Each set includes the earlier ones.
constexpr const char* instruction_sets[] = {"v2", "v3", "v4"};

/// Number in `instruction_sets` of the widest set of this processor; -1 if it is not x86-64.
std::ptrdiff_t widest_set_here() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd"))
    return 2;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                 __builtin_cpu_supports("bmi2")
             ? 1
             : 0;
#else
  return -1;
#endif
}

/// Number of a set in `instruction_sets`; -1 if it is not there.
std::ptrdiff_t number_of(const std::string& set) {
  const auto* found = std::find(std::begin(instruction_sets), std::end(instruction_sets), set);
  return found == std::end(instruction_sets) ? -1 : found - std::begin(instruction_sets);
}

}  // namespace

#if defined(LARMOR_ONLY_SET)

std::string cpu_instruction_set() {
  const std::string only = LARMOR_TEXT(LARMOR_ONLY_SET);
  const std::ptrdiff_t widest = widest_set_here();
  const char* wanted = std::getenv("LARMOR_INSTRUCTION_SET");
  if (wanted != nullptr && wanted != only)
    throw InputError("LARMOR_INSTRUCTION_SET is \"" + std::string(wanted) +
                         "\", and this program has kernels for " + only + " only",
                     "`make build` makes a program with kernels for v2, v3 and v4");
  if (number_of(only) > widest)
    throw MachineError("this program was built for processors with x86-64-" + only +
                       ", and this processor has x86-64-" + instruction_sets[widest] +
                       "; `make build` makes a program that runs on both");
  return only;
}

std::vector<std::string> instruction_sets_here() { return {cpu_instruction_set()}; }

void use_instruction_set(const std::string&) {}

#else

namespace {

/// The set that `use_instruction_set` has chosen; empty if none.
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
        "set LARMOR_INSTRUCTION_SET to v2, v3 or v4");
  if (found > widest)
    throw MachineError("LARMOR_INSTRUCTION_SET asks for kernels for x86-64-" + std::string(wanted) +
                       ", but this processor only runs kernels up to x86-64-" +
                       instruction_sets[widest]);
  return wanted;
}

std::vector<std::string> instruction_sets_here() {
  return {std::begin(instruction_sets), std::begin(instruction_sets) + widest_set_here() + 1};
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
