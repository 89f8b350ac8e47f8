#pragma once
// An order of the sites in which neighbours in space are close in memory.

#include <cstdint>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// All sites along a Z-order curve through their positions (Morton, IBM Ltd. (1966)). Sites at the
/// same point keep their canonical order. Plain positions come in any order, and distant reads from
/// memory would dominate the time of a sweep.
std::vector<std::int32_t> along_curve(const Geometry& geometry);

}  // namespace larmor::lattice
