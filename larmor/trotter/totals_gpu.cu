// Energies and slice sums on a GPU. A block of threads has a block of sites of one group.

#include <cuda_runtime.h>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/block_sums.cuh"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/trotter/replica_totals.hpp"

namespace larmor::trotter {
namespace {

constexpr int threads_of_totals = sum_width;
constexpr int warps_of_totals = threads_of_totals / warp_size;
static_assert(warp_size == bits_of_word);

__global__ void __launch_bounds__(threads_of_totals)
    sum_energies(const __grid_constant__ TotalsView view, EnergyTerms* energy) {
  __shared__ double shared[2 * sum_width];
  const UpdateView& base = view.base;
  const Index first = Index(blockIdx.x) * detail::sites_of_totals;
  const Index last = min(first + detail::sites_of_totals, base.sites);
  const int fields = base.time.fields();
  for (Index group = blockIdx.y; group < base.groups; group += gridDim.y)
    for (int field = 0; field < fields; ++field) {
      std::array<double, 2> partial{0, 0};
      for (Index site = first + threadIdx.x; site < last; site += threads_of_totals) {
        const EnergyTerms of_site = energy_of_site(view, group, site, base.time.field_mask(field));
        partial[0] += of_site.energy;
        partial[1] += of_site.derivative;
      }
      const std::array<double, 2> sums = tree_sums_of_block<2>(partial, shared);
      if (threadIdx.x == 0)
        energy[(group * gridDim.x + blockIdx.x) * fields + field] = {sums[0], sums[1]};
    }
}

/// A warp has a word of each site: each lane counts its bit.
__global__ void __launch_bounds__(threads_of_totals)
    count_down(const __grid_constant__ TotalsView view, std::int32_t* down) {
  const UpdateView& base = view.base;
  const Index first = Index(blockIdx.x) * detail::sites_of_totals;
  const Index last = min(first + detail::sites_of_totals, base.sites);
  const auto lane = static_cast<int>(threadIdx.x) % warp_size;
  const auto warp = static_cast<int>(threadIdx.x) / warp_size;
  for (Index group = blockIdx.y; group < base.groups; group += gridDim.y) {
    const std::uint32_t* const spins = base.spins + group * base.block_words();
    // Warps share the sites of a word, then go on to the next word.
    for (int w = 0; w < base.time.words; ++w) {
      std::int32_t count = 0;
      for (Index site = first + warp; site < last; site += warps_of_totals)
        count += static_cast<std::int32_t>((spins[site * base.time.words + w] >> lane) & 1u);
      // Sums of whole numbers, so their order does not matter.
      atomicAdd(&down[(group * base.time.words + w) * bits_of_word + lane], count);
    }
  }
}

}  // namespace

void detail::sum_on_gpu(const Device& device, const TotalsView& view, EnergyTerms* energy,
                        std::int32_t* down) {
  const cuda::LaunchRegion region(device.ordinal, "sums of slices");
  const cuda::LaunchShape shape{
      dim3(static_cast<unsigned>((view.base.sites + sites_of_totals - 1) / sites_of_totals),
           static_cast<unsigned>(std::min(view.base.groups, most_grid_rows))),
      threads_of_totals};
  cuda::launch(device.ordinal, shape, sum_energies, view, energy);
  cuda::launch(device.ordinal, shape, count_down, view, down);
}

}  // namespace larmor::trotter
