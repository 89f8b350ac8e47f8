#pragma once
// A slot says where a kernel stands: which site of which replica. Kernels are templates over the
// slot; the number type follows from it.

#include "larmor/core/pack.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

/// One site, eight replicas of one block side by side (CPU, many replicas).
struct ReplicaLanes {
  using Real = Pack;
  using Bits = PackBits;
  Index site;
  Index block;
};

/// One replica, eight consecutive sites side by side, of which `active` count (CPU, one replica).
struct SiteLanes {
  using Real = Pack;
  using Bits = PackBits;
  Index first_site;  ///< a multiple of eight
  unsigned active;   ///< bit per lane
};

}  // namespace LARMOR_ISA_NAMESPACE

/// One site of one replica (a CUDA thread, and the slow reference).
struct Single {
  using Real = double;
  using Bits = std::uint64_t;
  Index site;
  Index replica;
};

}  // namespace larmor
