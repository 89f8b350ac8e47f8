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

/// Grid: x is the atom block, y is the number of the block of threads within the atom block.
template <class Body>
__global__ void __launch_bounds__(loop_width)
    atoms_kernel(const __grid_constant__ LayoutView layout, const __grid_constant__ Body body) {
  cuda::let_successor_begin_and_wait();
  const AtomBlock atom_block = layout.atom_blocks[blockIdx.x];
  const Index atom = atom_block.first + Index(blockIdx.y) * loop_width + threadIdx.x;
  if (atom < atom_block.last) body(atom_block.replica, atom);
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

/// A block of threads sums the terms of an atom block.
template <std::size_t K, class Term, class Store>
__global__ void __launch_bounds__(sum_width)
    atom_block_sums_kernel(const __grid_constant__ LayoutView layout,
                           const __grid_constant__ Term term, const __grid_constant__ Store store) {
  __shared__ double shared[K * sum_width];
  cuda::let_successor_begin_and_wait();
  const AtomBlock atom_block = layout.atom_blocks[blockIdx.x];
  std::array<double, K> partial{};
  for (Index atom = atom_block.first + threadIdx.x; atom < atom_block.last; atom += sum_width) {
    const std::array<double, K> numbers = term(atom);
#pragma unroll
    for (std::size_t k = 0; k < K; ++k) partial[k] += numbers[k];
  }
  const std::array<double, K> sum = tree_sums_of_block<K>(partial, shared);
  if (threadIdx.x == 0) store(blockIdx.x, sum);
}

/// A block of threads adds the partial sums of a replica's atom blocks.
template <std::size_t K, class Store>
__global__ void __launch_bounds__(sum_width)
    replica_sums_kernel(const __grid_constant__ LayoutView layout,
                        const std::array<double, K>* partial_sums,
                        const __grid_constant__ Store store) {
  __shared__ double shared[K * sum_width];
  cuda::let_successor_begin_and_wait();
  const Index replica = blockIdx.x;
  const Index first = layout.first_atom_block[replica], last = layout.first_atom_block[replica + 1];
  std::array<double, K> partial{};
  for (Index atom_block = first + threadIdx.x; atom_block < last; atom_block += sum_width) {
#pragma unroll
    for (std::size_t k = 0; k < K; ++k) partial[k] += partial_sums[atom_block][k];
  }
  const std::array<double, K> sum = tree_sums_of_block<K>(partial, shared);
  if (threadIdx.x == 0) store(replica, sum);
}

inline unsigned loop_blocks(Index threads) {
  return static_cast<unsigned>((threads + loop_width - 1) / loop_width);
}

template <class Body>
void for_each_atom_on_gpu(const Device& device, const LayoutView& layout, const Body& body) {
  if (layout.atom_block_count == 0) return;
  const cuda::LaunchRegion region(device.ordinal, typeid(Body));
  const dim3 blocks(static_cast<unsigned>(layout.atom_block_count),
                    loop_blocks(layout.longest_atom_block));
  cuda::launch_early(device.ordinal, atoms_kernel<Body>, blocks, loop_width, 0, layout, body);
}

template <class Body>
void for_each_replica_on_gpu(const Device& device, Index replicas, const Body& body) {
  if (replicas == 0) return;
  const cuda::LaunchRegion region(device.ordinal, typeid(Body));
  cuda::launch_early(device.ordinal, replicas_kernel<Body>, loop_blocks(replicas), loop_width, 0,
                     replicas, body);
}

/// @param store (replica, sums), called with the sums of each replica
template <std::size_t K, class Term, class Store>
void store_replica_sums_on_gpu(const Device& device, const LayoutView& layout, const Term& term,
                               const Store& store) {
  if (layout.replicas == 0) return;
  const cuda::LaunchRegion region(device.ordinal, typeid(Term));
  const auto blocks = static_cast<unsigned>(layout.atom_block_count);
  if (layout.atom_block_count == layout.replicas) {  // An atom block is a whole replica.
    cuda::launch_early(device.ordinal, atom_block_sums_kernel<K, Term, Store>, blocks, sum_width, 0,
                       layout, term, store);
    return;
  }
  using Sums = std::array<double, K>;
  const cuda::Scratch partial_sums(device.ordinal, blocks * sizeof(Sums));
  cuda::launch_early(device.ordinal, atom_block_sums_kernel<K, Term, StoreSums<K>>, blocks,
                     sum_width, 0, layout, term, StoreSums<K>{partial_sums.as<Sums>()});
  cuda::launch_early(device.ordinal, replica_sums_kernel<K, Store>,
                     static_cast<unsigned>(layout.replicas), sum_width, 0, layout,
                     partial_sums.as<Sums>(), store);
}

template <std::size_t K, class Term>
void sum_replicas_on_gpu(const Device& device, const LayoutView& layout, const Term& term,
                         std::array<double, K>* sums) {
  store_replica_sums_on_gpu<K>(device, layout, term, StoreSums<K>{sums});
}

}  // namespace larmor::atoms
