#pragma once
// Whether kernels are compiled for the model, that is made for a model at run time. They are where
// the model is translation invariant and large enough to repay some seconds of compilation, on a
// GPU; the environment variable LARMOR_JIT may say "always" or "never" instead. Results are the
// same to rounding.

#include "larmor/spins/hamiltonian/model.hpp"

namespace larmor::spins {

/// The stencil to make kernels for, or nothing: tables are to be used.
std::optional<Stencil> stencil_to_use(const Model& model, const SpinLayout& layout,
                                      const Device& device, StencilCells cells);

/// What to tell users of a system that is too large for such kernels; empty: it is not.
std::string stencil_advice(const SpinLayout& layout);

}  // namespace larmor::spins
