#pragma once
// Directions as users write them.

#include <algorithm>
#include <cmath>

#include "larmor/core/maths/vec3.hpp"

namespace larmor {

/// v / |v| for any vector but zero. Scaled first: the square of a very small or large component
/// would vanish or overflow.
inline Vec3<double> unit_vector(const Vec3<double>& v) {
  const Vec3<double> u = (1 / std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)})) * v;
  return (1 / std::sqrt(dot(u, u))) * u;
}

}  // namespace larmor
