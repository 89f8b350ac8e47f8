// Compiled once for each instruction set, and by steps.cu for CUDA.

#include "larmor/spins/integrators/steps.hpp"

#include <algorithm>
#include <vector>

#include "larmor/core/simd/update_domain.hpp"
#include "larmor/spins/hamiltonian/bond_class.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

/// Computes the long-range field at the spins that a kernel reads, before the kernel runs.
template <class Kernel>
const Kernel& prepared(const Device& device, const Extent& extent, const Kernel& kernel) {
  const LongRangeSource& source = kernel.view.long_range;
  if (source.store != nullptr)
    source.store(source.interaction, device, extent.layout, kernel.input(), extent.first_block,
                 extent.last_block, kernel.view.model.long_range);
  return kernel;
}

/// Runs the kernels of a step over all spins of some blocks.
template <class... Kernel>
void run_stages(Stages<Kernel...>, const Device& device, const Extent& extent,
                const LlgView& view) {
  const auto run = [&](const auto& each) {
    for_each_shared(device, extent, each.output(), prepared(device, extent, each));
  };
  (run(Kernel{view}), ...);
}

Extent whole_blocks(const LlgView& view, const BlockRange& blocks) {
  const SpinLayout& layout = view.model.layout;
  return {layout, 0, layout.spins(), blocks.first, blocks.last};
}

void step(Scheme scheme, const Device& device, const LlgView& view, const BlockRange& blocks) {
  const Extent extent = whole_blocks(view, blocks);
  with_bond_class(view.model.bond_class, [&](auto bond_class) {
    constexpr BondClass C = bond_class;
    with_explicit_scheme(scheme, [&](auto explicit_scheme) {
      using Kernels = typename decltype(explicit_scheme)::template Kernels<C>;
      run_stages(Kernels{}, device, extent, view);
    });
  });
}

#if defined(__CUDACC__)

/// Version of midpoint_step in which the GPU decides which blocks have converged. The host waits
/// only once, if expected_iterations are enough. Superfluous iterations leave the blocks unchanged.
int midpoint_step_on_gpu(const Device& device, const LlgView& start, const BlockRange& blocks,
                         double tolerance, int most_iterations, int expected_iterations) {
  constexpr int at_once = 2;
  const SpinLayout& layout = start.model.layout;
  const double enough = tolerance * tolerance * static_cast<double>(layout.spins());
  const Extent extent = whole_blocks(start, blocks);
  const Extent one_site{layout, 0, 1, blocks.first, blocks.last};
  const auto bytes =
      static_cast<std::size_t>(layout.padded_replicas() + layout.blocks()) * sizeof(double);
  const cuda::Scratch scratch(device.ordinal, bytes);
  double* const changes = scratch.as<double>();
  double* const converged_after = changes + layout.padded_replicas();
  detail::check_cuda(cudaMemsetAsync(changes, 0, bytes, cuda::stream(device.ordinal)));
  for_each(device, extent, MidpointStart{start});
  int iterations = 0;
  LlgView view = start;
  const auto iterate = [&] {
    view.work[0] = start.work[iterations % 2];
    view.work[1] = start.work[(iterations + 1) % 2];
    ++iterations;
    with_bond_class(view.model.bond_class, [&](auto bond_class) {
      constexpr BondClass C = bond_class;
      const MidpointIteration<C> iteration{view, {converged_after}};
      for_each(device, extent, prepared(device, extent, iteration));
    });
    detail::reduce_cuda(device, extent, MidpointChange{view, {converged_after}}, changes);
    for_each(device, one_site,
             MidpointConvergence{layout, changes, enough, iterations, converged_after});
  };
  bool unconverged = true;
  int needed = 0;
  for (int until = std::max(at_once, expected_iterations);
       unconverged && iterations <= most_iterations; until += at_once) {
    while (iterations < until && iterations <= most_iterations) iterate();
    const std::vector<double> after = Pending(device, converged_after, layout.blocks()).take();
    const auto begin = after.begin() + blocks.first, end = after.begin() + blocks.last;
    unconverged = std::find(begin, end, 0.0) != end;
    needed = unconverged ? iterations : static_cast<int>(*std::max_element(begin, end));
  }
  for_each(device, extent, MidpointEndOfBlocks{start, converged_after, iterations});
  return needed;
}

#endif

/// Ranges of blocks in which the sum over sites of some replica exceeds `enough`.
std::vector<BlockRange> blocks_above(double enough, const std::vector<double>& sums,
                                     const BlockRange& blocks) {
  std::vector<BlockRange> above;
  for (Index block = blocks.first; block < blocks.last; ++block) {
    const auto begin = sums.begin() + block * lane_count;
    const auto end = sums.size() == 1 ? sums.end() : begin + lane_count;
    if (std::none_of(begin, end, [enough](double sum) { return sum > enough; })) continue;
    if (!above.empty() && above.back().last == block) {
      above.back().last = block + 1;
    } else {
      above.push_back({block, block + 1});
    }
  }
  return above;
}

/// Iterates only the blocks of replicas that have not converged. So the result of a block does not
/// depend on other blocks.
int midpoint_step(const Device& device, const LlgView& start, const BlockRange& blocks,
                  double tolerance, int most_iterations, [[maybe_unused]] int expected_iterations) {
#if defined(__CUDACC__)
  // If processes share the sites, the host decides which blocks have converged, because processes
  // exchange only the data of the remaining blocks.
  if (start.model.layout.domain == nullptr)
    return midpoint_step_on_gpu(device, start, blocks, tolerance, most_iterations,
                                expected_iterations);
#endif
  LlgView view = start;
  const double enough = tolerance * tolerance * static_cast<double>(view.model.layout.spins());
  const auto finish = [&](const BlockRange& converged) {
    for_each_shared(device, whole_blocks(view, converged), view.spins, MidpointEnd{view});
  };
  for_each_shared(device, whole_blocks(view, blocks), view.work[0], MidpointStart{view});
  std::vector<BlockRange> unconverged{blocks};
  int iterations = 0;
  for (; !unconverged.empty() && iterations <= most_iterations; ++iterations) {
    std::vector<Pending> changes;
    for (const BlockRange& range : unconverged)
      with_bond_class(view.model.bond_class, [&](auto bond_class) {
        constexpr BondClass C = bond_class;
        const Extent extent = whole_blocks(view, range);
        const MidpointIteration<C> iteration{view};
        for_each_shared(device, extent, view.work[1], prepared(device, extent, iteration));
        changes.push_back(reduce_async(device, extent, MidpointChange{view}));
      });
    const Reals next = view.work[1];
    view.work[1] = view.work[0];
    view.work[0] = next;
    std::vector<BlockRange> remaining;
    for (std::size_t n = 0; n < unconverged.size(); ++n) {
      Index done = unconverged[n].first;
      for (const BlockRange& above : blocks_above(enough, changes[n].take(), unconverged[n])) {
        if (done < above.first) finish({done, above.first});
        done = above.last;
        remaining.push_back(above);
      }
      if (done < unconverged[n].last) finish({done, unconverged[n].last});
    }
    unconverged = std::move(remaining);
  }
  for (const BlockRange& range : unconverged) finish(range);
  return iterations;
}

}  // namespace

const StepKernels step_kernels_table{step, midpoint_step};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
