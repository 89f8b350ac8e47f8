#pragma once
// The CUDA part of core/simd/for_each.hpp: one thread per (site, replica), replicas fastest. Files
// that define LARMOR_ONLY_ON_GPU never run on the CPU, so its loops are not compiled.

#include <cuda_runtime.h>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/simd/for_each.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {
namespace detail {

inline void check_cuda(cudaError_t status) { cuda::check(status, "starting a kernel"); }

inline constexpr int block_threads = 256;  // BITS: the division of sums depends on it

/// Number of (site, replica) pairs of an extent, including padded lanes.
inline Index threads_of(const Extent& extent) {
  const Index sites = extent.last_site - extent.first_site;
  const Index lanes =
      extent.layout.one_replica() ? 1 : lane_count * (extent.last_block - extent.first_block);
  return sites > 0 && lanes > 0 ? sites * lanes : 0;
}

inline unsigned blocks_for(Index threads) {
  return static_cast<unsigned>((threads + block_threads - 1) / block_threads);
}

/// Thread `i` of an extent as a slot: the lane of the replica block runs fastest.
template <class Numbers>
__device__ bool slot_of_thread(const Extent& extent, Index i, ScalarSlot<Numbers>& at) {
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

template <class Numbers, class Functor>
__global__ void for_each_kernel(Extent extent, Functor functor) {
  ScalarSlot<Numbers> at;
  if (slot_of_thread(extent, Index(blockIdx.x) * blockDim.x + threadIdx.x, at)) functor(at);
}

/// Adds the counts of a block of threads, by lane, to `counts`. They are whole numbers, so the
/// order does not matter.
template <class Numbers, class Functor>
__global__ void count_kernel(Extent extent, Functor functor, unsigned long long* counts) {
  ScalarSlot<Numbers> at;
  const bool inside = slot_of_thread(extent, Index(blockIdx.x) * blockDim.x + threadIdx.x, at);
  const bool one = inside && functor(at).value[0] > 0;
  if (extent.layout.one_replica()) {
    const int total = __syncthreads_count(one);
    if (threadIdx.x == 0) atomicAdd(counts, static_cast<unsigned long long>(total));
    return;
  }
  constexpr unsigned warp = 0xffffffffu, same_lane = 0x01010101u;
  const unsigned ballot = __ballot_sync(warp, one);
  // Most warps hold four sites of the same eight replicas.
  if (__all_sync(warp, at.replica / lane_count == __shfl_sync(warp, at.replica, 0) / lane_count)) {
    const unsigned lane = threadIdx.x % lane_count;
    if (threadIdx.x % 32 < lane_count && inside)
      atomicAdd(counts + at.replica,
                static_cast<unsigned long long>(__popc(ballot & (same_lane << lane))));
  } else if (one) {
    atomicAdd(counts + at.replica, 1ull);
  }
}

/// BITS: sites that a block of threads sums for each of its lanes.
inline constexpr int sites_of_thread = 4;

/// Partial sums [first, last) of `all`.
struct PartialSums {
  Index first, last, all;
  LARMOR_HD Index count() const { return last - first; }
};

/// A functor of sums may set `resident_blocks`, the number of thread blocks that must fit on a
/// multiprocessor. This limits the registers of each thread.
template <class Functor>
concept limits_registers = requires {
  Functor::resident_blocks;
};

/// A functor of sums may set `backwards = true`. Its kernel then goes from the last sites of the
/// last replicas to the first. So it begins with data that the previous kernel left in the cache.
template <class Functor>
constexpr bool goes_backwards() {
  if constexpr (requires { Functor::backwards; })
    return Functor::backwards;
  else
    return false;
}

/// BITS: partial sums over sites, (replica block, partial sum, K, 8), in an order that depends only
/// on the sizes. A block of threads computes one of them. For one replica the lanes share the
/// sites.
template <class Numbers, int K, int Maxima, class Functor>
__device__ void add_partial_sum(const Extent& extent, const PartialSums& owned,
                                const Functor& functor, double* partial) {
  const Index place = goes_backwards<Functor>() ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  const Index number = owned.first + place % owned.count();
  const Index relative_block = place / owned.count();
  const Index block = extent.first_block + relative_block;
  const bool one = extent.layout.one_replica();
  const Index lane = threadIdx.x % lane_count;
  using Joined = Sums<double, K, Maxima>;
  double sums[K] = {};
  for (int n = 0; n < sites_of_thread; ++n) {
    const Index thread = (number * sites_of_thread + n) * block_threads + threadIdx.x;
    const Index site = extent.first_site + (one ? thread : thread / lane_count);
    if (site >= extent.last_site) break;
    const auto term = functor(ScalarSlot<Numbers>{site, one ? 0 : block * lane_count + lane});
    for (int k = 0; k < K; ++k)
      sums[k] = Joined::joined(k, sums[k], static_cast<double>(term.value[k]));
  }
  __shared__ double shared[K][block_threads];
  for (int k = 0; k < K; ++k) shared[k][threadIdx.x] = sums[k];
  for (int half = block_threads / 2; half >= lane_count; half /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half)
      for (int k = 0; k < K; ++k)
        shared[k][threadIdx.x] =
            Joined::joined(k, shared[k][threadIdx.x], shared[k][threadIdx.x + half]);
  }
  if (threadIdx.x < lane_count)
    for (int k = 0; k < K; ++k)
      partial[((relative_block * owned.all + number) * K + k) * lane_count + threadIdx.x] =
          shared[k][threadIdx.x];
}

template <class Numbers, int K, int Maxima, class Functor>
__global__ void partial_sums_kernel(Extent extent, PartialSums owned, Functor functor,
                                    double* partial) {
  add_partial_sum<Numbers, K, Maxima>(extent, owned, functor, partial);
}
template <class Numbers, int K, int Maxima, limits_registers Functor>
__global__ void __launch_bounds__(block_threads, Functor::resident_blocks)
    limited_partial_sums_kernel(Extent extent, PartialSums owned, Functor functor,
                                double* partial) {
  add_partial_sum<Numbers, K, Maxima>(extent, owned, functor, partial);
}

template <class Numbers, int K, int Maxima, class Functor>
auto partial_sums_kernel_of() {
  if constexpr (limits_registers<Functor>)
    return limited_partial_sums_kernel<Numbers, K, Maxima, Functor>;
  else
    return partial_sums_kernel<Numbers, K, Maxima, Functor>;
}

/// Each block of threads adds up partial sums, for one number k, one replica block and one sample.
/// @param partials number of these partial sums
/// @param partial (sample, replica block, partial sum, K, 8) @param out (sample, K, padded
/// replicas)
template <int K, int Maxima = 0>
__global__ void total_sums_kernel(Extent extent, Index partials, const double* partial,
                                  double* out) {
  const Index block = blockIdx.x / K, k = blockIdx.x % K;
  partial += blockIdx.y * (gridDim.x * partials * lane_count);
  out += blockIdx.y * (K * extent.layout.padded_replicas());
  const Index lane = threadIdx.x % lane_count;
  using Joined = Sums<double, K, Maxima>;
  const int number = static_cast<int>(k);
  double sum = 0;
  for (Index p = threadIdx.x / lane_count; p < partials; p += block_threads / lane_count)
    sum =
        Joined::joined(number, sum, partial[((block * partials + p) * K + k) * lane_count + lane]);
  __shared__ double shared[block_threads];
  shared[threadIdx.x] = sum;
  const bool one = extent.layout.one_replica();
  for (int half = block_threads / 2; half >= (one ? 1 : lane_count); half /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half)
      shared[threadIdx.x] = Joined::joined(number, shared[threadIdx.x], shared[threadIdx.x + half]);
  }
  const Index padded = extent.layout.padded_replicas();
  if (one && threadIdx.x == 0) out[k] = shared[0];
  if (!one && threadIdx.x < lane_count)
    out[k * padded + (extent.first_block + block) * lane_count + threadIdx.x] = shared[threadIdx.x];
}

