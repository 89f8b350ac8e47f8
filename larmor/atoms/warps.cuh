#pragma once
// Blocks of threads in which a warp works on an atom.

namespace larmor::atoms {

inline constexpr int warp_lanes = 32, warps_of_block = 4;

}  // namespace larmor::atoms
