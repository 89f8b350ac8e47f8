// Passes of the transfer matrix and operations of vectors on a GPU.
//
// A block of 256 threads has a tile of 4096 numbers. A thread multiplies the matrices of four bits
// at a time in 16 registers. Then the threads of the block exchange their numbers in shared memory.

#include <cuda_pipeline.h>
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
constexpr int parts = threads / 32;
static_assert(parts == 1 << part_bits);

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

/// Places of the numbers of a thread are `padded_step` apart.
template <int bit>
constexpr int padded_step = bit < 4 ? 1 << bit : (1 << bit) + (1 << (bit - 4));

template <int from>
__device__ void put(const double (&x)[numbers], double* shared) {
  double* const to = shared + padded(element_of(threadIdx.x, 0, from));
#pragma unroll
  for (int n = 0; n < numbers; ++n) to[n * padded_step<from>] = x[n];
}

template <int to>
__device__ void get(const double* shared, double (&x)[numbers]) {
  const double* const from = shared + padded(element_of(threadIdx.x, 0, to));
#pragma unroll
  for (int n = 0; n < numbers; ++n) x[n] = from[n * padded_step<to>];
}

template <int from, int to>
__device__ void exchange(double (&x)[numbers], double* shared) {
  __syncthreads();
  put<from>(x, shared);
  __syncthreads();
  get<to>(shared, x);
}

/// The numbers of a thread in a vector: 16 equal steps from the first index. The bits of n * step
/// are zero in `first`, so parts of an index are sums of parts of these two.
struct Places {
  Index first, step;

  __device__ static Places of(const PassView& pass, int bit) {
    return {pass.offset_of(element_of(threadIdx.x, 0, bit)), pass.offset_of(Index{1} << bit)};
  }
};

/// Calls body(n, index) for the numbers of a thread. The index is a running sum, because 16
/// products with the step would stay in registers.
template <class Body>
__device__ void for_numbers(Index first, Index step, const Body& body) {
#pragma unroll
  for (int n = 0; n < numbers; ++n) {
    body(n, first);
    first += step;
  }
}

/// Multiplies the numbers at x, x + step, ... (or x - step, ...) by the weights of their rows.
template <int direction>
__device__ void weigh(const WeightView& weight, Index x, Index step, double factor,
                      double (&v)[numbers]) {
  const int mask = (1 << weight.low_bits) - 1;
  if ((step & mask) == 0) {
    const double common = factor * weight.low[x & mask];
    for_numbers(x, direction * step,
                [&](int n, Index y) { v[n] *= common * weight.rest[y >> weight.plain_bits]; });
  } else {
    for_numbers(x, direction * step, [&](int n, Index y) {
      v[n] *= factor * weight.low[y & mask] * weight.rest[y >> weight.plain_bits];
    });
  }
}

__device__ double sum_of_warp(double value) {
#pragma unroll
  for (int half = 16; half > 0; half /= 2) value += __shfl_down_sync(~0u, value, half);
  return value;
}

/// Ends a product: weights, the previous vector, sums.
/// @param x0 index of the first number @return sum over v(x) other(x)
__device__ double finish(const TileOutput& out, Index x0, Index step, double (&v)[numbers]) {
  weigh<1>(out.weight, x0, step, 1, v);
  double sum = 0;
  if (out.previous != nullptr)
    for_numbers(x0, step, [&](int n, Index y) { v[n] -= out.coefficient * out.previous[y]; });
  if (out.other != nullptr)
    for_numbers(x0, step, [&](int n, Index y) { sum += v[n] * out.other[y]; });
  return sum;
}

/// A warp has equal highest bits: see Places of the bits from 4 on.
__device__ void store_sum(const TileOutput& out, double sum) {
  if (out.other == nullptr) return;
  sum = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) out.sums[(threadIdx.x / 32) * gridDim.x + blockIdx.x] = sum;
}

/// Copies a tile to shared memory while the block goes on. Eight threads copy a chunk.
__device__ void fetch(const PassView& pass, const double* v, Index begin, double* stage) {
  constexpr int at_once = 2, copies = numbers / at_once;
  const Index first = pass.offset_of(at_once * threadIdx.x);
  const Index step = pass.offset_of(at_once * threads);
#pragma unroll
  for (int n = 0; n < copies; ++n)
    __pipeline_memcpy_async(stage + at_once * (threadIdx.x + n * threads),
                            v + begin + first + n * step, at_once * sizeof(double));
}

/// Bytes of shared memory: numbers in exchange, the next tile, its mirror image.
constexpr std::size_t shared_bytes(bool has_mirror) {
  constexpr std::size_t tile = std::size_t{1} << tile_bits;
  return ((has_mirror ? 3 : 2) * tile + tile / 16) * sizeof(double);
}

