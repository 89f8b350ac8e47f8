#pragma once
// Which of the kernels for CPUs run; `cpu_instruction_set` (device.hpp) says it.

#include <string>
#include <vector>

namespace larmor {

/// Those that this program has kernels for and this processor runs, the widest last.
std::vector<std::string> instruction_sets_here();

/// Makes hot loops use another set than the widest one where the environment names none; before any
/// of them has run. A set that this build does not choose among changes nothing.
/// @throws MachineError when the processor lacks it
void use_instruction_set(const std::string& set);

}  // namespace larmor
