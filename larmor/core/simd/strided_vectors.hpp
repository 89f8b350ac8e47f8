#pragma once
// A read-only view of the spins of all replicas in any layout, for measurements.

#include <cstdint>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/simd/domain.hpp"

namespace larmor {

/// Component `c` of the vector at storage position `s` of replica `r` is
/// `data[(r / lanes) * block_stride + (r % lanes) * lane_stride + s * site_stride + c *
/// component_stride]`. Many replicas: lanes = 8, strides (24 N, 1, 24, 8); one replica: lanes = 1,
/// strides (3 N, 0, 1, N).
struct StridedVectors {
  const double* data;
  Index sites;
  Index replicas;  ///< without padding of the last block
  Index lanes;
  Index block_stride, lane_stride, site_stride, component_stride;
  const std::int32_t* canonical;   ///< canonical site of each storage position [sites]
  const Domain* domain = nullptr;  ///< the sites that this process adds up; null for all

  const double* at(Index replica, Index storage) const {
    return data + (replica / lanes) * block_stride + (replica % lanes) * lane_stride +
           storage * site_stride;
  }
  Vec3<double> load(Index replica, Index storage) const {
    const double* p = at(replica, storage);
    return {p[0], p[component_stride], p[2 * component_stride]};
  }
};

}  // namespace larmor
