#pragma once
// Macros and integer types for every room.

#include <cstdint>

#if defined(__CUDACC__)
#define LARMOR_HD __host__ __device__
#else
#define LARMOR_HD
#endif

namespace larmor {

/// Counts and positions of sites, bonds and samples: always 64 bits.
using Index = std::int64_t;

}  // namespace larmor
