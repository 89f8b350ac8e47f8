#pragma once
// Generates the text of JIT kernels for one stencil, for core/device/jit_compiler.hpp. The text
// sums only the bonds, and then calls the functors of the other kernels. These functors receive
// each site with the field of its bonds (spins/jit/summed_slot.hpp).

#include <string>
#include <vector>

#include "larmor/spins/jit/stencil_shape.hpp"

namespace larmor::spins {

/// A kernel over the sites of a shape.
///
///     NAME(View view, const unsigned long long* first_step, unsigned long long step,
///          StencilOutput output)
///
/// runs `functor{view}` with view.key.step = *first_step + step. If the functor returns a number
/// (accepted moves), `output.counts` grows by the number of sites in a replica with a nonzero
/// result. If the kernel observes, EnergyAndMoment is summed before the functor into `output.sums`.
struct StencilKernel {
  std::string name;
  std::string functor;  ///< a type of larmor::spins; may use `bond_class`; empty: none
  std::string view;     ///< LlgView or SweepView
  std::string input;    ///< expression of `view`: vectors that the sums over bonds read
  bool noisy = false;   ///< does the functor use noise_deviates?
  bool counts = false;  ///< does the functor return a number?
  bool observes = false;
  /// Are energies of replicas summed after the functor if output.sums is not null? The partial sums
  /// of EnergyOfColours then begin at `first_partial` in (block of replicas, all_partials, 8).
  bool sums_energy = false;
  Index first_partial = 0, all_partials = 0;
  std::string constants;  ///< statements after those for all kernels
  StencilShape shape;
  /// If ranks share the lattice: the axis along which it is cut. Each launch then selects layers of
  /// tiles (StencilOutput). -1: all layers.
  int cut_axis = -1;
};

/// @param headers to include
/// @param constants statements that assign the constant members of `view`, so that the compiler can
///        use them
std::string stencil_source(const Stencil& stencil, Precision precision,
                           const std::vector<std::string>& headers, const std::string& constants,
                           const std::vector<StencilKernel>& kernels);

/// Statements that assign the constant members of `view.model`: its forms and its layout.
std::string model_constants(const Stencil& stencil, const ModelView& model);

/// Statements that assign the constant members of the table `name`.
std::string table_constants(const std::string& name, const RowTable& table);

}  // namespace larmor::spins
