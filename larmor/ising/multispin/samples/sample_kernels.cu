// Updates and sums of samples on a GPU. A thread updates a position in all 64 samples of a word. A
// block keeps the spins of a word in shared memory for many sweeps. If the spins do not fit, a
// block updates some positions of one colour in one launch. In one 32-bit half of ten or twenty,
// the first planes leave samples undecided. The block collects such halves, and full warps finish
// them.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/ising/multispin/samples/sample_kernels.hpp"
#include "larmor/ising/multispin/samples/transposed.cuh"
#include "larmor/ising/multispin/samples/update_kernel.hpp"

namespace larmor::ising {
namespace {

using Word = std::uint32_t;

constexpr int most_threads = 512;
constexpr int positions_of_thread = 4;  ///< positions of a thread, if a word has several blocks
constexpr int threads_of_sums = 256;
/// Undecided halves that a block can store; further ones are finished at once.
constexpr int most_undecided = 1024;
/// Positions of a block; so many almost never leave more undecided halves than fit.
constexpr int positions_at_once = 4096;
constexpr Index sweeps_of_launch = 256;

/// The 64 samples of a word.
struct alignas(8) Pair {
  Word half[halves];
  friend __device__ Pair operator^(const Pair& a, const Pair& b) {
    return {a.half[0] ^ b.half[0], a.half[1] ^ b.half[1]};
  }
  friend __device__ void spread(Pair& pair, Word value) { pair = {value, value}; }
};

struct PairSpins {
  const Pair* p;
  __device__ Pair at(Index position) const { return p[position]; }
};
/// Are the spins of two words opposite?
struct ComparedSpins {
  const Pair *one, *other;
  __device__ Pair at(Index position) const { return one[position] ^ other[position]; }
};
/// Signs of bonds for both halves; null: all signs are positive.
struct PairSigns {
  const Pair* p;
  __device__ Pair at(const std::int32_t* bond, Index n) const {
    return p == nullptr ? Pair{0, 0} : p[bond[n]];
  }
};
/// Spins of one half of a word.
struct HalfSpins {
  const Word* p;
  __device__ Word at(Index position) const { return p[halves * position]; }
};
struct HalfSigns {
  const Word* p;
  __device__ Word at(const std::int32_t* bond, Index n) const {
    return p == nullptr ? 0u : p[Index{halves} * bond[n]];
  }
};

__device__ Pair* pairs_of(const SamplesView& view, Index word) {
  return reinterpret_cast<Pair*>(view.spins_of(word * halves));
}
__device__ const Pair* signs_of(const SamplesView& view, Index word) {
  if (view.signs == nullptr) return nullptr;
  return reinterpret_cast<const Pair*>(view.signs + view.sign_tables[word].first);
}

/// Probabilities of the samples of a word, for sites with a given number of bonds, in shared
/// memory. Each digit is a plane for each half.
template <int classes>
struct alignas(16) SharedDigits {
  static constexpr int row = (classes + 3) / 4 * 4;
  struct OfHalf {
    Word digit_[digits][row], sure_[row], drawn_[row];
    __device__ Word sure(int c) const { return sure_[c]; }
    __device__ Word drawn(int c) const { return drawn_[c]; }
    __device__ Word digit(int c, int k) const { return digit_[k][c]; }
  };
  OfHalf half[halves];