/// Tiles of 2^12 numbers. While a block multiplies a tile, the next one arrives in shared memory.
/// Blocks that run concurrently have neighbouring tiles, so that they share pages of the memory.
/// BITS: tiles of high bits multiply the bits in ascending order, so that ranks can multiply the
/// highest ones.
template <bool is_first, bool has_mirror, bool is_last>
__global__ void __launch_bounds__(threads, is_first || is_last ? 2 : 3)
    multiply_tiles(const __grid_constant__ PassView pass, const __grid_constant__ TileInput in,
                   const __grid_constant__ TileOutput out) {
  extern __shared__ __align__(16) double shared[];
  double* const stage = shared + (1 << tile_bits) + (1 << (tile_bits - 4));
  double* const image = stage + (1 << tile_bits);
  constexpr int load_bit = is_first ? 8 : 4;
  constexpr int store_bit = is_first || is_last ? 4 : 8;
  const Places load = Places::of(pass, load_bit), store = Places::of(pass, store_bit);
  const Index tiles = pass.tiles();
  const auto begin_of = [&](Index tile) {
    // A tile and its mirror image follow each other, so that the cache holds both.
    if (has_mirror && tiles > 1) tile = tile % 2 == 0 ? tile / 2 : tiles - 1 - tile / 2;
    return pass.begin_of(tile);
  };
  const auto fetch_tile = [&](Index tile) {
    const Index begin = begin_of(tile);
    fetch(pass, in.v, begin, stage);
    // The mirror image of the last element is the first number of its tile.
    if (has_mirror)
      fetch(pass, in.mirror, (begin ^ in.mask) - ((Index{1} << tile_bits) - 1), image);
    __pipeline_commit();
  };
  double sum = 0;
  fetch_tile(blockIdx.x);
  for (Index tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const Index begin = begin_of(tile), first = begin + load.first;
    double x[numbers];
    __pipeline_wait_prior(0);
    __syncthreads();
    const double* const own = stage + element_of(threadIdx.x, 0, load_bit);
#pragma unroll
    for (int n = 0; n < numbers; ++n) x[n] = own[n << load_bit];
    if (is_first) weigh<1>(in.weight, first, load.step, in.a, x);
    if (has_mirror) {
      double y[numbers];
      const double* const last =
          image + ((1 << tile_bits) - 1 - element_of(threadIdx.x, 0, load_bit));
#pragma unroll
      for (int n = 0; n < numbers; ++n) y[n] = last[-(n << load_bit)];
      weigh<-1>(in.mirror_weight, first ^ in.mask, load.step, in.b, y);
#pragma unroll
      for (int n = 0; n < numbers; ++n) x[n] += y[n];
    }
    multiply_bits(pass, load_bit, x);
    __syncthreads();
    if (tile + gridDim.x < tiles) fetch_tile(tile + gridDim.x);
    put<load_bit>(x, shared);
    __syncthreads();
    if (is_first) {
      get<0>(shared, x);
      multiply_bits(pass, 0, x);
      exchange<0, 4>(x, shared);
      multiply_bits(pass, 4, x);
    } else {
      get<8>(shared, x);
      multiply_bits(pass, 8, x);
      if (is_last) exchange<8, store_bit>(x, shared);
    }
    const Index to = begin + store.first;
    if (is_last) sum += finish(out, to, store.step, x);
    for_numbers(to, store.step, [&](int n, Index y) { out.v[y] = x[n]; });
  }
  if (is_last) store_sum(out, sum);
}

/// Multiplies the matrix of a bit that is a bit of the rank: v = a v + b received. @param view the
/// last pass over the states of all ranks, of which this rank has those from `first` on
template <bool is_last>
__global__ void __launch_bounds__(threads, 2)
    combine_ranks(const __grid_constant__ PassView view, Index own, Index first, double a, double b,
                  const double* received, const __grid_constant__ TileOutput out) {
  const Places place = Places::of(view, 4);
  double sum = 0;
  for (Index tile = blockIdx.x; tile < view.tiles(); tile += gridDim.x) {
    const Index x0 = view.begin_of(tile) + place.first - first;
    if (x0 < 0 || x0 >= own) continue;
    double x[numbers];
    for_numbers(x0, place.step,
                [&](int n, Index y) { x[n] = combined(a, out.v[y], b, received[y]); });
    if (is_last) sum += finish(out, x0, place.step, x);
    for_numbers(x0, place.step, [&](int n, Index y) { out.v[y] = x[n]; });
  }
  if (is_last) store_sum(out, sum);
}

