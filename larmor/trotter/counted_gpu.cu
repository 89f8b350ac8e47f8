// Local updates by counted classes on a GPU. A thread has a word. A block of threads has the words
// of a group in shared memory for many sweeps. If they do not fit, it has some of the words for
// half a sweep. The first planes leave some words undecided. The block collects these words, and
// full warps finish them.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/trotter/counted_update.hpp"
#include "larmor/trotter/local_kernels.hpp"

namespace larmor::trotter {
namespace {

using Word = std::uint32_t;

/// Threads of a block with a share of a group.
constexpr int threads_of_share = 256;
/// Threads of a block with a whole group. Small blocks wait less at their barriers, but a large
/// group leaves memory for a few blocks only.
constexpr int least_threads = 128, most_threads = 512;
constexpr int words_of_thread = 4;    ///< if a group has several blocks
constexpr int most_undecided = 1024;  ///< words of a block; more of them are finished at once
constexpr Index sweeps_of_launch = 256;

/// The digits of one table in all bits, in shared memory.
template <int classes>
struct alignas(16) SharedTable {
  static constexpr int row = (classes + 3) / 4 * 4;
  Word digit_[ising::digits][row], sure_[row], drawn_[row];

  __device__ Word sure(int c) const { return sure_[c]; }
  __device__ Word drawn(int c) const { return drawn_[c]; }
  __device__ Word digit(int c, int k) const { return digit_[k][c]; }

