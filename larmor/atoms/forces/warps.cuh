#pragma once
// Thread blocks in which each warp handles one atom.

#include "larmor/core/gpu/warp.hpp"

namespace larmor::atoms {

inline constexpr int warps_of_block = 4;

}  // namespace larmor::atoms
