// Products of H on a GPU.
//
// A block of threads has a tile in shared memory. A thread sums over the flips of 16 of its
// numbers.
//
// High passes come first, so that the first one writes, and the later ones add to its result. Then
// the low pass and the middle one run as one kernel, whose traffic between both stays in the L2
// cache: while some blocks begin tiles of the low pass, others end tiles of the middle pass, whose
// numbers the low pass wrote shortly before.

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cuda/atomic>

#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/quantum/hamiltonian.hpp"

namespace larmor::quantum {
namespace {

constexpr int numbers = 16;
/// A thread sums over 8 of its numbers at a time: it has few registers, so that more blocks run.
constexpr int part_bits = 3, part = 1 << part_bits;

/// Element n * threads + number of the thread is number n of a thread.
template <int element_bits>
struct Tile {
  static constexpr int thread_bits = element_bits - 4, threads = 1 << thread_bits;

  /// Copies the numbers to shared memory. Waits for no copy.
  template <class Layout>
  static __device__ void fetch(const double* in, const Layout& offset_of, double* shared) {
#pragma unroll
    for (int n = 0; n < numbers / 2; ++n) {
      const int t = 2 * (n * threads + static_cast<int>(threadIdx.x));
      __pipeline_memcpy_async(shared + t, in + offset_of(t), 2 * sizeof(double));
    }
    __pipeline_commit();
  }

  /// Adds the flips of 8 numbers of a thread, from number `first` on. @param tile all numbers
  static __device__ void add_flips(const double* c, int first_flip, const double* tile, int first,
                                   double* sum) {
    double x[part];
#pragma unroll
    for (int n = 0; n < part; ++n) x[n] = tile[(first + n) * threads + threadIdx.x];
#pragma unroll
    for (int k = 0; k < part_bits; ++k)
#pragma unroll
      for (int n = 0; n < part; ++n) sum[n] += c[thread_bits + k] * x[n ^ (1 << k)];
#pragma unroll
    for (int n = 0; n < part; ++n)
      sum[n] += c[element_bits - 1] * tile[((first ^ part) + n) * threads + threadIdx.x];
    for (int bit = first_flip; bit < thread_bits; ++bit) {
      const double factor = c[bit];
#pragma unroll
      for (int n = 0; n < part; ++n)
        sum[n] += factor * tile[(first + n) * threads + (threadIdx.x ^ (1 << bit))];
    }
  }
};

using LowTile = Tile<tile_bits>;
using HighTile = Tile<most_tile_bits>;

/// The sums of a diagonal over low sites, for both halves of the low bits.
struct SharedSums {
  double fields[tile_bits];
  double half[2][1 << (tile_bits / 2)];

