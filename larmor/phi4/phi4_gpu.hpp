#pragma once
// Launches of phi^4 kernels on a GPU.

#include <vector>

#include "larmor/clusters/reflection_engine.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/phi4/update_kernel.hpp"

namespace larmor::phi4 {

/// Sites ordered by colour.
struct ColouredSites {
  const std::vector<Index>& begin;  ///< where each colour begins; then the end of the last one
  const std::uint32_t* site;        ///< on the device
};

/// Runs sweeps. Each sweep has its own step in the random key. @param accepted the kernels add the
/// number of accepted trials; null: not counted [replicas]
void sweep_on_gpu(const Device& device, const FieldView& view, LocalRule rule, RandomKey key,
                  const double* step_length, const ColouredSites& sites, Index sweeps,
                  std::uint64_t* accepted);
/// Sums the numbers that SiteNumbers computes for each site. @param sums (replica, 3 + N)
/// @param partial_sums (replica, block of sites, 3 + N)
void sum_on_gpu(const Device& device, const FieldView& view, double* partial_sums, double* sums);
/// The energy conjugate to kappa: -2 times the sum over bonds. @param energy [replicas]
void bond_energies_on_gpu(const Device& device, const double* sums, int numbers, Index replicas,
                          double* energy);
/// Draws the axis of every replica. @param axis (replica, most_components)
void draw_axes_on_gpu(const Device& device, const FieldView& view, const RandomKey& key,
                      float* axis);
/// Projects all fields on their axes. @param sigma (replica, site)
void project_on_gpu(const Device& device, const FieldView& view, const float* axis, float* sigma);
/// Reflects the fields of the chosen clusters along their axes.
/// @param axis (replica, most_components)
void reflect_on_gpu(const Device& device, const FieldView& view, const float* axis,
                    const clusters::ReflectionClusterView& clusters,
                    const clusters::FoundClusters& found);

}  // namespace larmor::phi4