/// Calls body(Numbers{}) for the numbers of the device's precision.
template <class Body>
void with_cuda_numbers(const Device& device, const Body& body) {
  switch (device.precision) {
    case Precision::double_numbers:
      return body(DoubleNumbers{});
    case Precision::single_numbers:
      return body(SingleNumbers{});
    case Precision::mixed_numbers:
      return body(MixedNumbers{});
  }
}

/// Calls body(sums) for the partial sums of an extent whose first site this process owns.
/// @param sites_of_partial sites of a partial sum
template <class Body>
void for_each_owned_partial(const Extent& extent, Index sites_of_partial, const Body& body) {
  const auto from = [&](Index site) {
    return (site - extent.first_site + sites_of_partial - 1) / sites_of_partial;
  };
  const Index all = from(extent.last_site);
  for_each_owned(extent, [&](const Extent& owned) {
    const PartialSums sums{from(owned.first_site), from(owned.last_site), all};
    if (sums.count() > 0) body(sums);
  });
}

/// Sums over the sites of an extent. @param out on the device (K, padded replicas)
template <class Functor>
void reduce_cuda(const Device& device, const Extent& extent, const Functor& functor, double* out) {
  using Result = decltype(functor(ScalarSlot<>{}));
  constexpr int K = Result::count;
  const Index sites = extent.last_site - extent.first_site;
  const Index blocks = extent.last_block - extent.first_block;
  if (sites <= 0 || blocks <= 0) return;
  const Index sites_of_partial =
      sites_of_thread * block_threads / (extent.layout.one_replica() ? 1 : lane_count);
  const Index partials = (sites + sites_of_partial - 1) / sites_of_partial;
  const cudaStream_t stream = cuda::stream(device.ordinal);
  const cuda::LaunchRegion region(device.ordinal, typeid(Functor));
  const cuda::Scratch scratch(
      device.ordinal,
      static_cast<std::size_t>(blocks * partials * K * lane_count) * sizeof(double));
  double* partial = scratch.as<double>();
  const Index count = blocks * partials * K * lane_count;
  const Domain* domain = extent.layout.domain;
  if (domain != nullptr)
    check_cuda(
        cudaMemsetAsync(partial, 0, static_cast<std::size_t>(count) * sizeof(double), stream));
  for_each_owned_partial(extent, sites_of_partial, [&](const PartialSums& owned) {
    with_cuda_numbers(device, [&](auto numbers) {
      cuda::launch(stream, {dim3(static_cast<unsigned>(blocks * owned.count())), block_threads},
                   partial_sums_kernel_of<decltype(numbers), K, Result::maxima, Functor>(), extent,
                   owned, functor, partial);
    });
  });
  if (domain != nullptr) domain->add_up_on_device(domain->context, partial, count);
  cuda::launch(stream, {dim3(static_cast<unsigned>(blocks * K)), block_threads},
               total_sums_kernel<K, Result::maxima>, extent, partials, partial, out);
}

}  // namespace detail

