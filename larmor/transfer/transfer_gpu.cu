// Passes of the transfer matrix and operations of vectors on a GPU.
//
// A block of 256 threads has a tile of 4096 numbers. A thread multiplies the matrices of four bits
// at a time in 16 registers; between them the block exchanges its numbers in shared memory.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/block_sums.cuh"
#include "larmor/transfer/row_averages.hpp"
#include "larmor/transfer/transfer_matrix.hpp"
#include "larmor/transfer/vectors.hpp"

namespace larmor::transfer {
namespace {

constexpr int bits_at_once = 4, numbers = 1 << bits_at_once;
constexpr int threads = 1 << (tile_bits - bits_at_once);

/// Element n of a thread, if the bits from `bit` on are its own four.
__device__ int element_of(int thread, int n, int bit) {
  const int below = thread & ((1 << bit) - 1), above = thread >> bit;
  return below + (n << bit) + (above << (bit + bits_at_once));
}

/// Shared memory has 32 banks of 4 bytes: a gap after each 16 numbers keeps strides apart.
__device__ int padded(int element) { return element + (element >> 4); }

__device__ void multiply_bits(const PassView& pass, int bit, double (&x)[numbers]) {
#pragma unroll
  for (int k = 0; k < bits_at_once; ++k) {
    const double a = pass.a[bit + k], b = pass.b[bit + k];
#pragma unroll
    for (int n = 0; n < numbers; ++n)
      if ((n >> k & 1) == 0) multiply(a, b, x[n], x[n + (1 << k)]);
  }
}

__device__ void exchange(double (&x)[numbers], double* shared, int from, int to) {
  __syncthreads();
#pragma unroll
  for (int n = 0; n < numbers; ++n) shared[padded(element_of(threadIdx.x, n, from))] = x[n];
  __syncthreads();
#pragma unroll
  for (int n = 0; n < numbers; ++n) x[n] = shared[padded(element_of(threadIdx.x, n, to))];
}

/// Tiles of 2^12 numbers. Consecutive threads read and write consecutive numbers.
template <bool contiguous>
__global__ void __launch_bounds__(threads)
    multiply_tiles(const __grid_constant__ PassView pass, const __grid_constant__ TileInput in,
                   const __grid_constant__ TileOutput out) {
  __shared__ double shared[(1 << tile_bits) + (1 << (tile_bits - 4))];
  for (Index tile = blockIdx.x; tile < pass.tiles(); tile += gridDim.x) {
    const Index begin = pass.begin_of(tile);
    double x[numbers];
    constexpr int first = 8, last = 4;
#pragma unroll
    for (int n = 0; n < numbers; ++n)
      x[n] = in(begin + pass.offset_of(element_of(threadIdx.x, n, first)));
    multiply_bits(pass, first, x);
    if (contiguous) {
      exchange(x, shared, first, 0);
      multiply_bits(pass, 0, x);
      exchange(x, shared, 0, last);
    } else {
      exchange(x, shared, first, last);
    }
    multiply_bits(pass, last, x);
#pragma unroll
    for (int n = 0; n < numbers; ++n)
      out.store(begin + pass.offset_of(element_of(threadIdx.x, n, last)), x[n]);
  }
}

/// A vector of fewer than 2^12 numbers.
__global__ void multiply_small(const __grid_constant__ PassView pass,
                               const __grid_constant__ TileInput in,
                               const __grid_constant__ TileOutput out) {
  __shared__ double shared[1 << tile_bits];
  const int elements = 1 << pass.element_bits();
  for (int t = threadIdx.x; t < elements; t += blockDim.x) shared[t] = in(t);
  for (int bit = 0; bit < pass.element_bits(); ++bit) {
    __syncthreads();
    for (int pair = threadIdx.x; pair < elements / 2; pair += blockDim.x) {
      const int t = (pair & ((1 << bit) - 1)) + (pair >> bit << (bit + 1));
      multiply(pass.a[bit], pass.b[bit], shared[t], shared[t + (1 << bit)]);
    }
  }
  __syncthreads();
  for (int t = threadIdx.x; t < elements; t += blockDim.x) out.store(t, shared[t]);
}

/// A block of threads for each block of sums and vector. @param partial (vector, block)
__global__ void partial_dots(const double* w, const double* const* vectors, Index size,
                             double* partial) {
  __shared__ double shared[sum_width];
  const double* const v = vectors[blockIdx.y];
  const Index first = Index(blockIdx.x) * sites_of_sum_block;
  double sum = 0;
#pragma unroll 4
  for (Index i = first + threadIdx.x; i < min(size, first + sites_of_sum_block); i += sum_width)
    sum += w[i] * v[i];
  sum = tree_sum_of_block(sum, shared);
  if (threadIdx.x == 0) partial[Index(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
}

/// Adds the partial sums of each vector in their order.
__global__ void add_partial_dots(const double* partial, Index blocks, double* sums) {
  __shared__ double shared[sum_width];
  double sum = 0;
  for (Index n = threadIdx.x; n < blocks; n += sum_width)
    sum += partial[Index(blockIdx.x) * blocks + n];
  sum = tree_sum_of_block(sum, shared);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

struct Terms {
  int count;
  double coefficient[most_vectors];
  const double* vector[most_vectors];
};

__global__ void subtract_terms(double* w, const __grid_constant__ Terms terms, Index size) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size) return;
  double value = w[i];
  for (int n = 0; n < terms.count; ++n) value -= terms.coefficient[n] * terms.vector[n][i];
  w[i] = value;
}

__global__ void scale_by(double* w, double factor, Index size) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) w[i] *= factor;
}

struct Columns {
  int count, columns;
  double* vector[most_vectors];
};

__global__ void rotate_rows(const __grid_constant__ Columns v, const double* rotation, Index size) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size) return;
  double row[most_vectors];
  for (int n = 0; n < v.count; ++n) row[n] = v.vector[n][i];
  for (int column = 0; column < v.columns; ++column) {
    double sum = 0;
    for (int n = 0; n < v.count; ++n) sum += rotation[n * v.columns + column] * row[n];
    v.vector[column][i] = sum;
  }
}

