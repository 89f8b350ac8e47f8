#pragma once
// Decides whether to use JIT kernels, which are compiled for a model at run time. A GPU uses them
// for translation-invariant models that are large enough to repay some seconds of compilation. The
// environment variable LARMOR_JIT overrides this rule with "always" or "never". Results of JIT
// kernels and of table kernels agree to rounding.

#include "larmor/spins/hamiltonian/model.hpp"

namespace larmor::spins {

/// The stencil for JIT kernels, or nothing if kernels must read tables.
std::optional<Stencil> stencil_to_use(const Model& model, const SpinLayout& layout,
                                      const Device& device, StencilCells cells);

/// A message for users if the system is too large for JIT kernels; otherwise empty.
std::string stencil_advice(const SpinLayout& layout);

}  // namespace larmor::spins
