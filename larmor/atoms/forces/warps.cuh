#pragma once
// Blocks of threads in which a warp works on an atom.

#include "larmor/core/gpu/warp.hpp"

namespace larmor::atoms {

inline constexpr int warps_of_block = 4;

}  // namespace larmor::atoms
