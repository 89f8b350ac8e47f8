#pragma once
// Reflections of spins on a GPU. Compiled only if CUDA is found.

#include "larmor/clusters/reflection_engine.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/spins/samplers/reflection_kernel.hpp"

namespace larmor::spins {

/// Draws the axis of every replica.
void draw_axes_on_gpu(const Device& device, const ReflectionView& view, const RandomKey& key);
/// Computes the projections of all spins on the axes.
/// @param sigma receives the projections (replica, spin)
void project_on_gpu(const Device& device, const ReflectionView& view, float* sigma);
void reflect_on_gpu(const Device& device, const ReflectionView& view,
                    const clusters::ReflectionClusterView& clusters_view,
                    const clusters::FoundClusters& found);

}  // namespace larmor::spins