  /// All threads of a block must call it, in whole warps. The block must synchronise before and
  /// after it.
  __device__ void fill(const SamplesView& view, Index word, int degree) {
    const auto lane = static_cast<int>(threadIdx.x) % warp_size;
    for (int n = static_cast<int>(threadIdx.x) / warp_size; n < classes * halves;
         n += static_cast<int>(blockDim.x) / warp_size) {
      const int c = n % classes;
      OfHalf& of_half = half[n / classes];
      const Index sample = word * samples_of_word + n / classes * warp_size + lane;
      const std::uint64_t t = view.threshold(sample, sum_of_class(view.width, degree, c));
      const bool is_sure = (t >> digits) != 0;
      Word plane = 0;
      LARMOR_UNROLL
      for (int k = 0; k < digits; ++k) {
        const Word of_digit = __ballot_sync(~0u, ((t >> (digits - 1 - k)) & 1u) != 0);
        if (lane == k) plane = of_digit;
      }
      const Word sure = __ballot_sync(~0u, is_sure), drawn = __ballot_sync(~0u, !is_sure && t != 0);
      of_half.digit_[lane][c] = plane;
      if (lane > 0) continue;
      of_half.sure_[c] = sure;
      of_half.drawn_[c] = drawn;
    }
  }
};
static_assert(digits == warp_size);

struct UndecidedHalves {
  int count;
  int half[most_undecided];  ///< 2 position + half
  Word open[most_undecided];
};

template <int width, bool upper_half>
struct BlockMemory {
  SharedDigits<sample_classes<width, upper_half>> table;
  UndecidedHalves undecided;
};

/// Updates positions [first, last) of a run; the block synchronises at the end.
/// @param random random planes of both halves
template <int width, bool upper_half>
__device__ void update_positions(const SampleUpdate& update, const RandomKey& key,
                                 const SampleRun& run, int first, int last, Index word, Pair* spins,
                                 const Pair* signs, const SamplePlanes (&random)[halves],
                                 BlockMemory<width, upper_half>& memory) {
  constexpr int classes = sample_classes<width, upper_half>;
  const SamplesView& view = update.view;
  UndecidedHalves& undecided = memory.undecided;
  if (threadIdx.x == 0) undecided.count = 0;
  __syncthreads();
  std::uint64_t calls = 0;
  for (int position = first + static_cast<int>(threadIdx.x); position < last;
       position += static_cast<int>(blockDim.x)) {
    const auto site = static_cast<std::uint32_t>(view.site[position]);
    Pair before = spins[position];
    for (Word& half : before.half) half &= view.own_spin;
    Pair plane[width];
    unsatisfied_planes<width>(view, position, run.degree,
                              before ^ Pair{view.coupling, view.coupling}, PairSpins{spins},
                              PairSigns{signs}, plane);
    Pair flips;
    LARMOR_UNROLL
    for (int h = 0; h < halves; ++h) {
      Word of_half[width];
      LARMOR_UNROLL
      for (int n = 0; n < width; ++n) of_half[n] = plane[n].half[h];
      Decision<classes, Word> decision;
      const Word rest = sample_members<width, upper_half>(of_half, decision.member);
      decision.begin(memory.table.half[h], random[h], site, rest);
      flips.half[h] = decision.accepted;
      if (decision.open == 0) continue;
      const int n = atomicAdd(&undecided.count, 1);
      if (n < most_undecided) {
        undecided.half[n] = halves * position + h;
        undecided.open[n] = decision.open;
      } else {
        flips.half[h] |= decision.finish(memory.table.half[h], random[h], site, calls);
      }
    }
    spins[position] = before ^ flips;
  }
  __syncthreads();
  const int count = undecided.count < most_undecided ? undecided.count : most_undecided;
  for (int n = static_cast<int>(threadIdx.x); n < count; n += static_cast<int>(blockDim.x)) {
    const int position = undecided.half[n] / halves, h = undecided.half[n] % halves;
    // The undecided spins and all neighbours are unchanged, so the planes can be recomputed.
    Word* const own = reinterpret_cast<Word*>(spins + position) + h;
    Word plane[width];
    unsatisfied_planes<width>(
        view, position, run.degree, (*own & view.own_spin) ^ view.coupling,
        HalfSpins{reinterpret_cast<const Word*>(spins) + h},
        HalfSigns{signs == nullptr ? nullptr : reinterpret_cast<const Word*>(signs) + h}, plane);
    Decision<classes, Word> decision;
    sample_members<width, upper_half>(plane, decision.member);
    decision.open = undecided.open[n];
    const SamplePlanes of_half(key, static_cast<std::uint64_t>(halves * word + h), 0, 0);
    *own ^= decision.finish(memory.table.half[h], of_half,
                            static_cast<std::uint32_t>(view.site[position]), calls);
  }
  __syncthreads();
}

/// Number of blocks of a multiprocessor. If there are many classes, a thread needs more than 64
/// registers, and only one block fits.
template <int width, bool upper_half>
inline constexpr int blocks_of_processor = sample_classes<width, upper_half> <= 4 ? 2 : 1;

/// Does whole sweeps. A block has a word, with the spins in shared memory.
template <int width, bool upper_half>
__global__ void __launch_bounds__(most_threads, blocks_of_processor<width, upper_half>)
    sweep_words(const __grid_constant__ SampleUpdate update, Index sweeps) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  __shared__ BlockMemory<width, upper_half> memory;
  const SamplesView& view = update.view;
  Pair* const spins = reinterpret_cast<Pair*>(dynamic);
  const auto positions = static_cast<int>(view.positions);
  for (Index word = blockIdx.x; word < view.words; word += gridDim.x) {
    Pair* const stored = pairs_of(view, word);
    const Pair* const signs = signs_of(view, word);
    for (int n = static_cast<int>(threadIdx.x); n < positions; n += static_cast<int>(blockDim.x))
      spins[n] = stored[n];
    int degree = -1;
    RandomKey key = update.key;
    for (Index sweep = 0; sweep < sweeps; ++sweep, ++key.step) {
      const auto replica = static_cast<std::uint64_t>(halves * word);
      const SamplePlanes random[halves] = {SamplePlanes(key, replica, 0, 0),
                                           SamplePlanes(key, replica + 1, 0, 0)};
      for (int r = 0; r < view.run_count; ++r) {
        const SampleRun run = view.runs[r];
        if (run.degree != degree) {
          __syncthreads();
          degree = run.degree;
          memory.table.fill(view, word, degree);
          __syncthreads();
        }
        const int end = run.first + run.count;
        for (int first = run.first; first < end; first += positions_at_once) {
          const int last = first + positions_at_once < end ? first + positions_at_once : end;
          update_positions(update, key, run, first, last, word, spins, signs, random, memory);
        }
      }
    }
    for (int n = static_cast<int>(threadIdx.x); n < positions; n += static_cast<int>(blockDim.x))
      stored[n] = spins[n];
    __syncthreads();
  }
}

/// Updates one run. Block (x, y) has the x-th share of the run in word y. If there are more words
/// than rows of blocks, it also has further words.
template <int width, bool upper_half>
__global__ void __launch_bounds__(most_threads, blocks_of_processor<width, upper_half>)
    update_run(const __grid_constant__ SampleUpdate update, SampleRun run) {
  __shared__ BlockMemory<width, upper_half> memory;
  const SamplesView& view = update.view;
  const int positions = static_cast<int>(blockDim.x) * positions_of_thread;
  const int first = run.first + static_cast<int>(blockIdx.x) * positions;
  const int end = run.first + run.count;
  const int last = first + positions < end ? first + positions : end;
  for (Index word = blockIdx.y; word < view.words; word += gridDim.y) {
    const auto replica = static_cast<std::uint64_t>(halves * word);
    const SamplePlanes random[halves] = {SamplePlanes(update.key, replica, 0, 0),
                                         SamplePlanes(update.key, replica + 1, 0, 0)};
    memory.table.fill(view, word, run.degree);
    __syncthreads();
    update_positions(update, update.key, run, first, last, word, pairs_of(view, word),
                     signs_of(view, word), random, memory);
  }
}

/// Counts unsatisfied bonds and spins that are down, sample by sample, over a block's share of the
/// positions.
template <int width, class Spins>
__device__ void sum_positions(const SamplesView& view, const Spins& spins, const PairSigns& signs,
                              SampleSums* sums) {
  constexpr int bits = bits_of_count(width);
  Word unsatisfied[halves] = {}, down[halves] = {};
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int r = 0; r < view.run_count; ++r) {
    const SampleRun run = view.runs[r];
    const int end = run.first + run.count;
    // All lanes of a warp continue until no lane has a position.
    for (int of_block = run.first + static_cast<int>(blockIdx.x * blockDim.x); of_block < end;
         of_block += stride) {
      const int position = of_block + static_cast<int>(threadIdx.x);
      Pair own{}, plane[width] = {};
      if (position < end) {
        own = spins.at(position);
        unsatisfied_planes<width>(view, position, run.degree, own, spins, signs, plane);
      }
      LARMOR_UNROLL
      for (int h = 0; h < halves; ++h) {
        Word of_half[width], sum[bits];
        LARMOR_UNROLL
        for (int n = 0; n < width; ++n) of_half[n] = plane[n].half[h];
        count_planes<width>(of_half, sum);
        LARMOR_UNROLL
        for (int n = 0; n < bits; ++n)
          unsatisfied[h] += static_cast<Word>(__popc(transposed(sum[n]))) << n;
        down[h] += static_cast<Word>(__popc(transposed(own.half[h])));
      }
    }
  }
  // The sums are whole numbers, so their order does not matter.
  using Unsigned = unsigned long long;
  for (int h = 0; h < halves; ++h) {
    SampleSums& s = sums[h * warp_size + static_cast<int>(threadIdx.x) % warp_size];
    atomicAdd(reinterpret_cast<Unsigned*>(&s.twice_unsatisfied), Unsigned{unsatisfied[h]});
    atomicAdd(reinterpret_cast<Unsigned*>(&s.down), Unsigned{down[h]});
  }
}