__global__ void randomise_elements(double* w, RandomKey key, Index size) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) w[i] = random_element(key, i);
}

__global__ void write_weights(const __grid_constant__ WeightView weights, double* v, Index states) {
  const Index x = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (x < states) v[x] = weights(x);
}

/// @param partial (number, block)
__global__ void sum_row_terms(const __grid_constant__ RowTerms terms, Index states,
                              double* partial) {
  __shared__ double shared[RowTerms::count * sum_width];
  const Index first = Index(blockIdx.x) * sites_of_sum_block;
  std::array<double, RowTerms::count> sums{};
  for (Index x = first + threadIdx.x; x < min(states, first + sites_of_sum_block); x += sum_width) {
    const auto values = terms(x);
#pragma unroll
    for (int k = 0; k < RowTerms::count; ++k) sums[k] += values[k];
  }
  sums = tree_sums_of_block(sums, shared);
  if (threadIdx.x == 0)
    for (int k = 0; k < RowTerms::count; ++k) partial[Index(k) * gridDim.x + blockIdx.x] = sums[k];
}

}  // namespace

namespace detail {

void fill_weights_on_gpu(Array<double>& v, const WeightView& weights) {
  cuda::launch(v.device().ordinal, cuda::shape_of(v.size()), write_weights, weights, v.data(),
               v.size());
}

std::array<double, RowTerms::count> sum_on_gpu(const Device& device, const RowTerms& terms,
                                               Index states) {
  const cuda::LaunchRegion region(device.ordinal, "averages of rows");
  const Index blocks = sum_blocks_of(states);
  Array<double> partial(device, blocks * RowTerms::count), sums(device, RowTerms::count);
  cuda::launch(device.ordinal, {dim3(static_cast<unsigned>(blocks)), sum_width}, sum_row_terms,
               terms, states, partial.data());
  cuda::launch(device.ordinal, {dim3(RowTerms::count), sum_width}, add_partial_dots, partial.data(),
               blocks, sums.data());
  const std::vector<double> host = sums.to_host();
  std::array<double, RowTerms::count> result{};
  std::copy(host.begin(), host.end(), result.begin());
  return result;
}

void pass_on_gpu(const Device& device, const PassView& pass, const TileInput& in,
                 const TileOutput& out) {
  const cuda::LaunchRegion region(device.ordinal, "transfer matrix");
  if (pass.bits < tile_bits)
    return cuda::launch(device.ordinal, {dim3(1), threads}, multiply_small, pass, in, out);
  constexpr Index most_blocks = Index{1} << 30;
  const cuda::LaunchShape shape{dim3(static_cast<unsigned>(std::min(pass.tiles(), most_blocks))),
                                threads};
  if (pass.first_bit == 0)
    cuda::launch(device.ordinal, shape, multiply_tiles<true>, pass, in, out);
  else
    cuda::launch(device.ordinal, shape, multiply_tiles<false>, pass, in, out);
}

std::vector<double> dots_on_gpu(const Vector& w, std::span<const Vector* const> vectors) {
  const Device& device = w.device();
  const cuda::LaunchRegion region(device.ordinal, "dot products");
  std::vector<const double*> pointers;
  for (const Vector* v : vectors) pointers.push_back(v->data());
  const Array<const double*> on_gpu(device, pointers);
  const Index blocks = sum_blocks_of(w.size()), count = std::ssize(vectors);
  Array<double> partial(device, blocks * count), sums(device, count);
  cuda::launch(device.ordinal,
               {dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(count)), sum_width},
               partial_dots, w.data(), on_gpu.data(), w.size(), partial.data());
  cuda::launch(device.ordinal, {dim3(static_cast<unsigned>(count)), sum_width}, add_partial_dots,
               partial.data(), blocks, sums.data());
  return sums.to_host();
}

