#pragma once
// Y of a tile of atoms. A block of threads copies U of the tile to shared memory, if it fits. Each
// warp computes one coupling group (coupling_plan.hpp) after the other. All terms of a group add to
// one set of elements of Y, which stay in registers.

#include "larmor/atoms/potentials/snap/gpu/coupling_lanes.cuh"

namespace larmor::atoms::snap {

inline constexpr int adjoint_threads = 256;
/// Threads of a block whose tile fills shared memory.
inline constexpr int most_adjoint_threads = 512;

/// Elements of shared memory for a tile.
LARMOR_INLINE Index staged_elements(Index elements, int atoms) { return elements * padded(atoms); }

/// Resets the counter of `next_task`, after all threads of the block have written shared memory.
__device__ inline void reset_counter(int* counter) {
  if (threadIdx.x == 0) *counter = 0;
  __syncthreads();
}

/// U of all channels of the block's tile. Resets the counter of tasks.
/// @param staged is U in shared memory?
template <bool staged, class Product>
__device__ TileOfDensities<Product> densities_of_tile(const GpuView<Product>& view,
                                                      const Work<Product>& work, char* shared,
                                                      int* counter) {
  const Index elements = Index(view.snap.channels) * view.snap.tables.full;
  const Element<Product>* U = work.U + Index(blockIdx.x) * elements * tile;
  auto* to = reinterpret_cast<Element<Product>*>(shared);
  if constexpr (staged)
    for (Index n = threadIdx.x; n < elements * tile; n += blockDim.x)
      to[n / tile * padded(tile) + n % tile] = U[n];
  reset_counter(counter);
  if constexpr (staged) return {to, padded(tile)};
  return {U, tile};
}

/// The number of the warp's next task. The assignment of tasks to warps changes no bit.
__device__ inline int next_task(int* counter, int lane) {
  int task = 0;
  if (lane == 0) task = atomicAdd(counter, 1);
  return __shfl_sync(every_lane, task, 0);
}

/// Coefficients of products for an atom. They are those of its element if the potential is linear.
/// Otherwise each atom has its own coefficients.
template <class Product>
struct ProductCoefficients {
  const Product* first;
  int stride;

  template <class Work>
  __device__ ProductCoefficients(const GpuView<Product>& view, const std::int32_t* type,
                                 const Work& work, int atom) {
    const Index n = Index(blockIdx.x) * tile + atom;
    const Index count = view.products();
    const int element = view.element_of_type[type[work.first + (n < work.atoms ? n : 0)]];
    stride = view.snap.linear ? 1 : tile;
    first = view.snap.linear ? view.product + element * count
                             : work.product + Index(blockIdx.x) * count * tile + atom;
  }
  __device__ Product operator[](int n) const { return first[n * stride]; }
};

template <int layers, bool staged, class Product>
__global__ void __launch_bounds__(most_adjoint_threads)
    find_adjoints(const __grid_constant__ GpuView<Product> view, const std::int32_t* type,
                  const __grid_constant__ Work<Product> work) {
  extern __shared__ __align__(16) char shared[];
  __shared__ int counter;
  const SnapTablesView& t = view.snap.tables;
  const int channels = view.snap.channels, lane = threadIdx.x % warp_size;
  const TileOfDensities<Product> U = densities_of_tile<staged>(view, work, shared, &counter);
  const Index n = Index(blockIdx.x) * tile + lane % tile;
  const ProductCoefficients<Product> coefficient(view, type, work, lane % tile);
  while (true) {
    const int number = next_task(&counter, lane);
    if (number >= view.coupling_groups * channels) return;
    const CouplingGroup group = view.coupling_group[number / channels];
    const int m = number % channels;
    const LaneOfTile role(lane, group.mirrored);
    Complex<Product> Y[layers];
#pragma unroll
    for (int layer = 0; layer < layers; ++layer) Y[layer] = {Product(0), Product(0)};
    for (int k = 0; k < channels; ++k)
      for (int l = 0; l < channels; ++l)
        for (int i = group.begin; i < group.end; ++i) {
          const CouplingTerm term = view.term[i];
          Complex<Product> Z[layers];
          couple_term(view, term, k == l, role, U.of_channel(k, t.full), U.of_channel(l, t.full),
                      Z);
          const int of_term = ((k * channels + l) * channels + m) * t.triples + term.triple;
#pragma unroll
          for (int layer = 0; layer < layers; ++layer)
            if (layer >= term.low && layer < term.high)
              Y[layer] = Y[layer] + coefficient[of_term + layer - term.low] * Z[layer];
        }
#pragma unroll
    for (int layer = 0; layer < layers; ++layer) {
      const int j = group.lowest_j + 2 * layer;
      const int stride = group.mirrored ? 2 * tile : tile;
      const Product re = sum_of_shares(Y[layer].re, stride);
      const Product im = sum_of_shares(Y[layer].im, stride);
      if (j > t.twojmax || n >= work.atoms || role.row != 0) continue;
      const int p = role.mirrored ? -group.p : group.p;
      work.Y[(n * channels + m) * t.half + t.row_start[j][(group.q + j) / 2] + (p + j) / 2] = {re,
                                                                                               im};
    }
  }
}

}  // namespace larmor::atoms::snap