template <int width>
__global__ void __launch_bounds__(threads_of_sums)
    sum_words(const __grid_constant__ SamplesView view, SampleSums* sums) {
  for (Index word = blockIdx.y; word < view.words; word += gridDim.y)
    sum_positions<width>(view, PairSpins{pairs_of(view, word)}, PairSigns{signs_of(view, word)},
                         sums + word * samples_of_word);
}

template <int width>
__global__ void __launch_bounds__(threads_of_sums)
    compare_words(const __grid_constant__ SamplesView view, const WordPair* pairs, Index count,
                  SampleSums* sums) {
  for (Index n = blockIdx.y; n < count; n += gridDim.y)
    sum_positions<width>(
        view, ComparedSpins{pairs_of(view, pairs[n].first), pairs_of(view, pairs[n].second)},
        PairSigns{nullptr}, sums + n * samples_of_word);
}

Index rounded_up(Index n, Index to) { return (n + to - 1) / to * to; }

/// @param count number of words or pairs
cuda::LaunchShape shape_of_sums(const SamplesView& view, Index count) {
  constexpr Index enough = 4096;
  const Index most_blocks = (view.positions + threads_of_sums - 1) / threads_of_sums;
  return {dim3(static_cast<unsigned>(std::clamp<Index>(enough / count, 1, most_blocks)),
               static_cast<unsigned>(std::min(count, most_grid_rows))),
          threads_of_sums};
}

