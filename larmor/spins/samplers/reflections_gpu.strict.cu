// This file is compiled without fused multiplication, so that a GPU decides as the CPU does.

#include "larmor/clusters/reflection_gpu.cuh"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/spins/samplers/reflections_gpu.hpp"

namespace larmor::spins {
namespace {

__global__ void draw_axes(const __grid_constant__ ReflectionView view,
                          const __grid_constant__ RandomKey key) {
  const Index r = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r < view.layout.replicas) draw_axis(view, key, r);
}

/// Calls body(slot) for the slots of a thread in their memory order: adjacent sites of one replica,
/// or eight replicas of a site.
template <class Numbers, class Body>
__device__ void for_slots(const SpinLayout& layout, const Body& body) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (layout.one_replica()) {
    if (n < layout.spins()) body(ScalarSlot<Numbers>{n, 0});
    return;
  }
  const Index site = n / lane_count;
  if (site >= layout.spins()) return;
  for (Index block = blockIdx.y; block < layout.blocks(); block += gridDim.y) {
    const Index replica = block * lane_count + n % lane_count;
    if (replica < layout.replicas) body(ScalarSlot<Numbers>{site, replica});
  }
}

template <class Numbers>
__global__ void project(const __grid_constant__ ReflectionView view, float* sigma) {
  for_slots<Numbers>(view.layout, [&](const ScalarSlot<Numbers>& at) {
    sigma[at.replica * view.layout.spins() + at.site] =
        projection(view, axis_of<typename Numbers::Real>(view, at.replica), at);
  });
}

template <class Numbers>
__global__ void reflect(const __grid_constant__ ReflectionView view,
                        const __grid_constant__ clusters::ReflectionClusterView clusters_view,
                        const __grid_constant__ clusters::FoundClusters found) {
  for_slots<Numbers>(view.layout, [&](const ScalarSlot<Numbers>& at) {
    if (!clusters::is_reflected(clusters_view, found, at.replica,
                                static_cast<std::uint32_t>(at.site)))
      return;
    const VectorView spins(view.spins, view.layout);
    spins.store(at, reflected(spins.load(at), axis_of<typename Numbers::Real>(view, at.replica)));
  });
}

/// The shape of launches that call for_slots.
cuda::LaunchShape shape_for_slots(const SpinLayout& layout) {
  return cuda::shape_of(layout.spins() * (layout.one_replica() ? 1 : lane_count), layout.blocks());
}

template <class Body>
void with_numbers(const Device& device, const Body& body) {
  if (device.precision == Precision::single_numbers)
    body(SingleNumbers{});
  else if (device.precision == Precision::mixed_numbers)
    body(MixedNumbers{});
  else
    body(DoubleNumbers{});
}

}  // namespace

void draw_axes_on_gpu(const Device& device, const ReflectionView& view, const RandomKey& key) {
  const cuda::LaunchRegion region(device.ordinal, "axes of reflections");
  cuda::launch(device.ordinal, cuda::shape_of(view.layout.replicas), draw_axes, view, key);
}

void project_on_gpu(const Device& device, const ReflectionView& view, float* sigma) {
  if (view.layout.spins() == 0) return;
  const cuda::LaunchRegion region(device.ordinal, "projections");
  with_numbers(device, [&](auto numbers) {
    cuda::launch(device.ordinal, shape_for_slots(view.layout), project<decltype(numbers)>, view,
                 sigma);
  });
}

void reflect_on_gpu(const Device& device, const ReflectionView& view,
                    const clusters::ReflectionClusterView& clusters_view,
                    const clusters::FoundClusters& found) {
  if (view.layout.spins() == 0) return;
  const cuda::LaunchRegion region(device.ordinal, "reflections");
  with_numbers(device, [&](auto numbers) {
    cuda::launch(device.ordinal, shape_for_slots(view.layout), reflect<decltype(numbers)>, view,
                 clusters_view, found);
  });
}

}  // namespace larmor::spins
