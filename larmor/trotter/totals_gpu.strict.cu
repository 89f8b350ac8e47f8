// Sums over the spins of replicas, and exchange of replicas, on a GPU. A block of threads has a
// block of sites of one group. Compiled without fused multiplication, so that sums agree with the
// CPU.

#include <cuda_runtime.h>

#include <algorithm>

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

/// The sites of this block of threads.
struct SitesOfBlock {
  Index first, last;
  __device__ explicit SitesOfBlock(Index sites)
      : first(Index(blockIdx.x) * detail::sites_of_totals),
        last(min(first + detail::sites_of_totals, sites)) {}
};

template <class OfSite>
__global__ void __launch_bounds__(threads_of_totals)
    sum_sites(const __grid_constant__ OfSite of_site, detail::TwoSums* sums) {
  __shared__ double shared[2 * sum_width];
  const UpdateView& base = of_site.view.base;
  const SitesOfBlock sites(base.sites);
  const int fields = base.time.fields();
  for (Index group = blockIdx.y; group < base.groups; group += gridDim.y)
    for (int field = 0; field < fields; ++field) {
      std::array<double, 2> partial{0, 0};
      for (Index site = sites.first + threadIdx.x; site < sites.last; site += threads_of_totals) {
        double of_one[2] = {0, 0};
        of_site(group, field, site, of_one);
        partial[0] += of_one[0];
        partial[1] += of_one[1];
      }
      const std::array<double, 2> tree = tree_sums_of_block<2>(partial, shared);
      if (threadIdx.x == 0)
        sums[(group * gridDim.x + blockIdx.x) * fields + field] = {{tree[0], tree[1]}};
    }
}

// Below, counts are whole numbers, so the order of atomic sums does not matter.

/// A warp has a word of each site: each lane counts its bit.
__global__ void __launch_bounds__(threads_of_totals)
    count_down(const __grid_constant__ TotalsView view, std::int32_t* down) {
  const UpdateView& base = view.base;
  const SitesOfBlock sites(base.sites);
  const auto lane = static_cast<int>(threadIdx.x) % warp_size;
  const auto warp = static_cast<int>(threadIdx.x) / warp_size;
  for (Index group = blockIdx.y; group < base.groups; group += gridDim.y)
    for (int w = 0; w < base.time.words; ++w) {
      std::int32_t count = 0;
      for (Index site = sites.first + warp; site < sites.last; site += warps_of_totals)
        count += static_cast<std::int32_t>((WordsOfSite(base, group, site).at(w) >> lane) & 1u);
      atomicAdd(&down[(group * base.time.words + w) * bits_of_word + lane], count);
    }
}

/// A thread has a site, and adds up the pairs of one shift, field by field.
__global__ void __launch_bounds__(threads_of_totals)
    count_opposite_in_time(const __grid_constant__ TotalsView view, const std::int32_t* shifts,
                           int count, std::int64_t* opposite) {
  const UpdateView& base = view.base;
  const SitesOfBlock sites(base.sites);
  const auto lane = static_cast<int>(threadIdx.x) % warp_size;
  const int fields = base.time.fields();
  for (Index row = blockIdx.y; row < base.groups * count; row += gridDim.y) {
    const Index group = row / count;
    const std::int32_t shift = shifts[row % count];
    for (int field = 0; field < fields; ++field) {
      const std::uint32_t mask = base.time.field_mask(field);
      std::int32_t own_count = 0;
      for (Index site = sites.first + threadIdx.x; site < sites.last; site += threads_of_totals) {
        const WordsOfSite own(base, group, site);
        for (int w = 0; w < base.time.words; ++w)
          own_count += ising::count_ones((own.at(w) ^ later_word(base.time, own, w, shift)) & mask);
      }
      for (int half = warp_size / 2; half > 0; half /= 2)
        own_count += __shfl_down_sync(~0u, own_count, half);
      if (lane == 0)
        atomicAdd(reinterpret_cast<unsigned long long*>(&opposite[row * fields + field]),
                  static_cast<unsigned long long>(own_count));
    }
  }
}

/// A row of blocks has a pair of copies. A warp has a word of each site, and each lane a bit of the
/// field.
__global__ void __launch_bounds__(threads_of_totals)
    count_opposite_copies(const __grid_constant__ TotalsView view, Index rows,
                          std::int32_t* opposite) {
  const UpdateView& base = view.base;
  const SitesOfBlock sites(base.sites);
  const auto lane = static_cast<int>(threadIdx.x) % warp_size;
  const auto warp = static_cast<int>(threadIdx.x) / warp_size;
  if (lane >= base.time.bits) return;
  const Index pairs = view.copies / 2, fields = base.time.fields();
  for (Index row = blockIdx.y; row < rows; row += gridDim.y) {
    const Index first = row / pairs * view.groups_of_instance, copy = 2 * (row % pairs);
    const Index one = first + copy / fields, two = first + (copy + 1) / fields;
    const int of_one = static_cast<int>(copy % fields) * base.time.bits + lane;
    const int of_two = static_cast<int>((copy + 1) % fields) * base.time.bits + lane;
    for (int w = 0; w < base.time.words; ++w) {
      std::int32_t count = 0;
      for (Index site = sites.first + warp; site < sites.last; site += warps_of_totals)
        count += static_cast<std::int32_t>(((WordsOfSite(base, one, site).at(w) >> of_one) ^
                                            (WordsOfSite(base, two, site).at(w) >> of_two)) &
                                           1u);
      atomicAdd(&opposite[(row * base.time.words + w) * base.time.bits + lane], count);
    }
  }
}

