#pragma once

#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// The vectors along which the sample repeats, at most three; empty for open boundaries.
std::vector<Vec3<double>> periods_of(const Geometry& geometry);

}  // namespace larmor::lattice
