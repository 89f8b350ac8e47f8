// Updates and sums of Ising spins on a GPU: a thread has some 32-bit words side by side, and some
// of these groups one after the other. The planes that all words have are drawn at once; words in
// which a place is still open, one in ten or twenty, are collected by a warp and finished together.
//
// Of small lattices one launch does many sweeps: where a block of threads has the whole of a
// replica, or where all blocks run at once and wait for one another after every colour.

#include <cuda_runtime.h>

#include <algorithm>
#include <cuda/atomic>
#include <limits>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/ising/bits/kernels.hpp"
#include "larmor/ising/bits/update_kernel.hpp"

namespace larmor::ising {
namespace {

constexpr int block_threads = 256;
constexpr int block_warps = block_threads / warp_size;
constexpr int most_late_words = 64;  ///< of a warp; what is more is finished on the spot
constexpr unsigned whole_warp = 0xffffffffu;
constexpr Index most_grid_rows = 65535;

using Word = std::uint32_t;

/// Words in a thread's hands: one, or a group.
template <int width>
struct WordsOf {
  using Type = WordGroup<width>;
};
template <>
struct WordsOf<1> {
  using Type = Word;
};
__device__ Word& word_of(Word& words, int) { return words; }
template <int n>
__device__ Word& word_of(WordGroup<n>& words, int i) {
  return words.w[i];
}
/// The low 32 bits of the numbers of words side by side.
__device__ void number(Word& words, Word first) { words = first; }
template <int n>
__device__ void number(WordGroup<n>& words, Word first) {
  for (int i = 0; i < n; ++i) words.w[i] = first + static_cast<Word>(i);
}

/// Keeps the compiler from computing an address again for every use.
template <class T>
__device__ T* held(T* address) {
  asm("" : "+l"(address));
  __builtin_assume(__isGlobal(address));
  return address;
}

/// Words at a boundary, which few are.
template <int axes, int rounds, class Place, class W>
__device__ __noinline__ W decide_at_boundary(Place place, Bonds<axes, W> bonds,
                                             const Acceptance* table, RandomPlanes<rounds> random) {
  Decision<4 * axes + 1, W> decision;
  boundary_sums<axes>(place, bonds.negative, decision.member);
  const StoredDigits<1> digits_of{table};
  std::uint64_t calls = 0;
  W words;
  number(words, static_cast<Word>(place.word));
  decision.begin(digits_of, random, words, spread_word<W>(0));
  return decision.accepted | decision.finish(digits_of, random, words, calls);
}

/// Words of a warp in which places are open.
template <int classes, class Number>
struct LateWords {
  Number word[most_late_words];
  Word open[most_late_words], member[classes][most_late_words];
};

/// What a launch does, and how threads share it.
struct Shares {
  int rounds;   ///< groups of words of a thread, one after the other
  Index tiles;  ///< of a replica, what a block has at a time
  Index sweeps;
  int first_colour, last_colour;
  int radius;  ///< tiles on either side in which a tile's words have neighbours
};

/// Planes that were drawn before.
template <class W>
struct DrawnPlanes {
  W plane[planes_for_all];
  __device__ void draw_for_all(const W&, W (&to)[planes_for_all]) const {
    for (int k = 0; k < planes_for_all; ++k) to[k] = plane[k];
  }
};

/// A tile of one colour of a replica. All threads of a block come.
/// @tparam one_round has a thread one group of words?
/// @param wait until the neighbours are as they must be; random planes of one round are drawn
/// before
template <int axes, bool upper_half, int rounds, class Number, int width, bool one_round,
          class Wait>
__device__ void update_tile(const UpdateRequest& request, const RandomKey& key, int colour,
                            Index replica, Index tile, int shares,
                            const HeldDigits<class_count<axes, upper_half>, 2>& digits_of,
                            LateWords<class_count<axes, upper_half>, Number>& late,
                            const Wait& wait) {
  using W = typename WordsOf<width>::Type;
  constexpr int classes = class_count<axes, upper_half>;
  const LatticeView& lattice = request.lattice;
  const Index per_share = Index(blockDim.x) * width;
  const Index begin = lattice.grid.first + tile * shares * per_share;
  const Index end = min(lattice.grid.last, begin + shares * per_share);
  const auto last = static_cast<Number>(end);
  const unsigned lane = threadIdx.x % warp_size;
  Word* const spins = held(lattice.spins_of(replica, colour));
  const StoredWords<W> others{held(lattice.spins_of(replica, 1 - colour))};
  const auto random_of = [&](Number word) {
    return RandomPlanes<rounds>(key, static_cast<std::uint64_t>(replica), colour,
                                sizeof(Number) > 4 ? static_cast<std::uint64_t>(word) >> 32 : 0);
  };
  std::uint64_t calls = 0;
  RandomPlanes<rounds> random = random_of(0);
  int late_count = 0;
  auto word = static_cast<Number>(begin + Index(threadIdx.x) * width);
  DrawnPlanes<W> drawn;
  if constexpr (one_round) {
    W words;
    number(words, static_cast<Word>(word));
    random.draw_for_all(words, drawn.plane);
  }
  wait();
  for (int n = 0; n < (one_round ? 1 : shares); ++n, word += static_cast<Number>(per_share)) {
    W open = spread_word<W>(0);
    W member[classes];
    if (word < last) {
      const RowPlace<W, axes, Number> place(lattice.grid, nullptr, colour, word);
      if constexpr (sizeof(Number) > 4) random = random_of(word);
      const W before = loaded<W>(spins + word) & lattice.own_spin;
      const auto bonds = unsatisfied_bonds<axes>(lattice, replica, colour, others, place,
                                                 before ^ lattice.coupling);
      W flips;
      if (lattice.grid.any_open && place.touches_open_boundary()) {
        flips =
            decide_at_boundary<axes, rounds>(place, bonds, lattice.acceptance + replica, random);
      } else {
        Decision<classes, W> decision;
        const W rest = count_classes<axes, upper_half>(bonds.negative, decision.member);
        W words;
        number(words, static_cast<Word>(word));
        if constexpr (one_round)
          decision.begin(digits_of, drawn, words, rest);
        else
          decision.begin(digits_of, random, words, rest);
        flips = decision.accepted;
        open = decision.open;
        for (int c = 0; c < classes; ++c) member[c] = decision.member[c];
      }
      store(spins + word, before ^ flips);
    }
    LARMOR_UNROLL
    for (int i = 0; i < width; ++i) {
      const bool is_late = word_of(open, i) != 0;
      const unsigned all = __ballot_sync(whole_warp, is_late);
      const int place = late_count + __popc(all & ((1u << lane) - 1));
      late_count += __popc(all);
      if (!is_late) continue;
      if (place < most_late_words) {
        late.word[place] = word + static_cast<Number>(i);
        late.open[place] = word_of(open, i);
        for (int c = 0; c < classes; ++c) late.member[c][place] = word_of(member[c], i);
      } else {
        Decision<classes, Word> decision;
        for (int c = 0; c < classes; ++c) decision.member[c] = word_of(member[c], i);
        decision.open = word_of(open, i);
        const Number own = word + static_cast<Number>(i);
        spins[own] ^= decision.finish(digits_of, random_of(own), static_cast<Word>(own), calls);
      }
    }
  }
  __syncwarp();
  late_count = min(late_count, most_late_words);
  for (int n = static_cast<int>(lane); n < late_count; n += warp_size) {
    Decision<classes, Word> decision;
    for (int c = 0; c < classes; ++c) decision.member[c] = late.member[c][n];
    decision.open = late.open[n];
    const Number own = late.word[n];
    const Word flips = decision.finish(digits_of, random_of(own), static_cast<Word>(own), calls);
    if (flips != 0) spins[own] ^= flips;
  }
  __syncwarp();
}

/// A block takes tiles of all replicas in turn: block (x, y) the tiles x of replicas y.
template <int axes, bool upper_half, int rounds, class Number, int width>
__global__ void __launch_bounds__(block_threads, 3)
    update_words(const __grid_constant__ UpdateRequest request,
                 const __grid_constant__ Shares shares) {
  constexpr int classes = class_count<axes, upper_half>;
  __shared__ LateWords<classes, Number> late[block_warps];
  RandomKey key = request.key;
  for (Index n = 0; n < shares.sweeps; ++n, ++key.step) {
#pragma unroll 1
    for (int colour = shares.first_colour; colour <= shares.last_colour; ++colour) {
      for (Index replica = blockIdx.y; replica < request.lattice.replicas; replica += gridDim.y) {
        const HeldDigits<classes, 2> digits_of(request.lattice.acceptance[replica]);
        for (Index tile = blockIdx.x; tile < shares.tiles; tile += gridDim.x)
          update_tile<axes, upper_half, rounds, Number, width, false>(
              request, key, colour, replica, tile, shares.rounds, digits_of,
              late[threadIdx.x / warp_size], [] {});
      }
      __syncthreads();
    }
  }
}

/// All tiles at once, a block each. Before it updates a colour a block waits for those that have
/// neighbours of its words, which also have read its words by then.
template <int axes, bool upper_half, int rounds, class Number, int width, bool one_round>
__global__ void __launch_bounds__(block_threads, 2)
    update_together(const __grid_constant__ UpdateRequest request,
                    const __grid_constant__ Shares shares) {
  using Progress = ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device>;
  constexpr int classes = class_count<axes, upper_half>;
  __shared__ LateWords<classes, Number> late[block_warps];
  const HeldDigits<classes, 2> digits_of(request.lattice.acceptance[blockIdx.y]);
  const auto tiles = static_cast<int>(shares.tiles), tile = static_cast<int>(blockIdx.x);
  std::uint32_t* const progress = request.progress + Index(blockIdx.y) * tiles;
  const int around = min(2 * shares.radius + 1, tiles);
  RandomKey key = request.key;
  std::uint32_t updates = 0;
  for (Index n = 0; n < shares.sweeps; ++n, ++key.step) {
#pragma unroll 1
    for (int colour = 0; colour < 2; ++colour, ++updates) {
      const auto wait = [&] {
        for (int i = static_cast<int>(threadIdx.x); i < around; i += block_threads) {
          const Progress other(progress[(tile + tiles - around / 2 + i) % tiles]);
          while (other.load(::cuda::memory_order_acquire) < updates) {
          }
        }
        __syncthreads();
      };
      update_tile<axes, upper_half, rounds, Number, width, one_round>(
          request, key, colour, blockIdx.y, blockIdx.x, shares.rounds, digits_of,
          late[threadIdx.x / warp_size], wait);
      __syncthreads();
      if (threadIdx.x == 0) {
        const Progress own(progress[tile]);
        own.store(updates + 1, ::cuda::memory_order_release);
      }
    }
  }
}

__device__ long long sum_of_warp(long long sum) {
  for (int lane = warp_size / 2; lane > 0; lane /= 2) sum += __shfl_down_sync(~0u, sum, lane);
  return sum;
}

template <int axes>
__global__ void __launch_bounds__(block_threads)
    sum_words(const __grid_constant__ LatticeView lattice, SpinSums* sums) {
  const Index stride = Index(gridDim.x) * blockDim.x;
  for (Index replica = blockIdx.y; replica < lattice.replicas; replica += gridDim.y) {
    long long unsatisfied = 0, down = 0;
    for (Index word = lattice.grid.first + Index(blockIdx.x) * blockDim.x + threadIdx.x;
         word < lattice.grid.last; word += stride) {
      const RowPlace<Word, axes> place(lattice.grid, nullptr, 0, word);
      const Word spins = lattice.spins_of(replica, 0)[word];
      down += count_ones(spins) + count_ones(lattice.spins_of(replica, 1)[word]);
      unsatisfied += count_unsatisfied<axes>(lattice, replica, 0, place, spins, ~Word{0});
    }
    unsatisfied = sum_of_warp(unsatisfied);
    down = sum_of_warp(down);
    if (threadIdx.x % warp_size != 0) continue;
    // Whole numbers: their order does not matter. Negative ones wrap around as they should.
    using Unsigned = unsigned long long;
    atomicAdd(reinterpret_cast<Unsigned*>(&sums[replica].unsatisfied), Unsigned(unsatisfied));
    atomicAdd(reinterpret_cast<Unsigned*>(&sums[replica].down), Unsigned(down));
  }
}

struct LaunchShape {
  dim3 blocks;
  unsigned threads;
};

/// Of sums. @param most_tiles of a replica
LaunchShape shape_of(const LatticeView& lattice, Index most_tiles) {
  constexpr Index words_of_thread = 4;
  const Index words = lattice.grid.last - lattice.grid.first;
  const Index of_thread = (words + words_of_thread - 1) / words_of_thread;
  const Index warps = std::min<Index>((of_thread + warp_size - 1) / warp_size, block_warps);
  const Index tile = warps * warp_size * words_of_thread;
  const Index tiles = std::min((words + tile - 1) / tile, most_tiles);
  return {dim3(static_cast<unsigned>(tiles),
               static_cast<unsigned>(std::min(lattice.replicas, most_grid_rows))),
          static_cast<unsigned>(warps * warp_size)};
}

int multiprocessors_of(int ordinal) {
  int count = 0;
  cuda::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, ordinal),
              "asking for multiprocessors");
  return count;
}

