#pragma once
// The CUDA side of core/for_each.hpp: a thread a (site, replica), replicas side by side.

#include <cuda_runtime.h>

#include <string>

#include "larmor/core/array.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/for_each.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {
namespace detail {

inline void check_cuda(cudaError_t status) {
  if (status != cudaSuccess)
    throw MachineError(std::string("CUDA kernel: ") + cudaGetErrorString(status));
}

/// Thread `i` of an extent as a slot: the lane of the replica block runs fastest.
__device__ inline bool slot_of_thread(const Extent& extent, Index i, Single& at) {
  const Index sites = extent.last_site - extent.first_site;
  if (extent.layout.one_replica()) {
    at = {extent.first_site + i, 0};
    return i < sites;
  }
  const Index lane = i % lane_count;
  const Index rest = i / lane_count;
  at = {extent.first_site + rest % sites, (extent.first_block + rest / sites) * lane_count + lane};
  return rest / sites < extent.last_block - extent.first_block;
}

template <class Functor>
__global__ void for_each_kernel(Extent extent, Functor functor) {
  Single at;
  if (slot_of_thread(extent, Index(blockIdx.x) * blockDim.x + threadIdx.x, at)) functor(at);
}

/// Partial sums of one chunk and lane, in the order of the CPU version. (chunk, K, 8) an extent
/// block.
template <class Functor, int K>
__global__ void partial_sums_kernel(Extent extent, Index block, Index begin, Index end,
                                    Functor functor, double* partial) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  const Index chunk = i / lane_count;
  const Index lane = i % lane_count;
  const Index from = begin + chunk * reduction_chunk;
  if (from >= end) return;
  const Index to = from + reduction_chunk < end ? from + reduction_chunk : end;
  Sums<double, K> sums{};
  for (Index slot = from; slot < to; ++slot) {
    Single at{slot, block * lane_count + lane};
    if (extent.layout.one_replica()) {
      at = {slot * lane_count + lane, 0};
      if (at.site < extent.first_site || at.site >= extent.last_site) continue;
    }
    const Sums<double, K> term = functor(at);
    for (int k = 0; k < K; ++k) sums.value[k] += term.value[k];
  }
  for (int k = 0; k < K; ++k) partial[(chunk * K + k) * lane_count + lane] = sums.value[k];
}

template <int K>
__global__ void total_sums_kernel(Index chunks, const double* partial, double* out) {
  const int i = threadIdx.x;
  if (i >= K * lane_count) return;
  double total = 0.0;
  for (Index chunk = 0; chunk < chunks; ++chunk) total += partial[chunk * K * lane_count + i];
  out[i] = total;
}

template <class Functor>
std::vector<double> reduce_cuda(const Device& device, const Extent& extent,
                                const Functor& functor) {
  constexpr int K = decltype(functor(Single{}))::count;
  const bool one = extent.layout.one_replica();
  const Index begin = one ? first_group(extent) : extent.first_site;
  const Index end = one ? last_group(extent) : extent.last_site;
  const Index chunks = (end - begin + reduction_chunk - 1) / reduction_chunk;
  const Index padded = extent.layout.padded_replicas();
  Array<double> partial(device, chunks * K * lane_count);
  Array<double> out(device, K * lane_count);
  std::vector<double> totals(static_cast<std::size_t>(K * padded));
  constexpr int threads = 128;
  for (Index block = extent.first_block; block < extent.last_block && chunks > 0; ++block) {
    const auto grid = static_cast<unsigned>((chunks * lane_count + threads - 1) / threads);
    partial_sums_kernel<Functor, K>
        <<<grid, threads>>>(extent, block, begin, end, functor, partial.data());
    total_sums_kernel<K><<<1, K * lane_count>>>(chunks, partial.data(), out.data());
    check_cuda(cudaGetLastError());
    const std::vector<double> lanes = out.to_host();
    for (int k = 0; k < K; ++k)
      for (int l = 0; l < lane_count; ++l) {
        const double sum = lanes[static_cast<std::size_t>(k * lane_count + l)];
        if (one) {
          totals[static_cast<std::size_t>(k)] += sum;
        } else {
          totals[static_cast<std::size_t>(k * padded + block * lane_count + l)] = sum;
        }
      }
  }
  return totals;
}

}  // namespace detail

template <class Functor>
void for_each(const Device& device, const Extent& extent, const Functor& functor) {
  if (device.backend == Backend::cpu) {
    detail::for_each_cpu(device, extent, functor);
    return;
  }
  const Index sites = extent.last_site - extent.first_site;
  const Index lanes =
      extent.layout.one_replica() ? 1 : lane_count * (extent.last_block - extent.first_block);
  if (sites <= 0 || lanes <= 0) return;
  constexpr int threads = 256;
  detail::check_cuda(cudaSetDevice(device.ordinal));
  const auto grid = static_cast<unsigned>((sites * lanes + threads - 1) / threads);
  detail::for_each_kernel<<<grid, threads>>>(extent, functor);
  detail::check_cuda(cudaGetLastError());
}

template <class Functor>
std::vector<double> reduce(const Device& device, const Extent& extent, const Functor& functor) {
  if (device.backend == Backend::cpu) return detail::reduce_cpu(device, extent, functor);
  detail::check_cuda(cudaSetDevice(device.ordinal));
  return detail::reduce_cuda(device, extent, functor);
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
