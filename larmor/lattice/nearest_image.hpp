#pragma once

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// The shortest periodic image of a vector.
Vec3<double> nearest_image(const Geometry& geometry, const Vec3<double>& vector);

}  // namespace larmor::lattice