  __device__ void fill(const DiagonalView& diagonal, Index high) {
    for (int i = threadIdx.x; i < diagonal.low_bits; i += blockDim.x)
      fields[i] = diagonal.field(i, high);
    __syncthreads();
    const int lower = diagonal.half(), upper = diagonal.low_bits - lower;
    for (int n = threadIdx.x; n < 1 << lower; n += blockDim.x)
      half[0][n] = diagonal.high[high] + DiagonalView::sum_of(fields, lower, n);
    for (int n = threadIdx.x; n < 1 << upper; n += blockDim.x)
      half[1][n] = DiagonalView::sum_of(fields + lower, upper, n);
    __syncthreads();
  }
  __device__ double energy(const DiagonalView& diagonal, Index t) const {
    return diagonal.low[t] + half[0][t & diagonal.half_mask()] + half[1][t >> diagonal.half()];
  }
};

__device__ double sum_of_terms(const LowPass& pass, const double* in, Index x) {
  double sum = 0;
  for (int n = 0; n < pass.term_count; ++n) {
    const FlipTerm term = pass.terms[n];
    if (term.applies_to(x)) sum += term.c * in[x ^ term.flip];
  }
  return sum;
}

/// @param adds true: out has the flips of high bits
template <bool adds>
__device__ void multiply_low_tile(const LowPass& pass, const double* in, double* out, Index tile,
                                  double* shared, SharedSums& sums) {
  const Index begin = tile << tile_bits;
  LowTile::fetch(
      in + begin, [](int t) { return t; }, shared);
  sums.fill(pass.diagonal, tile);
  __pipeline_wait_prior(0);
  __syncthreads();
#pragma unroll
  for (int first = 0; first < numbers; first += part) {
    double sum[part];
#pragma unroll
    for (int n = 0; n < part; ++n) {
      const int t = (first + n) * LowTile::threads + static_cast<int>(threadIdx.x);
      sum[n] = sums.energy(pass.diagonal, t) * shared[t];
      // It is read once, so it may leave the cache.
      if (adds) sum[n] += __ldcs(out + begin + t);
    }
    LowTile::add_flips(pass.c, pass.first_flip, shared, first, sum);
#pragma unroll
    for (int n = 0; n < part; ++n) {
      const Index i = begin + (first + n) * LowTile::threads + threadIdx.x;
      out[i] = sum[n] + sum_of_terms(pass, in, i);
    }
  }
}

/// @param adds false: out has no numbers yet
template <int element_bits, bool adds>
__device__ void multiply_high_tile(const HighPass& pass, const double* in, double* out, Index tile,
                                   double* shared) {
  using ThisTile = Tile<element_bits>;
  const Index begin = pass.begin_of(tile);
  ThisTile::fetch(
      in + begin, [&](int t) { return pass.offset_of(t); }, shared);
  const Index first_place = begin + pass.offset_of(threadIdx.x);
  const Index step = pass.offset_of(ThisTile::threads);
  double sum[numbers]{};
  if (adds)
#pragma unroll
    for (int n = 0; n < numbers; ++n) sum[n] = __ldcs(out + first_place + n * step);
  __pipeline_wait_prior(0);
  __syncthreads();
#pragma unroll
  for (int first = 0; first < numbers; first += part) {
    ThisTile::add_flips(pass.c, pass.first_flip, shared, first, sum + first);
#pragma unroll
    for (int n = first; n < first + part; ++n) __stcs(out + first_place + n * step, sum[n]);
  }
}

template <bool adds>
__global__ void __launch_bounds__(HighTile::threads, adds ? 1 : 2)
    multiply_high(const __grid_constant__ HighPass pass, const double* in, double* out) {
  extern __shared__ __align__(16) double shared[];
  multiply_high_tile<most_tile_bits, adds>(pass, in, out, blockIdx.x, shared);
}

/// The order of the blocks of both passes. Blocks of the low pass have even tickets, those of the
/// middle pass odd ones. A tile of the middle pass needs all tiles of the low pass with equal
/// higher bits, a group. Blocks take tickets in the order in which they begin, so blocks of the
/// group run or have ended when a block waits for them.
struct TicketOrder {
  Index tiles;
  int group_bits;  ///< 2^group_bits tiles are a group
  Index delay;     ///< tiles by which the middle pass is behind; at least a group
  std::uint32_t* tickets;
  std::uint32_t* ended;  ///< [groups] tiles of the low pass

