// Local updates of any couplings, and updates of world lines, on a GPU. Compiled without fused
// multiplication, so that decisions agree with the CPU.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/ising/multispin/grid/random_planes.hpp"
#include "larmor/trotter/line_view.hpp"
#include "larmor/trotter/local_kernels.hpp"
#include "larmor/trotter/summed_update.hpp"

namespace larmor::trotter {
namespace {

constexpr int threads = 256;
constexpr int warps = threads / warp_size;
static_assert(warp_size == bits_of_word);

struct LineOfGroup {
  const std::uint32_t* p;
  __device__ std::uint32_t at(int w) const { return p[w]; }
};

/// A warp updates a word: each lane decides a bit.
__device__ void update_word_by_warp(const LocalUpdate& update, const ising::SamplePlanes& random,
                                    Index group, Index site, int w) {
  const UpdateView& view = update.view;
  const auto lane = static_cast<int>(threadIdx.x) % warp_size;
  const Index instance = view.instance[group];
  std::uint32_t* const spins = view.spins + group * view.block_words();
  const LineOfGroup own{spins + site * view.time.words};
  const std::int32_t* const of_site = view.fixed_site + 2 * (instance * view.sites + site);
  std::int32_t cost = of_site[0];
  for (Index n = view.offset[site]; n < view.offset[site + 1]; ++n)
    cost += view.fixed_bond[instance * view.entries + n] *
            spin_of(spins[view.neighbour[n] * view.time.words + w], lane);
  cost += of_site[1] * (spin_of(previous_slices<std::uint32_t>(view.time, own, w), lane) +
                        spin_of(next_slices<std::uint32_t>(view.time, own, w), lane));
  cost *= spin_of(own.at(w), lane);
  // BITS: number b % 4 of call b / 4 decides bit b. Eight lanes draw for all.
  std::uint32_t drawn[ising::planes_of_block];
  random.draw(static_cast<std::uint32_t>(site * view.time.words + w),
              static_cast<std::uint32_t>(lane % (bits_of_word / ising::planes_of_block)), drawn);
  std::uint32_t number = 0;
  for (int n = 0; n < ising::planes_of_block; ++n) {
    const std::uint32_t of_call = __shfl_sync(~0u, drawn[n], lane / ising::planes_of_block);
    if (lane % ising::planes_of_block == n) number = of_call;
  }
  const auto allowed = static_cast<std::int32_t>(
      largest_cost(uniform_number(number), view.is_metropolis, update.lazy) *
      view.scale[instance * view.sites + site]);
  const std::uint32_t flips =
      __ballot_sync(~0u, may_flip(cost, allowed, view.is_metropolis, update.lazy));
  if (lane == 0) spins[site * view.time.words + w] ^= flips;
}

/// Whole sweeps of a group by one block.
__global__ void __launch_bounds__(threads)
    sweep_groups_by_warps(const __grid_constant__ LocalUpdate update, Index sweeps) {
  const UpdateView& view = update.view;
  const int half_words = view.time.words / 2;
  for (Index group = blockIdx.x; group < view.groups; group += gridDim.x) {
    RandomKey key = update.key;
    for (Index sweep = 0; sweep < sweeps; ++sweep, ++key.step) {
      const ising::SamplePlanes random(key, static_cast<std::uint64_t>(group), 0, 0);
      for (int parity = 0; parity < 2; ++parity)
        for (int r = 0; r < view.run_count; ++r) {
          const SiteRun run = view.runs[r];
          for (int item = static_cast<int>(threadIdx.x) / warp_size; item < run.count * half_words;
               item += warps)
            update_word_by_warp(update, random, group, view.order[run.first + item / half_words],
                                2 * (item % half_words) + parity);
          __syncthreads();
        }
    }
  }
}

/// One run for one parity: a warp has a word.
__global__ void __launch_bounds__(threads)
    update_run_by_warps(const __grid_constant__ LocalUpdate update, SiteRun run, int parity) {
  const UpdateView& view = update.view;
  const int half_words = view.time.words / 2;
  const int item = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / warp_size;
  if (item >= run.count * half_words) return;
  for (Index group = blockIdx.y; group < view.groups; group += gridDim.y)
    update_word_by_warp(
        update, ising::SamplePlanes(update.key, static_cast<std::uint64_t>(group), 0, 0), group,
        view.order[run.first + item / half_words], 2 * (item % half_words) + parity);
}

/// A thread updates the line of a site of all copies in a group, which share words.
__global__ void __launch_bounds__(threads)
    update_lines(const __grid_constant__ LineView view, RandomKey key, SiteRun run) {
  const Index all = view.base.groups * run.count;
  const int fields = view.base.time.fields();
  for (Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x; n < all;
       n += Index(gridDim.x) * blockDim.x) {
    const Index site = view.base.order[run.first + n % run.count], group = n / run.count;
    const Index first = group % view.groups_of_instance * fields;
    const Index last = min(first + fields, view.copies);
    for (Index copy = first; copy < last; ++copy)
      LineUpdate<PlainLineNumbers>(view, group / view.groups_of_instance * view.copies + copy)(
          key, site);
  }
}

}  // namespace

void detail::add_up_on_gpu(const Device& device, const LocalUpdate& update, Index sweeps,
                           const std::vector<SiteRun>& runs) {
  const cuda::LaunchRegion region(device.ordinal, "update of slices");
  const UpdateView& view = update.view;
  // A launch for each run takes longer than the few steps of a block in a small run. Many groups
  // fill the GPU with a block for each.
  constexpr Index many_groups = 264, few_items = 8 * warps;
  const Index items_of_run = view.block_words() / (2 * std::ssize(runs));
  if (view.groups >= many_groups || items_of_run <= few_items) {
    constexpr Index sweeps_of_launch = 64;
    LocalUpdate next = update;
    for (Index done = 0; done < sweeps; done += sweeps_of_launch) {
      const Index now = std::min(sweeps - done, sweeps_of_launch);
      cuda::launch(device.ordinal, {dim3(static_cast<unsigned>(view.groups)), threads},
                   sweep_groups_by_warps, next, now);
      next.key.step += static_cast<std::uint64_t>(now);
    }
    return;
  }
  const auto rows = static_cast<unsigned>(std::min(view.groups, most_grid_rows));
  LocalUpdate next = update;
  for (Index n = 0; n < sweeps; ++n, ++next.key.step)
    for (int parity = 0; parity < 2; ++parity)
      for (const SiteRun& run : runs) {
        const Index items = Index{run.count} * view.time.words / 2;
        cuda::launch(device.ordinal,
                     {dim3(static_cast<unsigned>((items + warps - 1) / warps), rows), threads},
                     update_run_by_warps, next, run, parity);
      }
}

void detail::sweep_lines_on_gpu(const Device& device, const LineView& view, const RandomKey& key,
                                const std::vector<SiteRun>& runs) {
  const cuda::LaunchRegion region(device.ordinal, "update of world lines");
  // A thread has much work, so small blocks are better distributed.
  constexpr int threads_of_lines = 64;
  constexpr Index most_blocks = Index{1} << 30;
  for (const SiteRun& run : runs)
    cuda::launch(
        device.ordinal,
        cuda::shape_of(std::min(view.base.groups * run.count, most_blocks * threads_of_lines), 1,
                       threads_of_lines),
        update_lines, view, key, run);
}

}  // namespace larmor::trotter