template <int width, bool upper_half>
void launch_sweeps(const Device& device, SampleUpdate update, Index sweeps, const SampleRun* runs,
                   const int* first_run, int colours) {
  CUstream_st* const stream = cuda::stream(device.ordinal);
  Index most_positions = 0;
  for (int colour = 0; colour < colours; ++colour) {
    Index positions = 0;
    for (int r = first_run[colour]; r < first_run[colour + 1]; ++r) positions += runs[r].count;
    most_positions = std::max(most_positions, positions);
  }
  const auto threads =
      static_cast<int>(std::min<Index>(rounded_up(most_positions, warp_size), most_threads));
  const auto kernel = sweep_words<width, upper_half>;
  cudaFuncAttributes attributes;
  cuda::check(cudaFuncGetAttributes(&attributes, kernel), "asking for a kernel");
  int most_bytes = 0;
  cuda::check(
      cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device.ordinal),
      "asking for the memory of a block");
  const Index bytes = update.view.positions * static_cast<Index>(sizeof(Pair));
  if (bytes + static_cast<Index>(attributes.sharedSizeBytes) <= most_bytes) {
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(bytes)),
                "setting the memory of a block");
    const cuda::LaunchShape shape{dim3(static_cast<unsigned>(update.view.words)), threads,
                                  static_cast<std::size_t>(bytes)};
    for (Index done = 0; done < sweeps; done += sweeps_of_launch) {
      const Index now = std::min(sweeps - done, sweeps_of_launch);
      cuda::launch(stream, shape, kernel, update, now);
      update.key.step += static_cast<std::uint64_t>(now);
    }
    return;
  }
  const auto rows = static_cast<unsigned>(std::min(update.view.words, most_grid_rows));
  for (Index n = 0; n < sweeps; ++n, ++update.key.step)
    for (int r = 0; r < first_run[colours]; ++r) {
      const Index positions = Index{threads} * positions_of_thread;
      const auto blocks = static_cast<unsigned>((runs[r].count + positions - 1) / positions);
      cuda::launch(stream, {dim3(blocks, rows), threads}, update_run<width, upper_half>, update,
                   runs[r]);
    }
}