  static TicketOrder of(const HighPass& middle, std::uint32_t* progress) {
    // Enough tiles that blocks seldom wait, and few enough for the L2 cache.
    constexpr Index tiles_of_delay = 320;
    const Index tiles = middle.tiles();
    return {tiles, middle.first_bit - middle.chunk, std::min(tiles_of_delay, tiles), progress,
            progress + 1};
  }
  Index groups() const { return tiles >> group_bits; }
  Index blocks() const { return 2 * (tiles + delay); }
};

using Counter = ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device>;

template <bool adds>
__global__ void __launch_bounds__(LowTile::threads, 3)
    multiply_low_and_middle(const __grid_constant__ LowPass low,
                            const __grid_constant__ HighPass middle,
                            const __grid_constant__ TicketOrder order, const double* in,
                            double* out) {
  __shared__ __align__(16) double shared[1 << tile_bits];
  __shared__ SharedSums sums;
  __shared__ std::uint32_t shared_ticket;
  if (threadIdx.x == 0)
    shared_ticket = Counter(*order.tickets).fetch_add(1, ::cuda::memory_order_relaxed);
  __syncthreads();
  const Index tile = shared_ticket / 2;
  if (shared_ticket % 2 == 0) {
    if (tile >= order.tiles) return;
    multiply_low_tile<adds>(low, in, out, tile, shared, sums);
    __syncthreads();
    if (threadIdx.x == 0)
      Counter(order.ended[tile >> order.group_bits]).fetch_add(1, ::cuda::memory_order_release);
  } else {
    const Index behind = tile - order.delay;
    if (behind < 0) return;
    if (threadIdx.x == 0) {
      const Counter ended(order.ended[behind >> order.group_bits]);
      while (ended.load(::cuda::memory_order_acquire) < 1u << order.group_bits) __nanosleep(100);
    }
    __syncthreads();
    multiply_high_tile<tile_bits, true>(middle, in, out, behind, shared);
  }
}

template <bool adds>
__global__ void __launch_bounds__(LowTile::threads, 3)
    multiply_low(const __grid_constant__ LowPass pass, const double* in, double* out) {
  __shared__ __align__(16) double shared[1 << tile_bits];
  __shared__ SharedSums sums;
  multiply_low_tile<adds>(pass, in, out, blockIdx.x, shared, sums);
}

/// A vector of 2^12 numbers or fewer.
__global__ void multiply_small(const __grid_constant__ LowPass pass, const double* in,
                               double* out) {
  __shared__ SharedSums sums;
  sums.fill(pass.diagonal, 0);
  for (int t = threadIdx.x; t < 1 << pass.diagonal.low_bits; t += blockDim.x) {
    double sum = sums.energy(pass.diagonal, t) * in[t];
    for (int bit = 0; bit < pass.diagonal.low_bits; ++bit) sum += pass.c[bit] * in[t ^ (1 << bit)];
    out[t] = sum + sum_of_terms(pass, in, t);
  }
}

/// A block of threads for the states with the same high bits.
__global__ void exchange_states(const __grid_constant__ ExchangePass pass, const double* in,
                                double* out) {
  const SpaceView& space = pass.space;
  for (Index high = blockIdx.x; high < space.highs(); high += gridDim.x) {
    const Index begin = space.begin_of(high), states = space.states_of(high);
    if (states == 0) continue;
    const Index first = space.first_of(high);
    for (Index r = threadIdx.x; r < states; r += blockDim.x) {
      const Index low = space.low_word(first + r), word = high << space.low_bits | low;
      double energy = pass.diagonal.low[first + r] + pass.diagonal.high[high];
      for (int i = 0; i < space.low_bits; ++i)
        if (pass.diagonal.first[i] != pass.diagonal.first[i + 1]) {
          const double f = pass.diagonal.field(i, high);
          energy += (low >> i & 1) != 0 ? f : -f;
        }
      double sum = energy * in[begin + r];
      for (int n = 0; n < pass.all_count; ++n) {
        const Exchange exchange = pass.all[n];
        if (count_up(word & exchange.bits) == 1)
          sum += exchange.c * in[space.find(word ^ exchange.bits).index];
      }
      out[begin + r] = sum;
    }
  }
}

unsigned blocks_for(Index count) {
  constexpr Index most_blocks = Index{1} << 30;
  return static_cast<unsigned>(std::min(count, most_blocks));
}

}  // namespace

void Hamiltonian::multiply_on_gpu(const Vector& in, Vector& out) const {
  const int ordinal = out.device().ordinal;
  const cuda::LaunchRegion region(ordinal, "products of H");
  const SpaceView& view = space_.view();
  const dim3 blocks(blocks_for(view.highs()));
  if (view.has_magnetisation)
    return cuda::launch(ordinal, {blocks, LowTile::threads}, exchange_states, exchange_, in.data(),
                        out.data());
  if (view.bits <= tile_bits)
    return cuda::launch(ordinal, {dim3(1), LowTile::threads}, multiply_small, low_, in.data(),
                        out.data());
  bool adds = false;
  for (const HighPass& pass : high_) {
    const auto kernel = adds ? multiply_high<true> : multiply_high<false>;
    constexpr std::size_t bytes = sizeof(double) << most_tile_bits;
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(bytes)),
                "shared memory of products of H");
    cuda::launch(ordinal, {dim3(blocks_for(pass.tiles())), HighTile::threads, bytes}, kernel, pass,
                 in.data(), out.data());
    adds = true;
  }
  if (!middle_)
    return cuda::launch(ordinal, {blocks, LowTile::threads},
                        adds ? multiply_low<true> : multiply_low<false>, low_, in.data(),
                        out.data());
  const TicketOrder order = TicketOrder::of(*middle_, progress_.data());
  cuda::check(cudaMemsetAsync(progress_.data(), 0,
                              static_cast<std::size_t>(1 + order.groups()) * sizeof(std::uint32_t),
                              cuda::stream(ordinal)),
              "clearing the progress of products of H");
  cuda::launch(ordinal, {dim3(static_cast<unsigned>(order.blocks())), LowTile::threads},
               adds ? multiply_low_and_middle<true> : multiply_low_and_middle<false>, low_,
               *middle_, order, in.data(), out.data());
}

}  // namespace larmor::quantum
