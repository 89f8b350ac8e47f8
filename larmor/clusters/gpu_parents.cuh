#pragma once
// Access of GPU threads to a forest.

#include <cuda_runtime.h>

#include <cstdint>

namespace larmor::clusters {

/// Trees in global memory. Other blocks of threads change them meanwhile, so the cache of a
/// multiprocessor may be outdated.
struct GlobalParents {
  std::uint32_t* parent;
  __device__ std::uint32_t load(std::uint32_t site) const { return __ldcg(parent + site); }
  __device__ void store(std::uint32_t site, std::uint32_t to) const { __stcg(parent + site, to); }
  __device__ std::uint32_t hook(std::uint32_t root, std::uint32_t to) const {
    return atomicCAS(parent + root, root, to);
  }
};

/// Complete trees. Caches may serve the reads, because most sites read one root.
struct FinishedParents {
  std::uint32_t* parent;
  __device__ std::uint32_t load(std::uint32_t site) const { return parent[site]; }
};

/// Trees of the sites of a tile.
struct TileParents {
  volatile std::uint32_t* parent;
  __device__ std::uint32_t load(std::uint32_t site) const { return parent[site]; }
  __device__ void store(std::uint32_t site, std::uint32_t to) const { parent[site] = to; }
  __device__ std::uint32_t hook(std::uint32_t root, std::uint32_t to) const {
    return atomicCAS(const_cast<std::uint32_t*>(parent) + root, root, to);
  }
};

}  // namespace larmor::clusters
