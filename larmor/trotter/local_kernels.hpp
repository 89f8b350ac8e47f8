#pragma once
// Loops of local updates: on a CPU over blocks of groups, on a GPU over groups.

#include <vector>

#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/trotter/update_view.hpp"

namespace larmor::trotter {

/// Counted kernels exist for sites with at most so many bonds.
inline constexpr int counted_widths[] = {4, 6, 12};

/// The least width with room for so many bonds; 0 if there is none.
constexpr int width_for(Index bonds) {
  for (const int width : counted_widths)
    if (bonds <= width) return width;
  return 0;
}

struct LocalKernels {
  /// Sweeps blocks of groups whose classes are counted.
  void (*counted)(const LocalUpdate& update, Index sweeps, Index first_block, Index last_block);
};
LARMOR_CPU_KERNELS(LocalKernels, local_kernels)

struct SummedKernels {
  /// Sweeps groups whose couplings are added up.
  void (*summed)(const LocalUpdate& update, Index sweeps, Index first_group, Index last_group);
};
LARMOR_CPU_KERNELS(SummedKernels, summed_kernels)

namespace detail {
/// Sweeps all groups on a GPU, by counted classes or by added couplings.
void sweep_on_gpu(const Device& device, const LocalUpdate& update, Index sweeps,
                  const std::vector<SiteRun>& runs);
void add_up_on_gpu(const Device& device, const LocalUpdate& update, Index sweeps,
                   const std::vector<SiteRun>& runs);
}  // namespace detail

}  // namespace larmor::trotter