template <class Kernel>
Index blocks_at_once(Kernel kernel, int multiprocessors) {
  int of_one = 0;
  cuda::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_one, kernel, block_threads, 0),
              "asking for blocks at a time");
  return Index{of_one} * multiprocessors;
}

template <int axes, bool upper_half, int rounds, class Number, int width>
void launch(const Device& device, UpdateRequest request, Index sweeps) {
  const auto apart = update_words<axes, upper_half, rounds, Number, width>;
  CUstream_st* const stream = cuda::stream(device.ordinal);
  const Index words = request.lattice.grid.last - request.lattice.grid.first;
  const Index replicas = request.lattice.replicas;
  const Index groups = (words + width - 1) / width;
  const int multiprocessors = multiprocessors_of(device.ordinal);
  // A replica to a block: its threads wait for one another only.
  constexpr Index most_of_block = 16 * block_threads;
  constexpr Index few_of_block = 2 * block_threads;
  const bool several = sweeps > 0;
  if (several &&
      (groups <= few_of_block || (groups <= most_of_block && replicas >= multiprocessors))) {
    const auto threads = static_cast<unsigned>(
        std::min<Index>((groups + warp_size - 1) / warp_size * warp_size, block_threads));
    const Shares shares{static_cast<int>((groups + threads - 1) / threads), 1, sweeps, 0, 1, 0};
    apart<<<dim3(1, static_cast<unsigned>(std::min(replicas, most_grid_rows))), threads, 0,
            stream>>>(request, shares);
    return;
  }
  const auto tiles_for = [&](Index rounds_of_thread, Index of_thread) {
    const Index tile = rounds_of_thread * block_threads * of_thread;
    return (words + tile - 1) / tile;
  };
  if constexpr (sizeof(Number) == 4) {
    const auto run_together = [&](auto kernel, int rounds_of_thread, int of_thread) {
      Shares shares{rounds_of_thread, tiles_for(rounds_of_thread, of_thread), sweeps, 0, 1, 0};
      const Index tile = Index{rounds_of_thread} * block_threads * of_thread;
      const Index furthest = axes == 1 ? 1 : request.lattice.grid.stride[axes - 1];
      // Around the lattice a last tile that is smaller brings one more near.
      shares.radius = static_cast<int>((furthest + tile - 1) / tile) + (words % tile != 0 ? 1 : 0);
      const Index blocks = shares.tiles * replicas;
      if (!several || blocks > blocks_at_once(kernel, multiprocessors) ||
          blocks > most_blocks_together)
        return false;
      cuda::check(cudaMemsetAsync(request.progress, 0,
                                  static_cast<std::size_t>(blocks) * sizeof(std::uint32_t), stream),
                  "clearing progress");
      void* arguments[] = {&request, &shares};
      cuda::check(
          cudaLaunchCooperativeKernel(
              kernel, dim3(static_cast<unsigned>(shares.tiles), static_cast<unsigned>(replicas)),
              dim3(block_threads), arguments, 0, stream),
          "starting a kernel");
      return true;
    };
    if (run_together(update_together<axes, upper_half, rounds, Number, 1, true>, 1, 1)) return;
    for (int rounds_of_thread = 1; rounds_of_thread <= 4; rounds_of_thread *= 2)
      if (run_together(update_together<axes, upper_half, rounds, Number, width, false>,
                       rounds_of_thread, width))
        return;
  }
  // As many rounds as leave few blocks without work in the end; to begin costs most of a round.
  constexpr int most_rounds = 10;
  constexpr double beginning = 0.7;
  const Index at_once = blocks_at_once(apart, multiprocessors);
  int best_rounds = 1;
  double least = std::numeric_limits<double>::infinity();
  for (int n = 1; n <= most_rounds; ++n) {
    const Index waves = (tiles_for(n, width) * replicas + at_once - 1) / at_once;
    const double cost = static_cast<double>(waves) * (n + beginning);
    if (cost >= least) continue;
    least = cost;
    best_rounds = n;
  }
  Shares shares{best_rounds, tiles_for(best_rounds, width), 1, 0, 0, 0};
  const dim3 blocks(static_cast<unsigned>(shares.tiles),
                    static_cast<unsigned>(std::min(replicas, most_grid_rows)));
  if (!several) {
    shares.first_colour = shares.last_colour = request.colour;
    apart<<<blocks, block_threads, 0, stream>>>(request, shares);
  }
  for (Index n = 0; n < sweeps; ++n, ++request.key.step) {
    for (int colour = 0; colour < 2; ++colour) {
      shares.first_colour = shares.last_colour = colour;
      apart<<<blocks, block_threads, 0, stream>>>(request, shares);
    }
  }
}

