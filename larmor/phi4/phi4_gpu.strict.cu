// This file is compiled without fused multiplication, so that results agree with those of a CPU.

#include <cuda_runtime.h>

#include "larmor/clusters/reflection_gpu.cuh"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/block_sums.cuh"
#include "larmor/phi4/phi4_gpu.hpp"
#include "larmor/phi4/with_components.hpp"

namespace larmor::phi4 {
namespace {

/// Updates the sites of one colour. @param accepted number of accepted trials, added to; null: not
/// counted [replicas]
template <class Update>
__global__ void update_colour(const __grid_constant__ Update update, const std::uint32_t* sites,
                              Index count, unsigned long long* accepted) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  for (Index replica = blockIdx.y; replica < update.view.replicas; replica += gridDim.y) {
    const bool is_accepted = n < count && update(sites[n], replica);
    if (accepted == nullptr) continue;
    const int of_block = __syncthreads_count(is_accepted);
    if (threadIdx.x == 0 && of_block > 0)
      atomicAdd(accepted + replica, static_cast<unsigned long long>(of_block));
  }
}

template <class Update>
void sweep(const Device& device, Update update, const ColouredSites& sites, Index sweeps,
           std::uint64_t* accepted) {
  for (Index n = 0; n < sweeps; ++n) {
    for (std::size_t c = 0; c + 1 < sites.begin.size(); ++c) {
      const Index count = sites.begin[c + 1] - sites.begin[c];
      if (count == 0) continue;
      cuda::launch(device.ordinal, cuda::shape_of(count, update.view.replicas),
                   update_colour<Update>, update, sites.site + sites.begin[c], count,
                   reinterpret_cast<unsigned long long*>(accepted));
    }
    if constexpr (requires { update.key; }) ++update.key.step;
  }
}

/// Each thread block sums one block of sites. @param partial_sums (replica, block, number)
template <int N>
__global__ void __launch_bounds__(sum_width)
    sum_sites(const __grid_constant__ SiteNumbers<N> numbers, double* partial_sums) {
  constexpr int count = SiteNumbers<N>::count;
  __shared__ double shared[sum_width];
  const Index first = Index(blockIdx.x) * sites_of_sum_block;
  const Index end = first + sites_of_sum_block, all = numbers.view.sites;
  for (Index replica = blockIdx.y; replica < numbers.view.replicas; replica += gridDim.y) {
    double partial[count] = {};
    for (Index site = first + threadIdx.x; site < (end < all ? end : all); site += sum_width)
      numbers(site, replica, partial);
#pragma unroll
    for (int n = 0; n < count; ++n) {
      const double sum = tree_sum_of_block(partial[n], shared);
      if (threadIdx.x == 0) partial_sums[(replica * gridDim.x + blockIdx.x) * count + n] = sum;
    }
  }
}

/// Each thread block sums one number of one replica over the blocks of sites.
__global__ void __launch_bounds__(sum_width)
    add_partial_sums(Index site_blocks, int count, Index replicas, const double* partial_sums,
                     double* sums) {
  __shared__ double shared[sum_width];
  const auto n = static_cast<int>(blockIdx.x);
  for (Index replica = blockIdx.y; replica < replicas; replica += gridDim.y) {
    double partial = 0;
    for (Index block = threadIdx.x; block < site_blocks; block += sum_width)
      partial += partial_sums[(replica * site_blocks + block) * count + n];
    const double sum = tree_sum_of_block(partial, shared);
    if (threadIdx.x == 0) sums[replica * count + n] = sum;
  }
}

__global__ void store_bond_energies(const double* sums, int numbers, Index replicas,
                                    double* energy) {
  const Index r = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r < replicas) energy[r] = -2 * sums[r * numbers];
}

template <int N>
__global__ void draw_axes(const __grid_constant__ DrawAxis<N> draw, Index replicas) {
  const Index r = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r < replicas) draw(r);
}

template <int N>
__global__ void project(const __grid_constant__ FieldView view, const float* axis, float* sigma) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= view.sites) return;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y)
    sigma[replica * view.sites + i] =
        dot(load<N>(view, replica, static_cast<std::uint64_t>(i)), axis_of<N>(axis, replica));
}

