#pragma once

namespace larmor {

/// Threads of a GPU that run together.
inline constexpr int warp_size = 32;

}  // namespace larmor