template <int width>
void launch_by_rule(const Device& device, const SampleUpdate& update, Index sweeps,
                    const SampleRun* runs, const int* first_run, int colours) {
  if (update.upper_half)
    return launch_sweeps<width, true>(device, update, sweeps, runs, first_run, colours);
  launch_sweeps<width, false>(device, update, sweeps, runs, first_run, colours);
}

void launch_by_width(const Device& device, const SampleUpdate& update, Index sweeps,
                     const SampleRun* runs, const int* first_run, int colours) {
#define LARMOR_SWEEP(width) launch_by_rule<width>(device, update, sweeps, runs, first_run, colours)
  LARMOR_FOR_WIDTH(update.view.width, LARMOR_SWEEP)
#undef LARMOR_SWEEP
}

void launch_sums(const Device& device, const SamplesView& view, SampleSums* sums) {
  const cuda::LaunchShape shape = shape_of_sums(view, view.words);
#define LARMOR_SUM(width) cuda::launch(device.ordinal, shape, sum_words<width>, view, sums)
  LARMOR_FOR_WIDTH(view.width, LARMOR_SUM)
#undef LARMOR_SUM
}

void launch_comparison(const Device& device, const SamplesView& view, const WordPair* pairs,
                       Index count, SampleSums* sums) {
  const cuda::LaunchShape shape = shape_of_sums(view, count);
#define LARMOR_COMPARE(width) \
  cuda::launch(device.ordinal, shape, compare_words<width>, view, pairs, count, sums)
  LARMOR_FOR_WIDTH(view.width, LARMOR_COMPARE)
#undef LARMOR_COMPARE
}

}  // namespace

void sweep_samples_on_gpu(const Device& device, const SampleUpdate& update, Index sweeps,
                          const SampleRun* runs, const int* first_run, int colours) {
  const cuda::LaunchRegion region(device.ordinal, "update of samples");
  launch_by_width(device, update, sweeps, runs, first_run, colours);
}

void clear_sums_on_gpu(const Device& device, SampleSums* sums, Index count) {
  cuda::check(cudaMemsetAsync(sums, 0, static_cast<std::size_t>(count) * sizeof(SampleSums),
                              cuda::stream(device.ordinal)),
              "clearing GPU memory");
}

void sum_samples_on_gpu(const Device& device, const SamplesView& view, SampleSums* sums) {
  const cuda::LaunchRegion region(device.ordinal, "sums of samples");
  launch_sums(device, view, sums);
}

void compare_samples_on_gpu(const Device& device, const SamplesView& view, const WordPair* pairs,
                            Index count, SampleSums* sums) {
  const cuda::LaunchRegion region(device.ordinal, "overlaps of samples");
  launch_comparison(device, view, pairs, count, sums);
}

}  // namespace larmor::ising
