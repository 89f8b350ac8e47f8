#pragma once
// Warps, the groups of threads that a GPU runs together.

namespace larmor {

/// Threads of a warp.
inline constexpr int warp_size = 32;

}  // namespace larmor
