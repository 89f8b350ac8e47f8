#pragma once
// The CUDA kernels of loops.hpp.

#include <cuda_runtime.h>

#include <algorithm>
#include <typeinfo>

#include "larmor/atoms/system/loops.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/gpu/block_sums.cuh"
#include "larmor/core/gpu/early_launch.cuh"

namespace larmor::atoms {

inline constexpr int loop_width = 256;

/// Thread blocks along x: pieces; along y: blocks within a piece.
template <class Body>
__global__ void __launch_bounds__(loop_width)
    atoms_kernel(const __grid_constant__ LayoutView layout, const __grid_constant__ Body body) {
  cuda::let_successor_begin_and_wait();
  const AtomBlock piece = layout.pieces[blockIdx.x];
  const Index atom = piece.first + Index(blockIdx.y) * loop_width + threadIdx.x;
  if (atom < piece.last) body(piece.replica, atom);
}

template <class Body>
__global__ void __launch_bounds__(loop_width)
    replicas_kernel(Index replicas, const __grid_constant__ Body body) {
  cuda::let_successor_begin_and_wait();
  const Index replica = Index(blockIdx.x) * loop_width + threadIdx.x;
  if (replica < replicas) body(replica);
}

/// Stores the sums of each replica.
template <std::size_t K>
struct StoreSums {
  std::array<double, K>* sums;

  __device__ void operator()(Index n, const std::array<double, K>& sum) const { sums[n] = sum; }
};

/// A thread block sums a piece.
template <std::size_t K, class Term, class Take>
__global__ void __launch_bounds__(sum_width)
    piece_sums_kernel(const __grid_constant__ LayoutView layout, const __grid_constant__ Term term,
                      const __grid_constant__ Take take) {
  __shared__ double shared[K * sum_width];
  cuda::let_successor_begin_and_wait();
  const AtomBlock piece = layout.pieces[blockIdx.x];
  std::array<double, K> partial{};
  for (Index atom = piece.first + threadIdx.x; atom < piece.last; atom += sum_width) {
    const std::array<double, K> numbers = term(atom);
#pragma unroll
    for (std::size_t k = 0; k < K; ++k) partial[k] += numbers[k];
  }
  const std::array<double, K> sum = tree_sums_of_block<K>(partial, shared);
  if (threadIdx.x == 0) take(blockIdx.x, sum);
}

/// A thread block sums the pieces of a replica.
template <std::size_t K, class Take>
__global__ void __launch_bounds__(sum_width)
    replica_sums_kernel(const __grid_constant__ LayoutView layout,
                        const std::array<double, K>* of_piece, const __grid_constant__ Take take) {
  __shared__ double shared[K * sum_width];
  cuda::let_successor_begin_and_wait();
  const Index replica = blockIdx.x;
  const Index first = layout.first_piece[replica], last = layout.first_piece[replica + 1];
  std::array<double, K> partial{};
  for (Index piece = first + threadIdx.x; piece < last; piece += sum_width) {
#pragma unroll
    for (std::size_t k = 0; k < K; ++k) partial[k] += of_piece[piece][k];
  }
  const std::array<double, K> sum = tree_sums_of_block<K>(partial, shared);
  if (threadIdx.x == 0) take(replica, sum);
}

inline unsigned loop_blocks(Index threads) {
  return static_cast<unsigned>((threads + loop_width - 1) / loop_width);
}

template <class Body>
void for_each_atom_on_gpu(const Device& device, const LayoutView& layout, const Body& body) {
  if (layout.piece_count == 0) return;
  const cuda::LaunchRegion region(device.ordinal, typeid(Body));
  const dim3 blocks(static_cast<unsigned>(layout.piece_count), loop_blocks(layout.longest_piece));
  cuda::launch_early(device.ordinal, atoms_kernel<Body>, blocks, loop_width, 0, layout, body);
}

template <class Body>
void for_each_replica_on_gpu(const Device& device, Index replicas, const Body& body) {
  if (replicas == 0) return;
  const cuda::LaunchRegion region(device.ordinal, typeid(Body));
  cuda::launch_early(device.ordinal, replicas_kernel<Body>, loop_blocks(replicas), loop_width, 0,
                     replicas, body);
}

/// @param take (replica, sums), called with the sums of each replica
template <std::size_t K, class Term, class Take>
void take_replica_sums_on_gpu(const Device& device, const LayoutView& layout, const Term& term,
                              const Take& take) {
  if (layout.replicas == 0) return;
  const cuda::LaunchRegion region(device.ordinal, typeid(Term));
  const auto pieces = static_cast<unsigned>(layout.piece_count);
  if (layout.piece_count == layout.replicas) {  // The sum of the piece is that of the replica.
    cuda::launch_early(device.ordinal, piece_sums_kernel<K, Term, Take>, pieces, sum_width, 0,
                       layout, term, take);
    return;
  }
  using Sums = std::array<double, K>;
  const cuda::Scratch of_piece(device.ordinal, pieces * sizeof(Sums));
  cuda::launch_early(device.ordinal, piece_sums_kernel<K, Term, StoreSums<K>>, pieces, sum_width, 0,
                     layout, term, StoreSums<K>{of_piece.as<Sums>()});
  cuda::launch_early(device.ordinal, replica_sums_kernel<K, Take>,
                     static_cast<unsigned>(layout.replicas), sum_width, 0, layout,
                     of_piece.as<Sums>(), take);
}

template <std::size_t K, class Term>
void sum_replicas_on_gpu(const Device& device, const LayoutView& layout, const Term& term,
                         std::array<double, K>* sums) {
  take_replica_sums_on_gpu<K>(device, layout, term, StoreSums<K>{sums});
}

}  // namespace larmor::atoms
