// Updates and sums of Ising spins on a GPU: a thread has some 32-bit words, one after the other.
// The planes that all words have are drawn at once; words in which a place is still open, one in
// ten or twenty, are collected by a block of threads and finished by full warps of it.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/ising/bits/kernels.hpp"
#include "larmor/ising/bits/update_kernel.hpp"

namespace larmor::ising {
namespace {

constexpr int most_block_threads = 256;
constexpr int words_of_thread = 4;
constexpr int most_late_words = 256;  ///< of a block; what is more is finished on the spot
constexpr Index most_grid_rows = 65535;

using Word = std::uint32_t;

/// A word at a boundary, which few are.
template <int axes, int rounds, class Place>
__device__ __noinline__ Word decide_at_boundary(Place place, Bonds<axes, Word> bonds,
                                                const Acceptance* table,
                                                RandomPlanes<rounds> random) {
  Decision<4 * axes + 1, Word> decision;
  boundary_sums<axes>(place, bonds.negative, decision.member);
  const StoredDigits<1> digits_of{table};
  std::uint64_t calls = 0;
  const auto word = static_cast<std::uint32_t>(place.word);
  decision.begin(digits_of, random, word, Word{0});
  return decision.accepted | decision.finish(digits_of, random, word, calls);
}

/// Words of one replica after the other: block (x, y) has the x-th tile of replica y, and of others
/// where there are more replicas than rows of blocks.
template <int axes, bool upper_half, int rounds, class Number>
__global__ void __launch_bounds__(most_block_threads)
    update_words(const __grid_constant__ UpdateRequest request) {
  constexpr int classes = class_count<axes, upper_half>;
  __shared__ int late_count;
  __shared__ Number late_word[most_late_words];
  __shared__ Word late_open[most_late_words], late_member[classes][most_late_words];
  const LatticeView& lattice = request.lattice;
  const auto words = static_cast<Number>(lattice.grid.words);
  const Index tile = Index(blockIdx.x) * blockDim.x * words_of_thread;
  const Index end = tile + Index(blockDim.x) * words_of_thread;
  const auto last = end < lattice.grid.words ? static_cast<Number>(end) : words;
  for (Index replica = blockIdx.y; replica < lattice.replicas; replica += gridDim.y) {
    if (threadIdx.x == 0) late_count = 0;
    __syncthreads();
    const HeldDigits<classes, 2> digits_of(lattice.acceptance[replica]);
    Word* const spins = lattice.spins_of(replica, request.colour);
    const StoredWords<Word> others{lattice.spins_of(replica, 1 - request.colour)};
    const auto random_of = [&](Number word) {
      return RandomPlanes<rounds>(request.key, static_cast<std::uint64_t>(replica), request.colour,
                                  sizeof(Number) > 4 ? static_cast<std::uint64_t>(word) >> 32 : 0);
    };
    std::uint64_t calls = 0;
    RandomPlanes<rounds> random = random_of(0);
    for (Number word = static_cast<Number>(tile) + static_cast<Number>(threadIdx.x); word < last;
         word += static_cast<Number>(blockDim.x)) {
      const RowPlace<Word, axes, Number> place(lattice.grid, nullptr, request.colour, word);
      if constexpr (sizeof(Number) > 4) random = random_of(word);
      const Word before = spins[word] & lattice.own_spin;
      const auto bonds = unsatisfied_bonds<axes>(lattice, replica, request.colour, others, place,
                                                 before ^ lattice.coupling);
      if (lattice.grid.any_open && place.touches_open_boundary()) {
        spins[word] = before ^ decide_at_boundary<axes, rounds>(
                                   place, bonds, lattice.acceptance + replica, random);
        continue;
      }
      Decision<classes, Word> decision;
      const Word rest = count_classes<axes, upper_half>(bonds.negative, decision.member);
      const auto low = static_cast<std::uint32_t>(word);
      decision.begin(digits_of, random, low, rest);
      Word flips = decision.accepted;
      if (decision.open != 0) {
        const int n = atomicAdd(&late_count, 1);
        if (n < most_late_words) {
          late_word[n] = word;
          late_open[n] = decision.open;
          for (int c = 0; c < classes; ++c) late_member[c][n] = decision.member[c];
        } else {
          flips |= decision.finish(digits_of, random, low, calls);
        }
      }
      spins[word] = before ^ flips;
    }
    __syncthreads();
    const int late = late_count < most_late_words ? late_count : most_late_words;
    for (int n = static_cast<int>(threadIdx.x); n < late; n += static_cast<int>(blockDim.x)) {
      Decision<classes, Word> decision;
      for (int c = 0; c < classes; ++c) decision.member[c] = late_member[c][n];
      decision.open = late_open[n];
      const Number word = late_word[n];
      const Word flips =
          decision.finish(digits_of, random_of(word), static_cast<std::uint32_t>(word), calls);
      if (flips != 0) spins[word] ^= flips;
    }
    __syncthreads();
  }
}

__device__ long long sum_of_warp(long long sum) {
  for (int lane = warp_size / 2; lane > 0; lane /= 2) sum += __shfl_down_sync(~0u, sum, lane);
  return sum;
}

template <int axes>
__global__ void __launch_bounds__(most_block_threads)
    sum_words(const __grid_constant__ LatticeView lattice, SpinSums* sums) {
  const Index stride = Index(gridDim.x) * blockDim.x;
  for (Index replica = blockIdx.y; replica < lattice.replicas; replica += gridDim.y) {
    long long unsatisfied = 0, down = 0;
    for (Index word = Index(blockIdx.x) * blockDim.x + threadIdx.x; word < lattice.grid.words;
         word += stride) {
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

/// @param most_tiles of a replica
LaunchShape shape_of(const LatticeView& lattice, Index most_tiles) {
  const Index of_thread = (lattice.grid.words + words_of_thread - 1) / words_of_thread;
  const Index warps =
      std::min<Index>((of_thread + warp_size - 1) / warp_size, most_block_threads / warp_size);
  const Index tile = warps * warp_size * words_of_thread;
  const Index tiles = std::min((lattice.grid.words + tile - 1) / tile, most_tiles);
  return {dim3(static_cast<unsigned>(tiles),
               static_cast<unsigned>(std::min(lattice.replicas, most_grid_rows))),
          static_cast<unsigned>(warps * warp_size)};
}

template <int axes, bool upper_half, int rounds, class Number>
void launch(const Device& device, const UpdateRequest& request) {
  const LaunchShape shape = shape_of(request.lattice, Index{1} << 31);
  update_words<axes, upper_half, rounds, Number>
      <<<shape.blocks, shape.threads, 0, cuda::stream(device.ordinal)>>>(request);
}

template <int axes, int rounds>
void launch_by_size(const Device& device, const UpdateRequest& request) {
  constexpr Index fewer_for_32_bits = Index{1} << 30;
  if (request.lattice.grid.words >= fewer_for_32_bits) {
    launch<axes, false, rounds, Index>(device, request);
  } else if (request.upper_half) {
    launch<axes, true, rounds, std::int32_t>(device, request);
  } else {
    launch<axes, false, rounds, std::int32_t>(device, request);
  }
}

template <int axes>
void launch_by_rounds(const Device& device, const UpdateRequest& request) {
  if (request.rounds == 7) {
    launch_by_size<axes, 7>(device, request);
  } else {
    launch_by_size<axes, 10>(device, request);
  }
}

}  // namespace

void update_on_gpu(const Device& device, const UpdateRequest& request) {
  const cuda::LaunchRegion region(device.ordinal, "update of Ising spins");
  switch (request.lattice.grid.axes) {
    case 1:
      launch_by_rounds<1>(device, request);
      break;
    case 2:
      launch_by_rounds<2>(device, request);
      break;
    case 3:
      launch_by_rounds<3>(device, request);
      break;
    default:
      launch_by_rounds<4>(device, request);
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
