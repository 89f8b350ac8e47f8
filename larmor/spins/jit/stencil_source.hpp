#pragma once
// The text of JIT kernels for one stencil, for core/device/jit_compiler.hpp. The text
// sums bonds and nothing else: sites, with the field of their bonds at hand
// (spins/jit/summed_slot.hpp), are handed to the functors that every other kernel uses.

#include <string>
#include <vector>

#include "larmor/spins/jit/stencil_shape.hpp"

namespace larmor::spins {

/// A kernel over the sites of a shape.
///
///     NAME(View view, const unsigned long long* first_step, unsigned long long step,
///          StencilOutput output)
///
/// runs `functor{view}` with view.key.step = *first_step + step. Where the functor returns a number
/// (moves accepted), it adds to `output.counts` at how many sites of a replica that was not 0.
/// Where it observes, EnergyAndMoment is summed beforehand into `output.sums`.
struct StencilKernel {
  std::string name;
  std::string functor;  ///< a type of larmor::spins; `bond_class` is the stencil's; empty: none
  std::string view;     ///< LlgView or SweepView
  std::string input;    ///< expression of `view`: the vectors that the sums over bonds read
  bool noisy = false;   ///< does the functor use noise_deviates?
  bool counts = false;  ///< does it return a number?
  bool observes = false;
  /// Are the energies of replicas summed behind the functor where output.sums is not null?
  /// EnergyOfColours then goes to the parts from `first_part` on there, (block of replicas, all
  /// parts, 8).
  bool sums_energy = false;
  Index first_part = 0, all_parts = 0;
  std::string settled;  ///< statements, like those of all kernels of a text, for this one
  StencilShape shape;
  /// Where ranks share the lattice: the axis along which it is cut; the launch says which layers of
  /// tiles it is of (StencilOutput). -1: it is of all.
  int cut_axis = -1;
};

/// @param headers to include; @param settled statements that put what the view always is into
///        `view`, so that the compiler knows it
std::string stencil_source(const Stencil& stencil, Precision precision,
                           const std::vector<std::string>& headers, const std::string& settled,
                           const std::vector<StencilKernel>& kernels);

/// Statements that settle a ModelView called `view.model`: which forms there are, and the layout.
std::string settled_model(const Stencil& stencil, const ModelView& model);

/// The same for a table called `name`.
std::string settled_table(const std::string& name, const RowTable& table);

}  // namespace larmor::spins