/// A thread has a site of an instance.
__global__ void __launch_bounds__(threads_of_totals)
    tally_sites(const __grid_constant__ TotalsView view, Index instances, std::int64_t* counts) {
  const Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (site >= view.base.sites) return;
  for (Index instance = blockIdx.y; instance < instances; instance += gridDim.y)
    add_to_tally(view, instance, site, counts);
}

/// A thread has a word of two groups.
__global__ void __launch_bounds__(threads_of_totals)
    exchange_words(const __grid_constant__ UpdateView view, const GroupPair* pairs, Index count) {
  const Index word = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (word >= view.sites * view.time.words) return;
  for (Index n = blockIdx.y; n < count; n += gridDim.y) exchange_bits(view, pairs[n], word);
}

/// A column of blocks for each block of sites.
cuda::LaunchShape shape_of_rows(const UpdateView& view, Index rows) {
  return {dim3(static_cast<unsigned>(detail::blocks_of_totals(view.sites)),
               static_cast<unsigned>(std::min(rows, most_grid_rows))),
          threads_of_totals};
}

template <class T>
void fill_with_zeros(const Device& device, T* numbers, Index count) {
  cuda::check(cudaMemsetAsync(numbers, 0, static_cast<std::size_t>(count) * sizeof(T),
                              cuda::stream(device.ordinal)),
              "setting numbers to zero");
}

}  // namespace

void detail::energies_on_gpu(const Device& device, const TotalsView& view, TwoSums* sums) {
  const cuda::LaunchRegion region(device.ordinal, "energies of slices");
  cuda::launch(device.ordinal, shape_of_rows(view.base, view.base.groups), sum_sites<EnergyOfSite>,
               EnergyOfSite{view}, sums);
}

void detail::weights_on_gpu(const Device& device, const TotalsView& view, const RungPairs& pairs,
                            TwoSums* sums) {
  const cuda::LaunchRegion region(device.ordinal, "weights of slices");
  cuda::launch(device.ordinal, shape_of_rows(view.base, view.base.groups), sum_sites<WeightsOfSite>,
               WeightsOfSite{view, pairs}, sums);
}

void detail::count_down_on_gpu(const Device& device, const TotalsView& view, std::int32_t* down) {
  const cuda::LaunchRegion region(device.ordinal, "sums of slices");
  fill_with_zeros(device, down, view.base.groups * view.base.time.words * bits_of_word);
  cuda::launch(device.ordinal, shape_of_rows(view.base, view.base.groups), count_down, view, down);
}

void detail::opposite_in_time_on_gpu(const Device& device, const TotalsView& view,
                                     const std::int32_t* shifts, int count,
                                     std::int64_t* opposite) {
  const cuda::LaunchRegion region(device.ordinal, "correlations in time");
  const Index rows = view.base.groups * count;
  fill_with_zeros(device, opposite, rows * view.base.time.fields());
  cuda::launch(device.ordinal, shape_of_rows(view.base, rows), count_opposite_in_time, view, shifts,
               count, opposite);
}

void detail::opposite_copies_on_gpu(const Device& device, const TotalsView& view, Index instances,
                                    std::int32_t* opposite) {
  const cuda::LaunchRegion region(device.ordinal, "overlaps of slices");
  const Index rows = instances * (view.copies / 2);
  fill_with_zeros(device, opposite, rows * view.base.time.slices());
  cuda::launch(device.ordinal, shape_of_rows(view.base, rows), count_opposite_copies, view, rows,
               opposite);
}

void detail::tally_on_gpu(const Device& device, const TotalsView& view, Index instances,
                          std::int64_t* counts) {
  const cuda::LaunchRegion region(device.ordinal, "tallies of sites");
  cuda::launch(device.ordinal, cuda::shape_of(view.base.sites, instances, threads_of_totals),
               tally_sites, view, instances, counts);
}

void detail::exchange_on_gpu(const Device& device, const UpdateView& view, const GroupPair* pairs,
                             Index count) {
  const cuda::LaunchRegion region(device.ordinal, "exchange of replicas");
  cuda::launch(device.ordinal,
               cuda::shape_of(view.sites * view.time.words, count, threads_of_totals),
               exchange_words, view, pairs, count);
}

}  // namespace larmor::trotter