template <int N>
__global__ void reflect(const __grid_constant__ FieldView view, const float* axis,
                        const __grid_constant__ clusters::ReflectionClusterView clusters_view,
                        const __grid_constant__ clusters::FoundClusters found) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= view.sites) return;
  const auto site = static_cast<std::uint64_t>(i);
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    if (!clusters::is_reflected(clusters_view, found, replica, static_cast<std::uint32_t>(i)))
      continue;
    const float sigma = clusters_view.projections[replica * view.sites + i];
    store(view, replica, site,
          reflected(load<N>(view, replica, site), axis_of<N>(axis, replica), sigma,
                    is_infinite(view.lambda[replica])));
  }
}

}  // namespace

void sweep_on_gpu(const Device& device, const FieldView& view, LocalRule rule, RandomKey key,
                  const double* step_length, const ColouredSites& sites, Index sweeps,
                  std::uint64_t* accepted) {
  const cuda::LaunchRegion region(device.ordinal, "updates of sites");
  with_components(view.components, [&](auto components) {
    constexpr int N = components;
    if (rule == LocalRule::metropolis)
      sweep(device, MetropolisUpdate<N>{view, key, step_length}, sites, sweeps, accepted);
    else if (rule == LocalRule::heat_bath)
      sweep(device, HeatBathUpdate<N>{view, key}, sites, sweeps, accepted);
    else
      sweep(device, OverRelaxation<N>{view}, sites, sweeps, accepted);
  });
}

void sum_on_gpu(const Device& device, const FieldView& view, double* partial_sums, double* sums) {
  const cuda::LaunchRegion region(device.ordinal, "sums over sites");
  const Index site_blocks = sum_blocks_of(view.sites);
  with_components(view.components, [&](auto components) {
    constexpr int N = components;
    cuda::launch(device.ordinal, cuda::shape_of(site_blocks * sum_width, view.replicas, sum_width),
                 sum_sites<N>, SiteNumbers<N>{view}, partial_sums);
  });
  const int count = 3 + view.components;
  cuda::launch(device.ordinal, cuda::shape_of(Index{count} * sum_width, view.replicas, sum_width),
               add_partial_sums, site_blocks, count, view.replicas, partial_sums, sums);
}

void bond_energies_on_gpu(const Device& device, const double* sums, int numbers, Index replicas,
                          double* energy) {
  const cuda::LaunchRegion region(device.ordinal, "energies");
  cuda::launch(device.ordinal, cuda::shape_of(replicas), store_bond_energies, sums, numbers,
               replicas, energy);
}

void draw_axes_on_gpu(const Device& device, const FieldView& view, const RandomKey& key,
                      float* axis) {
  const cuda::LaunchRegion region(device.ordinal, "axes of reflections");
  with_components(view.components, [&](auto components) {
    constexpr int N = components;
    cuda::launch(device.ordinal, cuda::shape_of(view.replicas), draw_axes<N>,
                 DrawAxis<N>{key, axis}, view.replicas);
  });
}

void project_on_gpu(const Device& device, const FieldView& view, const float* axis, float* sigma) {
  const cuda::LaunchRegion region(device.ordinal, "projections");
  with_components(view.components, [&](auto components) {
    constexpr int N = components;
    cuda::launch(device.ordinal, cuda::shape_of(view.sites, view.replicas), project<N>, view, axis,
                 sigma);
  });
}

void reflect_on_gpu(const Device& device, const FieldView& view, const float* axis,
                    const clusters::ReflectionClusterView& clusters_view,
                    const clusters::FoundClusters& found) {
  const cuda::LaunchRegion region(device.ordinal, "reflections");
  with_components(view.components, [&](auto components) {
    constexpr int N = components;
    cuda::launch(device.ordinal, cuda::shape_of(view.sites, view.replicas), reflect<N>, view, axis,
                 clusters_view, found);
  });
}

}  // namespace larmor::phi4
