#pragma once

#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// The vectors along which the sample repeats, three at most; none: open.
std::vector<Vec3<double>> periods_of(const Geometry& geometry);

}  // namespace larmor::lattice
