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
/// runs `functor{view}` with view.key.step = *first_step + step. The functor may return a number
/// that is nonzero for an accepted move. If so, `output.counts` grows by the number of these sites
/// in each replica. If the kernel observes, EnergyAndMoment is summed into `output.sums` before the
/// functor runs.
struct StencilKernel {
  std::string name;
  std::string functor;  ///< a type of larmor::spins; may use `bond_class`; empty: no functor
  std::string view;     ///< LlgView or SweepView
  std::string input;    ///< expression of `view`: vectors that the sums over bonds read
  bool noisy = false;   ///< does the functor use noise_deviates?
  bool counts = false;  ///< does the functor return a number?
  bool observes = false;
  /// Are energies of replicas summed after the functor if output.sums is not null? If so, the
  /// partial sums of EnergyOfColours begin at `first_partial` in (block of replicas, all_partials,
  /// 8).
  bool sums_energy = false;
  Index first_partial = 0, all_partials = 0;
  std::string constants;  ///< statements of this kernel, after those of all kernels
  StencilShape shape;
  /// If ranks share the lattice, this is the axis along which the lattice is cut, and each launch
  /// selects layers of tiles (StencilOutput). Otherwise it is -1, and a launch covers all layers.
  int cut_axis = -1;
};

/// @param headers headers that the text includes
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
