#pragma once
// Sites in an order in which neighbours in space are neighbours in memory.

#include <cstdint>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// All sites along a Z-order curve through their positions (Morton, IBM Ltd. (1966)); sites at the
/// same point in canonical order. Plain positions come in any order, and neighbours anywhere in
/// memory cost most of the time of a sweep.
std::vector<std::int32_t> along_curve(const Geometry& geometry);

}  // namespace larmor::lattice
