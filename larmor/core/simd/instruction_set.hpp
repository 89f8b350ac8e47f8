#pragma once
// The choice among CPU kernels; `cpu_instruction_set` (device.hpp) returns it.

#include <string>
#include <vector>

namespace larmor {

/// Instruction sets with kernels in this program that this processor runs, the widest last.
std::vector<std::string> instruction_sets_here();

/// Makes hot loops use this set instead of the widest one, unless the environment names one. Call
/// it before any of them has run. A set without kernels in this build changes nothing.
/// @throws MachineError if the processor lacks it
void use_instruction_set(const std::string& set);

}  // namespace larmor
