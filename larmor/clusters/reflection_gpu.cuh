#pragma once
// Queries of clusters for kernels that reflect vectors on a GPU.

#include "larmor/clusters/gpu_parents.cuh"
#include "larmor/clusters/reflection_engine.hpp"

namespace larmor::clusters {

/// The label of a site's cluster. The trees must be complete, and are read through caches.
__device__ inline std::uint32_t label_on_gpu(const ReflectionClusterView& view,
                                             const std::uint32_t* parent, Index replica,
                                             std::uint32_t site) {
  return find_root(FinishedParents{const_cast<std::uint32_t*>(parent) + replica * view.sites},
                   site);
}

/// Is the cluster of a site reflected?
__device__ inline bool is_reflected(const ReflectionClusterView& view, const FoundClusters& found,
                                    Index replica, std::uint32_t site) {
  const std::uint32_t label = label_on_gpu(view, found.parent, replica, site);
  if (found.reflected == Reflected::half_of_all)
    return is_reflected(label_word(found.keys, replica, label));
  const auto seed = static_cast<std::uint32_t>(seed_site(view, found.keys, replica));
  return label == label_on_gpu(view, found.parent, replica, seed);
}

}  // namespace larmor::clusters
