#pragma once
// Whether kernels are made for a model at run time. They are where the model is translation
// invariant and large enough to repay some seconds of compilation, on a GPU; the environment
// variable LARMOR_MADE_KERNELS may say "always" or "never" instead. Results are the same to
// rounding.

#include "larmor/spins/model.hpp"

namespace larmor::spins {

/// The stencil to make kernels for, or nothing: tables are to be used.
std::optional<Stencil> stencil_to_use(const Model& model, const SpinLayout& layout,
                                      const Device& device, StencilCells cells);

/// "always" or "never", or nothing where it goes by the model: what the environment or
/// `use_made_kernels` says, and "never" where nothing can be compiled for this GPU.
/// @throws InputError where it says something else
std::string choice_of_made_kernels(const Device& gpu);

/// The choice where the environment makes none. @param choice "always", "never" or nothing
void use_made_kernels(const std::string& choice);

/// What to tell users of a system that is too large for such kernels; empty: it is not.
std::string stencil_advice(const SpinLayout& layout);

}  // namespace larmor::spins