/// A vector of fewer than 2^12 numbers.
__global__ void multiply_small(const __grid_constant__ PassView pass,
                               const __grid_constant__ TileInput in,
                               const __grid_constant__ TileOutput out) {
  __shared__ double shared[1 << tile_bits];
  const int elements = 1 << pass.element_bits;
  for (int t = threadIdx.x; t < elements; t += blockDim.x) {
    double u = in.a * in.weight(t) * in.v[t];
    if (in.mirror != nullptr) u += in.b * in.mirror_weight(t ^ in.mask) * in.mirror[t ^ in.mask];
    shared[t] = u;
  }
  for (int bit = 0; bit < pass.element_bits; ++bit) {
    __syncthreads();
    for (int pair = threadIdx.x; pair < elements / 2; pair += blockDim.x) {
      const int t = (pair & ((1 << bit) - 1)) + (pair >> bit << (bit + 1));
      multiply(pass.a[bit], pass.b[bit], shared[t], shared[t + (1 << bit)]);
    }
  }
  __syncthreads();
  for (int t = threadIdx.x; t < elements; t += blockDim.x) out.v[t] = out.weight(t) * shared[t];
}

constexpr int dots_at_once = 4;

/// A block of threads for each block of sums and up to four vectors. @param partial (vector, block)
__global__ void partial_dots(const double* w, const double* const* vectors, int count, Index size,
                             double* partial) {
  __shared__ double shared[dots_at_once * sum_width];
  const int begin = static_cast<int>(blockIdx.y) * dots_at_once;
  const double* v[dots_at_once];
#pragma unroll
  for (int k = 0; k < dots_at_once; ++k) v[k] = vectors[min(begin + k, count - 1)];
  const Index first = Index(blockIdx.x) * sites_of_sum_block;
  std::array<double, dots_at_once> sums{};
#pragma unroll 4
  for (Index i = first + threadIdx.x; i < min(size, first + sites_of_sum_block); i += sum_width) {
    const double number = w[i];
#pragma unroll
    for (int k = 0; k < dots_at_once; ++k) sums[k] += number * v[k][i];
  }
  sums = tree_sums_of_block(sums, shared);
  if (threadIdx.x == 0)
    for (int k = 0; k < min(dots_at_once, count - begin); ++k)
      partial[Index(begin + k) * gridDim.x + blockIdx.x] = sums[k];
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

/// w = factor w - terms, and the square of the new w. A block of threads for each block of sums.
/// @param known number of terms, or 0: any number. A known one lets a thread read ahead.
template <int known>
__global__ void subtract_with_square(double* w, double factor, const __grid_constant__ Terms terms,
                                     Index size, double* partial) {
  __shared__ double shared[sum_width];
  const Index first = Index(blockIdx.x) * sites_of_sum_block;
  double sum = 0;
#pragma unroll 4
  for (Index i = first + threadIdx.x; i < min(size, first + sites_of_sum_block); i += sum_width) {
    double value = factor * w[i];
#pragma unroll
    for (int n = 0; n < (known > 0 ? known : terms.count); ++n)
      value -= terms.coefficient[n] * terms.vector[n][i];
    w[i] = value;
    sum += value * value;
  }
  sum = tree_sum_of_block(sum, shared);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

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

/// The terms from number `first` on, at most `most_vectors`.
Terms terms_of(std::span<const double> coefficients, std::span<const Vector* const> vectors,
               std::size_t first) {
  Terms terms{};
  const std::size_t end = std::min<std::size_t>(vectors.size(), first + most_vectors);
  for (std::size_t n = first; n < end; ++n) {
    terms.coefficient[terms.count] = coefficients[n];
    terms.vector[terms.count++] = vectors[n]->data();
  }
  return terms;
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

__global__ void randomise_elements(double* w, RandomKey key, Index first, Index size) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) w[i] = random_element(key, first + i);
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

using PassKernel = void (*)(const PassView, const TileInput, const TileOutput);

PassKernel kernel_of(bool is_first, bool has_mirror, bool is_last) {
  if (!is_first)
    return is_last ? multiply_tiles<false, false, true> : multiply_tiles<false, false, false>;
  if (has_mirror)
    return is_last ? multiply_tiles<true, true, true> : multiply_tiles<true, true, false>;
  return is_last ? multiply_tiles<true, false, true> : multiply_tiles<true, false, false>;
}

cuda::LaunchShape shape_of(const PassView& pass) {
  return {dim3(static_cast<unsigned>(blocks_of_tiles(pass.tiles()))), threads};
}

/// Sums of equal shares of some numbers.
std::vector<double> added(const Array<double>& partial, Index shares) {
  Array<double> sums(partial.device(), shares);
  cuda::launch(partial.device().ordinal, {dim3(static_cast<unsigned>(shares)), sum_width},
               add_partial_dots, partial.data(), partial.size() / shares, sums.data());
  return sums.to_host();
}

}  // namespace

namespace detail {

void fill_weights_on_gpu(Array<double>& v, const WeightView& weights) {
  cuda::launch(v.device().ordinal, cuda::shape_of(v.size()), write_weights, weights, v.data(),
               v.size());
}

std::vector<double> row_sums_on_gpu(const VectorSpace& space, const RowTerms& terms) {
  const Device& device = space.device();
  const cuda::LaunchRegion region(device.ordinal, "averages of rows");
  const Index blocks = sum_blocks_of(space.own());
  Array<double> partial(device, blocks * RowTerms::count);
  cuda::launch(device.ordinal, {dim3(static_cast<unsigned>(blocks)), sum_width}, sum_row_terms,
               terms, space.own(), partial.data());
  return added(partial, RowTerms::count * space.own_parts());
}

void pass_on_gpu(const Device& device, const PassView& pass, const TileInput& in,
                 const TileOutput& out) {
  const cuda::LaunchRegion region(device.ordinal, "transfer matrix");
  if (pass.bits < tile_bits)
    return cuda::launch(device.ordinal, {dim3(1), threads}, multiply_small, pass, in, out);
  const bool has_mirror = pass.first_bit == 0 && in.mirror != nullptr;
  cuda::LaunchShape shape = shape_of(pass);
  shape.shared_bytes = shared_bytes(has_mirror);
  const auto kernel = kernel_of(pass.first_bit == 0, has_mirror, out.is_last);
  cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(shape.shared_bytes)),
              "choosing shared memory");
  cuda::launch(device.ordinal, shape, kernel, pass, in, out);
}