  /// All threads of a block must call it; synchronise before and after it.
  __device__ void fill(const Word* table) {
    for (int n = static_cast<int>(threadIdx.x); n < classes * ising::digits;
         n += static_cast<int>(blockDim.x)) {
      const int c = n / ising::digits, k = n % ising::digits;
      digit_[k][c] = ((table[words_of_class * c] >> (ising::digits - 1 - k)) & 1u) != 0 ? ~0u : 0u;
    }
    for (int c = static_cast<int>(threadIdx.x); c < classes; c += static_cast<int>(blockDim.x)) {
      sure_[c] = table[words_of_class * c + 1];
      drawn_[c] = table[words_of_class * c + 2];
    }
  }
};

/// The digits of the table of one site.
struct SiteTable {
  const Word* p;
  __device__ Word sure(int c) const { return p[words_of_class * c + 1]; }
  __device__ Word drawn(int c) const { return p[words_of_class * c + 2]; }
  __device__ Word digit(int c, int k) const {
    return static_cast<Word>(static_cast<std::int32_t>(p[words_of_class * c] << k) >> 31);
  }
};

struct UndecidedWords {
  int count;
  int item[most_undecided];
  Word open[most_undecided];
};

template <int classes>
struct BlockMemory {
  SharedTable<classes> table;
  UndecidedWords undecided;
};

/// A group and its data.
struct GroupAt {
  Word* spins;  ///< (site, word)
  const Word* negative;
  const Word* tables;
};

/// Calls body(table) with the probabilities of a place.
template <int classes, class Body>
__device__ void with_table(const UpdateView& view, const GroupAt& at, const SiteRun& run, int place,
                           const SharedTable<classes>& shared, const Body& body) {
  if (run.table != table_of_site) return body(shared);
  body(SiteTable{at.tables + view.table[place] * classes * words_of_class});
}

/// Updates items [first, last) of a run, each a site and one of its words of a parity. The block
/// synchronises at the end.
template <int width, bool few>
__device__ void update_items(const UpdateView& view, const GroupAt& at,
                             const ising::SamplePlanes& random, const SiteRun& run, int parity,
                             int first, int last, BlockMemory<class_count(width, few)>& memory) {
  constexpr int classes = class_count(width, few);
  const int half_words = view.time.words / 2;
  UndecidedWords& undecided = memory.undecided;
  if (threadIdx.x == 0) undecided.count = 0;
  __syncthreads();
  std::uint64_t calls = 0;
  for (int item = first + static_cast<int>(threadIdx.x); item < last;
       item += static_cast<int>(blockDim.x)) {
    const int place = run.first + item / half_words, w = 2 * (item % half_words) + parity;
    const Index site = view.order[place];
    const Word key = random_site(view, site, w);
    ising::Decision<classes, Word> decision;
    Word before;
    const Word rest =
        classify<width, few>(view, at.spins, at.negative, site, w, before, decision.member);
    with_table(view, at, run, place, memory.table, [&](const auto& table) {
      decision.begin(table, random, key, rest);
      Word flips = decision.accepted;
      if (decision.open != 0) {
        const int n = atomicAdd(&undecided.count, 1);
        if (n < most_undecided) {
          undecided.item[n] = item;
          undecided.open[n] = decision.open;
        } else {
          flips |= decision.finish(table, random, key, calls);
        }
      }
      at.spins[site * view.time.words + w] = before ^ flips;
    });
  }
  __syncthreads();
  const int count = min(undecided.count, most_undecided);
  for (int n = static_cast<int>(threadIdx.x); n < count; n += static_cast<int>(blockDim.x)) {
    const int item = undecided.item[n];
    const int place = run.first + item / half_words, w = 2 * (item % half_words) + parity;
    const Index site = view.order[place];
    // The undecided spins and all neighbours are unchanged, so the classes can be recomputed.
    ising::Decision<classes, Word> decision;
    Word before;
    classify<width, few>(view, at.spins, at.negative, site, w, before, decision.member);
    decision.open = undecided.open[n];
    with_table(view, at, run, place, memory.table, [&](const auto& table) {
      at.spins[site * view.time.words + w] =
          before ^ decision.finish(table, random, random_site(view, site, w), calls);
    });
  }
  __syncthreads();
}

__device__ GroupAt group_at(const LocalUpdate& update, Index group, int classes) {
  const UpdateView& view = update.view;
  return {view.spins + group * view.block_words(),
          view.negative == nullptr ? nullptr : view.negative + group * view.bonds,
          view.thresholds[update.lazy ? 1 : 0] + group * view.tables * classes * words_of_class};
}

/// A block does whole sweeps of a group, with its words in shared memory.
template <int width, bool few>
__global__ void __launch_bounds__(most_threads, 2)
    sweep_groups(const __grid_constant__ LocalUpdate update, Index sweeps) {
  constexpr int classes = class_count(width, few);
  extern __shared__ __align__(16) Word words[];
  __shared__ BlockMemory<classes> memory;
  const UpdateView& view = update.view;
  const auto count = static_cast<int>(view.block_words());
  for (Index group = blockIdx.x; group < view.groups; group += gridDim.x) {
    GroupAt at = group_at(update, group, classes);
    Word* const stored = at.spins;
    for (int n = static_cast<int>(threadIdx.x); n < count; n += static_cast<int>(blockDim.x))
      words[n] = stored[n];
    at.spins = words;
    int table = table_of_site;
    RandomKey key = update.key;
    for (Index sweep = 0; sweep < sweeps; ++sweep, ++key.step) {
      const ising::SamplePlanes random(key, static_cast<std::uint64_t>(group), 0, 0);
      for (int parity = 0; parity < 2; ++parity)
        for (int r = 0; r < view.run_count; ++r) {
          const SiteRun run = view.runs[r];
          if (run.table != table) {
            __syncthreads();
            table = run.table;
            if (table != table_of_site)
              memory.table.fill(at.tables + table * classes * words_of_class);
            __syncthreads();
          }
          update_items<width, few>(view, at, random, run, parity, 0,
                                   run.count * view.time.words / 2, memory);
        }
    }
    for (int n = static_cast<int>(threadIdx.x); n < count; n += static_cast<int>(blockDim.x))
      stored[n] = words[n];
    __syncthreads();
  }
}

/// Updates one run for one parity. Block (x, y) has the x-th share of the items in group y.
template <int width, bool few>
__global__ void __launch_bounds__(threads_of_share, 4)
    update_run(const __grid_constant__ LocalUpdate update, SiteRun run, int parity) {
  constexpr int classes = class_count(width, few);
  __shared__ BlockMemory<classes> memory;
  const UpdateView& view = update.view;
  const int items = static_cast<int>(blockDim.x) * words_of_thread;
  const int first = static_cast<int>(blockIdx.x) * items;
  const int last = min(first + items, run.count * view.time.words / 2);
  for (Index group = blockIdx.y; group < view.groups; group += gridDim.y) {
    const GroupAt at = group_at(update, group, classes);
    if (run.table != table_of_site)
      memory.table.fill(at.tables + run.table * classes * words_of_class);
    const ising::SamplePlanes random(update.key, static_cast<std::uint64_t>(group), 0, 0);
    update_items<width, few>(view, at, random, run, parity, first, last, memory);
  }
}

template <int width, bool few>
void launch_sweeps(const Device& device, LocalUpdate update, Index sweeps,
                   const std::vector<SiteRun>& runs) {
  const UpdateView& view = update.view;
  CUstream_st* const stream = cuda::stream(device.ordinal);
  Index most_items = 1;
  for (const SiteRun& run : runs)
    most_items = std::max(most_items, Index{run.count} * view.time.words / 2);
  const auto threads_for = [&](Index items, int most) {
    return static_cast<int>(std::min<Index>((items + warp_size - 1) / warp_size * warp_size, most));
  };
  const auto kernel = sweep_groups<width, few>;
  cudaFuncAttributes attributes;
  cuda::check(cudaFuncGetAttributes(&attributes, kernel), "asking for a kernel");
  int most_bytes = 0;
  cuda::check(
      cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device.ordinal),
      "asking for the memory of a block");
  const Index bytes = view.block_words() * static_cast<Index>(sizeof(Word));
  // With a block for each group, more than half of the multiprocessors would be idle. Launches for
  // each run then pay if the runs are long.
  constexpr Index many_items = 4096;
  int multiprocessors = 0;
  cuda::check(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device.ordinal),
      "asking for multiprocessors");
  const bool is_shared = 2 * view.groups < multiprocessors && most_items > many_items;
  if (!is_shared && bytes + static_cast<Index>(attributes.sharedSizeBytes) <= most_bytes) {
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(bytes)),
                "setting the memory of a block");
    const auto of_block = static_cast<int>(bytes) + static_cast<int>(attributes.sharedSizeBytes);
    constexpr int resident_threads = 1024;
    const int warps = resident_threads / std::max(most_bytes / of_block, 1) / warp_size;
    const int most = std::clamp(warps * warp_size, least_threads, most_threads);
    const cuda::LaunchShape shape{dim3(static_cast<unsigned>(view.groups)),
                                  threads_for(most_items, most), static_cast<std::size_t>(bytes)};
    for (Index done = 0; done < sweeps; done += sweeps_of_launch) {
      const Index now = std::min(sweeps - done, sweeps_of_launch);
      cuda::launch(stream, shape, kernel, update, now);
      update.key.step += static_cast<std::uint64_t>(now);
    }
    return;
  }
  const int threads = threads_for(most_items, threads_of_share);
  const auto rows = static_cast<unsigned>(std::min(view.groups, most_grid_rows));
  for (Index n = 0; n < sweeps; ++n, ++update.key.step)
    for (int parity = 0; parity < 2; ++parity)
      for (const SiteRun& run : runs) {
        const Index items = Index{threads} * words_of_thread;
        const Index of_run = Index{run.count} * view.time.words / 2;
        const auto blocks = static_cast<unsigned>((of_run + items - 1) / items);
        cuda::launch(stream, {dim3(blocks, rows), threads}, update_run<width, few>, update, run,
                     parity);
      }
}

template <int width>
void launch_by_rule(const Device& device, const LocalUpdate& update, Index sweeps,
                    const std::vector<SiteRun>& runs) {
  if (update.view.few && !update.lazy)
    return launch_sweeps<width, true>(device, update, sweeps, runs);
  launch_sweeps<width, false>(device, update, sweeps, runs);
}

}  // namespace

void detail::sweep_on_gpu(const Device& device, const LocalUpdate& update, Index sweeps,
                          const std::vector<SiteRun>& runs) {
  const cuda::LaunchRegion region(device.ordinal, "update of slices");
  switch (update.view.width) {
    case 4:
      return launch_by_rule<4>(device, update, sweeps, runs);
    case 6:
      return launch_by_rule<6>(device, update, sweeps, runs);
    default:
      return launch_by_rule<12>(device, update, sweeps, runs);
  }
}

}  // namespace larmor::trotter
