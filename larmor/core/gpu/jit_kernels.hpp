#pragma once
// Whether kernels for GPUs are specialised, made at run time for a model: what the environment or
// the program says of it.

#include <string>

#include "larmor/core/device/device.hpp"

namespace larmor {

/// "always" or "never", or nothing where it goes by the model: what the environment or
/// `use_jit_kernels` says, and "never" where nothing can be compiled for this GPU.
/// @throws InputError where it says something else
std::string choice_of_jit_kernels(const Device& gpu);

/// The choice where the environment makes none. @param choice "always", "never" or nothing
void use_jit_kernels(const std::string& choice);

}  // namespace larmor
