// Compiled once per instruction set, and by steps.cu for CUDA.

#include "larmor/spins/integrators/steps.hpp"

#include "larmor/core/for_each.hpp"
#include "larmor/spins/bond_class.hpp"
#include "larmor/spins/integrators/depondt_kernel.hpp"
#include "larmor/spins/integrators/heun_kernel.hpp"
#include "larmor/spins/integrators/midpoint_kernel.hpp"
#include "larmor/spins/integrators/rk4_kernel.hpp"
#include "larmor/spins/integrators/semi_implicit_kernel.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

/// Before a kernel runs: the long-range field at the spins that it reads.
template <class Kernel>
const Kernel& prepared(const Device& device, const Extent& extent, const Kernel& kernel) {
  const LongRangeSource& source = kernel.view.long_range;
  if (source.store != nullptr)
    for (Index block = extent.first_block; block < extent.last_block; ++block)
      source.store(source.interaction, device, extent.layout, kernel.input(), block,
                   kernel.view.model.long_range);
  return kernel;
}

/// Kernels one after the other over all spins of a block: each sees what all others wrote before.
template <class... Kernel>
void in_turn(const Device& device, const Extent& extent, const Kernel&... kernel) {
  const auto run = [&](const auto& each) {
    for_each(device, extent, prepared(device, extent, each));
    bring_neighbours(extent, each.output());
  };
  (run(kernel), ...);
}

Extent whole_blocks(const LlgView& view, const BlockRange& blocks) {
  const SpinLayout& layout = view.model.layout;
  return {layout, 0, layout.spins(), blocks.first, blocks.last};
}

void step(Scheme scheme, const Device& device, const LlgView& view, const BlockRange& blocks) {
  const Extent extent = whole_blocks(view, blocks);
  with_bond_class(view.model.bond_class, [&](auto bond_class) {
    constexpr BondClass C = bond_class;
    switch (scheme) {
      case Scheme::rk4:
        return in_turn(device, extent, Rk4Stage<C, 1>{view}, Rk4Stage<C, 2>{view},
                       Rk4Stage<C, 3>{view}, Rk4Stage<C, 4>{view});
      case Scheme::depondt:
        return in_turn(device, extent, DepondtPredictor<C>{view}, DepondtCorrector<C>{view});
      case Scheme::heun:
        return in_turn(device, extent, HeunPredictor<C>{view}, HeunCorrector<C>{view});
      default:
        return in_turn(device, extent, SemiImplicitPredictor<C>{view},
                       SemiImplicitCorrector<C>{view});
    }
  });
}

int midpoint_step(const Device& device, const LlgView& start, const BlockRange& blocks,
                  double tolerance, int most_iterations) {
  LlgView view = start;
  const Extent extent = whole_blocks(view, blocks);
  const double enough = tolerance * tolerance * static_cast<double>(view.model.layout.spins());
  for_each(device, extent, MidpointStart{view});
  bring_neighbours(extent, view.work[0]);
  int iterations = 0;
  for (double largest = 2 * enough; largest > enough && iterations <= most_iterations;
       ++iterations) {
    largest = 0;
    with_bond_class(view.model.bond_class, [&](auto bond_class) {
      constexpr BondClass C = bond_class;
      const MidpointIteration<C> iteration{view};
      for (const double change : reduce(device, extent, prepared(device, extent, iteration)))
        largest = change > largest ? change : largest;
    });
    bring_neighbours(extent, view.work[1]);
    const Reals next = view.work[1];
    view.work[1] = view.work[0];
    view.work[0] = next;
  }
  for_each(device, extent, MidpointEnd{view});
  bring_neighbours(extent, view.spins);
  return iterations;
}

}  // namespace

extern const StepKernels steps;
const StepKernels steps{step, midpoint_step};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