template <int axes, int rounds, class Number, bool upper_half>
void launch_by_width(const Device& device, const UpdateRequest& request, Index sweeps) {
  if (request.lattice.grid.row_words % 2 == 0) {
    launch<axes, upper_half, rounds, Number, 2>(device, request, sweeps);
  } else {
    launch<axes, upper_half, rounds, Number, 1>(device, request, sweeps);
  }
}

template <int axes, int rounds>
void launch_by_size(const Device& device, const UpdateRequest& request, Index sweeps) {
  constexpr Index fewer_for_32_bits = Index{1} << 30;
  if (request.lattice.grid.words >= fewer_for_32_bits) {
    launch_by_width<axes, rounds, Index, false>(device, request, sweeps);
  } else if (request.upper_half) {
    launch_by_width<axes, rounds, std::int32_t, true>(device, request, sweeps);
  } else {
    launch_by_width<axes, rounds, std::int32_t, false>(device, request, sweeps);
  }
}

template <int axes>
void launch_by_rounds(const Device& device, const UpdateRequest& request, Index sweeps) {
  if (request.rounds == 7) {
    launch_by_size<axes, 7>(device, request, sweeps);
  } else {
    launch_by_size<axes, 10>(device, request, sweeps);
  }
}

}  // namespace

void update_on_gpu(const Device& device, const UpdateRequest& request, Index sweeps) {
  const cuda::LaunchRegion region(device.ordinal, "update of Ising spins");
  switch (request.lattice.grid.axes) {
    case 1:
      launch_by_rounds<1>(device, request, sweeps);
      break;
    case 2:
      launch_by_rounds<2>(device, request, sweeps);
      break;
    case 3:
      launch_by_rounds<3>(device, request, sweeps);
      break;
    default:
      launch_by_rounds<4>(device, request, sweeps);
  }
  cuda::check(cudaGetLastError(), "starting a kernel");
}

void sum_on_gpu(const Device& device, const LatticeView& lattice, SpinSums* sums) {
  const cuda::LaunchRegion region(device.ordinal, "sums of Ising spins");
  constexpr Index most_tiles = 1024;
  const LaunchShape shape = shape_of(lattice, most_tiles);
  CUstream_st* const stream = cuda::stream(device.ordinal);
  switch (lattice.grid.axes) {
    case 1:
      sum_words<1><<<shape.blocks, shape.threads, 0, stream>>>(lattice, sums);
      break;
    case 2:
      sum_words<2><<<shape.blocks, shape.threads, 0, stream>>>(lattice, sums);
      break;
    case 3:
      sum_words<3><<<shape.blocks, shape.threads, 0, stream>>>(lattice, sums);
      break;
    default:
      sum_words<4><<<shape.blocks, shape.threads, 0, stream>>>(lattice, sums);
  }
  cuda::check(cudaGetLastError(), "starting a kernel");
}

}  // namespace larmor::ising
