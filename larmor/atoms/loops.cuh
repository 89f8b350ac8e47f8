#pragma once
// The kernels of loops.hpp.

#include <cuda_runtime.h>

#include <algorithm>
#include <typeinfo>

#include "larmor/atoms/loops.hpp"
#include "larmor/clusters/gpu_sums.cuh"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"

namespace larmor::atoms {

inline constexpr int loop_width = 256;

/// Blocks along x: pieces; along y: parts of a piece.
template <class Body>
__global__ void __launch_bounds__(loop_width)
    atoms_kernel(const __grid_constant__ LayoutView layout, const __grid_constant__ Body body) {
  const AtomPiece piece = layout.pieces[blockIdx.x];
  const Index atom = piece.first + Index(blockIdx.y) * loop_width + threadIdx.x;
  if (atom < piece.last) body(piece.replica, atom);
}

template <class Body>
__global__ void __launch_bounds__(loop_width)
    replicas_kernel(Index replicas, const __grid_constant__ Body body) {
  const Index replica = Index(blockIdx.x) * loop_width + threadIdx.x;
  if (replica < replicas) body(replica);
}

/// A block sums a piece.
template <std::size_t K, class Term>
__global__ void __launch_bounds__(clusters::sum_width)
    piece_sums_kernel(const __grid_constant__ LayoutView layout, const __grid_constant__ Term term,
                      double* of_piece) {
  __shared__ double shared[clusters::sum_width];
  const AtomPiece piece = layout.pieces[blockIdx.x];
  double partial[K] = {};
  for (Index atom = piece.first + threadIdx.x; atom < piece.last; atom += clusters::sum_width) {
    const std::array<double, K> numbers = term(atom);
#pragma unroll
    for (std::size_t k = 0; k < K; ++k) partial[k] += numbers[k];
  }
#pragma unroll
  for (std::size_t k = 0; k < K; ++k) {
    const double sum = clusters::tree_sum_of_block(partial[k], shared);
    if (threadIdx.x == 0) of_piece[blockIdx.x * K + k] = sum;
  }
}

/// A block sums the pieces of a replica.
template <std::size_t K>
__global__ void __launch_bounds__(clusters::sum_width)
    replica_sums_kernel(const __grid_constant__ LayoutView layout, const double* of_piece,
                        double* sums) {
  __shared__ double shared[clusters::sum_width];
  const Index replica = blockIdx.x;
  const Index first = layout.first_piece[replica], last = layout.first_piece[replica + 1];
  for (std::size_t k = 0; k < K; ++k) {
    double partial = 0;
    for (Index piece = first + threadIdx.x; piece < last; piece += clusters::sum_width)
      partial += of_piece[static_cast<std::size_t>(piece) * K + k];
    const double sum = clusters::tree_sum_of_block(partial, shared);
    if (threadIdx.x == 0) sums[static_cast<std::size_t>(replica) * K + k] = sum;
  }
}

inline unsigned loop_blocks(Index threads) {
  return static_cast<unsigned>((threads + loop_width - 1) / loop_width);
}

template <class Body>
void for_each_atom_on_gpu(const Device& device, const LayoutView& layout, const Body& body) {
  if (layout.piece_count == 0) return;
  const cuda::LaunchRegion region(device.ordinal, typeid(Body));
  const dim3 blocks(static_cast<unsigned>(layout.piece_count), loop_blocks(layout.longest_piece));
  atoms_kernel<<<blocks, loop_width, 0, cuda::stream(device.ordinal)>>>(layout, body);
  cuda::check(cudaGetLastError(), "starting a kernel");
}

template <class Body>
void for_each_replica_on_gpu(const Device& device, Index replicas, const Body& body) {
  if (replicas == 0) return;
  const cuda::LaunchRegion region(device.ordinal, typeid(Body));
  replicas_kernel<<<loop_blocks(replicas), loop_width, 0, cuda::stream(device.ordinal)>>>(replicas,
                                                                                          body);
  cuda::check(cudaGetLastError(), "starting a kernel");
}

template <std::size_t K, class Term>
void sum_replicas_on_gpu(const Device& device, const LayoutView& layout, const Term& term,
                         std::array<double, K>* sums) {
  if (layout.replicas == 0) return;
  const cuda::LaunchRegion region(device.ordinal, typeid(Term));
  const auto stream = cuda::stream(device.ordinal);
  const auto pieces = static_cast<unsigned>(layout.piece_count);
  auto* const out = reinterpret_cast<double*>(sums);
  if (layout.piece_count == layout.replicas) {  // A piece has the sum of its replica.
    piece_sums_kernel<K><<<pieces, clusters::sum_width, 0, stream>>>(layout, term, out);
  } else {
    const cuda::Scratch of_piece(device.ordinal, pieces * sizeof(std::array<double, K>));
    piece_sums_kernel<K>
        <<<pieces, clusters::sum_width, 0, stream>>>(layout, term, of_piece.as<double>());
    replica_sums_kernel<K>
        <<<static_cast<unsigned>(layout.replicas), clusters::sum_width, 0, stream>>>(
            layout, of_piece.as<double>(), out);
  }
  cuda::check(cudaGetLastError(), "starting a kernel");
}

}  // namespace larmor::atoms