void combine_on_gpu(const VectorSpace& space, const PassView& view, double a, double b,
                    const Vector& received, const TileOutput& out) {
  const Device& device = space.device();
  const cuda::LaunchRegion region(device.ordinal, "transfer matrix");
  cuda::launch(device.ordinal, shape_of(view),
               out.is_last ? combine_ranks<true> : combine_ranks<false>, view, space.own(),
               space.first(), a, b, received.data(), out);
}

std::vector<double> sums_on_gpu(const VectorSpace& space, const Vector& sums) {
  const std::vector<double> by_warp = added(sums, parts);
  const Index own = space.own_parts();
  if (own * space.ranks() == parts)
    return {by_warp.begin() + space.rank() * own, by_warp.begin() + (space.rank() + 1) * own};
  return {tree_sum(parts, [&](Index part) { return by_warp[static_cast<std::size_t>(part)]; })};
}

std::vector<double> dots_on_gpu(const VectorSpace& space, const Vector& w,
                                std::span<const Vector* const> vectors) {
  const Device& device = w.device();
  const cuda::LaunchRegion region(device.ordinal, "dot products");
  std::vector<const double*> pointers;
  for (const Vector* v : vectors) pointers.push_back(v->data());
  const Array<const double*> on_gpu(device, pointers);
  const Index blocks = sum_blocks_of(w.size()), count = std::ssize(vectors);
  Array<double> partial(device, blocks * count);
  const Index rows = (count + dots_at_once - 1) / dots_at_once;
  cuda::launch(
      device.ordinal, {dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(rows)), sum_width},
      partial_dots, w.data(), on_gpu.data(), static_cast<int>(count), w.size(), partial.data());
  return added(partial, count * space.own_parts());
}

std::vector<double> subtract_and_square_on_gpu(const VectorSpace& space, Vector& w, double factor,
                                               std::span<const double> coefficients,
                                               std::span<const Vector* const> vectors) {
  const Device& device = w.device();
  const cuda::LaunchRegion region(device.ordinal, "linear combinations");
  Array<double> partial(device, sum_blocks_of(w.size()));
  const auto kernel = vectors.size() == 1   ? subtract_with_square<1>
                      : vectors.size() == 2 ? subtract_with_square<2>
                                            : subtract_with_square<0>;
  cuda::launch(device.ordinal, {dim3(static_cast<unsigned>(partial.size())), sum_width}, kernel,
               w.data(), factor, terms_of(coefficients, vectors, 0), w.size(), partial.data());
  return added(partial, space.own_parts());
}

void subtract_on_gpu(Vector& w, std::span<const double> coefficients,
                     std::span<const Vector* const> vectors) {
  const Device& device = w.device();
  const cuda::LaunchRegion region(device.ordinal, "linear combinations");
  for (std::size_t first = 0; first < vectors.size(); first += most_vectors)
    cuda::launch(device.ordinal, cuda::shape_of(w.size()), subtract_terms, w.data(),
                 terms_of(coefficients, vectors, first), w.size());
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

void randomise_on_gpu(Vector& w, const RandomKey& key, Index first) {
  cuda::launch(w.device().ordinal, cuda::shape_of(w.size()), randomise_elements, w.data(), key,
               first, w.size());
}

}  // namespace detail
}  // namespace larmor::transfer
