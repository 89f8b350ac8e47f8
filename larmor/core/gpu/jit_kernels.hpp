#pragma once
// The choice of specialised GPU kernels, compiled at run time for a model, by the environment or
// the program.

#include <string>

#include "larmor/core/device/device.hpp"

namespace larmor {

/// "always" or "never", from the environment or `use_jit_kernels`; empty if the model
/// decides. It is "never" if no compiler for this GPU is available.
/// @throws InputError for another value
std::string choice_of_jit_kernels(const Device& gpu);

/// Sets the choice, unless the environment does. @param choice "always", "never" or empty
void use_jit_kernels(const std::string& choice);

}  // namespace larmor
