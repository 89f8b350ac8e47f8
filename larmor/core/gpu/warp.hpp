#pragma once

#include "larmor/core/types.hpp"

namespace larmor {

/// Threads of a GPU that run together.
inline constexpr int warp_size = 32;
/// Most blocks along the second axis of a launch.
inline constexpr Index most_grid_rows = 65535;

}  // namespace larmor
