#pragma once
// Unit vectors from directions that users write.

#include <algorithm>
#include <cmath>

#include "larmor/core/maths/vec3.hpp"

namespace larmor {

/// v / |v| for any vector except zero. It is scaled first, because the square of a very small or
/// large component would underflow or overflow.
inline Vec3<double> unit_vector(const Vec3<double>& v) {
  const Vec3<double> u = (1 / std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)})) * v;
  return (1 / std::sqrt(dot(u, u))) * u;
}

}  // namespace larmor