void subtract_on_gpu(Vector& w, std::span<const double> coefficients,
                     std::span<const Vector* const> vectors) {
  const Device& device = w.device();
  const cuda::LaunchRegion region(device.ordinal, "linear combinations");
  for (std::size_t first = 0; first < vectors.size(); first += most_vectors) {
    Terms terms{};
    for (std::size_t n = first; n < std::min<std::size_t>(vectors.size(), first + most_vectors);
         ++n) {
      terms.coefficient[terms.count] = coefficients[n];
      terms.vector[terms.count++] = vectors[n]->data();
    }
    cuda::launch(device.ordinal, cuda::shape_of(w.size()), subtract_terms, w.data(), terms,
                 w.size());
  }
}

void scale_on_gpu(Vector& w, double factor) {
  cuda::launch(w.device().ordinal, cuda::shape_of(w.size()), scale_by, w.data(), factor, w.size());
}

void rotate_on_gpu(std::span<Vector* const> vectors, std::span<const double> rotation,
                   Index columns) {
  const Device& device = vectors.front()->device();
  const Index size = vectors.front()->size();
  Columns v{static_cast<int>(vectors.size()), static_cast<int>(columns), {}};
  for (std::size_t n = 0; n < vectors.size(); ++n) v.vector[n] = vectors[n]->data();
  const Array<double> on_gpu(device, rotation);
  cuda::launch(device.ordinal, cuda::shape_of(size), rotate_rows, v, on_gpu.data(), size);
}

void randomise_on_gpu(Vector& w, const RandomKey& key) {
  cuda::launch(w.device().ordinal, cuda::shape_of(w.size()), randomise_elements, w.data(), key,
               w.size());
}

}  // namespace detail
}  // namespace larmor::transfer
