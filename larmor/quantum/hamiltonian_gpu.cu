// Products of H on a GPU.
//
// A block of 256 threads has a tile of 4096 numbers in shared memory. A thread sums over the flips
// of 16 of them. Four of the twelve bits lie within a thread.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/quantum/hamiltonian.hpp"

namespace larmor::quantum {
namespace {

constexpr int own_bits = 4, numbers = 1 << own_bits;
constexpr int shared_bits = tile_bits - own_bits, threads = 1 << shared_bits;

/// Adds the flips of all bits of a tile. Element n of a thread is n * threads + its number.
/// @param tile the numbers x of all threads
__device__ void add_flips(const double* c, const double* tile, const double (&x)[numbers],
                          double (&sum)[numbers], int first_bit) {
#pragma unroll
  for (int k = 0; k < own_bits; ++k)
#pragma unroll
    for (int n = 0; n < numbers; ++n) sum[n] += c[shared_bits + k] * x[n ^ (1 << k)];
  for (int bit = first_bit; bit < shared_bits; ++bit) {
    const double factor = c[bit];
#pragma unroll
    for (int n = 0; n < numbers; ++n)
      sum[n] += factor * tile[n * threads + (threadIdx.x ^ (1 << bit))];
  }
}

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

__global__ void __launch_bounds__(threads)
    multiply_low(const __grid_constant__ LowPass pass, const double* in, double* out, Index tiles) {
  __shared__ double shared[1 << tile_bits];
  __shared__ SharedSums sums;
  for (Index tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const Index begin = tile << tile_bits;
    double x[numbers], sum[numbers];
    __syncthreads();
#pragma unroll
    for (int n = 0; n < numbers; ++n) {
      const int t = n * threads + threadIdx.x;
      x[n] = in[begin + t];
      shared[t] = x[n];
    }
    sums.fill(pass.diagonal, tile);
#pragma unroll
    for (int n = 0; n < numbers; ++n)
      sum[n] = sums.energy(pass.diagonal, n * threads + threadIdx.x) * x[n];
    add_flips(pass.c, shared, x, sum, 0);
#pragma unroll
    for (int n = 0; n < numbers; ++n) {
      const Index i = begin + n * threads + threadIdx.x;
      out[i] = sum[n] + sum_of_terms(pass, in, i);
    }
  }
}

/// A vector of fewer than 2^12 numbers.
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

__global__ void __launch_bounds__(threads)
    multiply_high(const __grid_constant__ HighPass pass, const double* in, double* out) {
  __shared__ double shared[1 << tile_bits];
  for (Index tile = blockIdx.x; tile < pass.tiles(); tile += gridDim.x) {
    const Index begin = pass.begin_of(tile);
    double x[numbers], sum[numbers];
    __syncthreads();
#pragma unroll
    for (int n = 0; n < numbers; ++n) {
      const int t = n * threads + threadIdx.x;
      x[n] = in[begin + pass.offset_of(t)];
      sum[n] = out[begin + pass.offset_of(t)];
      shared[t] = x[n];
    }
    __syncthreads();
    add_flips(pass.c, shared, x, sum, chunk_bits);
#pragma unroll
    for (int n = 0; n < numbers; ++n)
      out[begin + pass.offset_of(n * threads + threadIdx.x)] = sum[n];
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
  if (view.has_magnetisation)
    return cuda::launch(ordinal, {dim3(blocks_for(view.highs())), threads}, exchange_states,
                        exchange_, in.data(), out.data());
  if (view.bits < tile_bits)
    return cuda::launch(ordinal, {dim3(1), threads}, multiply_small, low_, in.data(), out.data());
  cuda::launch(ordinal, {dim3(blocks_for(view.highs())), threads}, multiply_low, low_, in.data(),
               out.data(), view.highs());
  for (const HighPass& pass : high_)
    cuda::launch(ordinal, {dim3(blocks_for(pass.tiles())), threads}, multiply_high, pass, in.data(),
                 out.data());
}

}  // namespace larmor::quantum