template <class Functor>
void for_each(const Device& device, const Extent& extent, const Functor& functor) {
#if !defined(LARMOR_ONLY_ON_GPU)
  if (device.backend == Backend::cpu) {
    for_each_owned(extent, [&](const Extent& owned) {
      detail::with_cpu_numbers(device, [&](auto numbers) {
        detail::for_each_cpu<decltype(numbers)>(device, owned, functor);
      });
    });
    return;
  }
#endif
  const cudaStream_t stream = cuda::stream(device.ordinal);
  for_each_owned(extent, [&](const Extent& owned) {
    const Index threads = detail::threads_of(owned);
    if (threads == 0) return;
    const cuda::LaunchRegion region(device.ordinal, typeid(Functor));
    detail::with_cuda_numbers(device, [&](auto numbers) {
      cuda::launch(stream, cuda::shape_of(threads, 1, detail::block_threads),
                   detail::for_each_kernel<decltype(numbers), Functor>, owned, functor);
    });
  });
}

template <class Functor>
void reduce_into(const Device& device, const Extent& extent, const Functor& functor, double* sums) {
#if !defined(LARMOR_ONLY_ON_GPU)
  if (device.backend == Backend::cpu) {
    const std::vector<double> totals = detail::reduce_cpu(device, extent, functor);
    for (std::size_t i = 0; i < totals.size(); ++i) sums[i] = totals[i];
    return;
  }
#endif
  constexpr int K = decltype(functor(ScalarSlot<>{}))::count;
  const auto bytes = static_cast<std::size_t>(K * extent.layout.padded_replicas()) * sizeof(double);
  // The sums of replicas outside the extent are zero.
  const bool writes_every_sum = extent.first_block == 0 &&
                                extent.last_block == extent.layout.blocks() &&
                                extent.first_site < extent.last_site;
  if (!writes_every_sum)
    detail::check_cuda(cudaMemsetAsync(sums, 0, bytes, cuda::stream(device.ordinal)));
  detail::reduce_cuda(device, extent, functor, sums);
}

template <class Functor>
Pending reduce_async(const Device& device, const Extent& extent, const Functor& functor) {
#if !defined(LARMOR_ONLY_ON_GPU)
  if (device.backend == Backend::cpu) return Pending(detail::reduce_cpu(device, extent, functor));
#endif
  constexpr int K = decltype(functor(ScalarSlot<>{}))::count;
  const Index count = K * extent.layout.padded_replicas();
  const cuda::Scratch out(device.ordinal, static_cast<std::size_t>(count) * sizeof(double));
  reduce_into(device, extent, functor, out.as<double>());
  return {device, out.as<double>(), count};
}

template <class Functor>
std::vector<double> reduce(const Device& device, const Extent& extent, const Functor& functor) {
  return reduce_async(device, extent, functor).take();
}

template <class Functor>
void count(const Device& device, const Extent& extent, const Functor& functor,
           std::uint64_t* counts) {
#if !defined(LARMOR_ONLY_ON_GPU)
  if (device.backend == Backend::cpu) {
    detail::count_cpu(device, extent, functor, counts);
    return;
  }
#endif
  const cudaStream_t stream = cuda::stream(device.ordinal);
  static_assert(sizeof(std::uint64_t) == sizeof(unsigned long long));
  for_each_owned(extent, [&](const Extent& owned) {
    const Index threads = detail::threads_of(owned);
    if (threads == 0) return;
    const cuda::LaunchRegion region(device.ordinal, typeid(Functor));
    detail::with_cuda_numbers(device, [&](auto numbers) {
      cuda::launch(stream, cuda::shape_of(threads, 1, detail::block_threads),
                   detail::count_kernel<decltype(numbers), Functor>, owned, functor,
                   reinterpret_cast<unsigned long long*>(counts));
    });
  });
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
