#pragma once
// Vectors of doubles on the host: unit vectors from directions that users write, and lists of
// components for files and averages.

#include <algorithm>
#include <cmath>
#include <vector>

#include "larmor/core/maths/vec3.hpp"

namespace larmor {

/// v / |v| for any vector except zero. First v is scaled, because the square of a very small or
/// large component would underflow or overflow.
inline Vec3<double> unit_vector(const Vec3<double>& v) {
  const Vec3<double> u = (1 / std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)})) * v;
  return (1 / std::sqrt(dot(u, u))) * u;
}

/// Components (v.x, v.y, v.z) of each vector in order. [3 n]
inline std::vector<double> flattened(const std::vector<Vec3<double>>& vectors) {
  std::vector<double> numbers;
  for (const Vec3<double>& v : vectors) numbers.insert(numbers.end(), {v.x, v.y, v.z});
  return numbers;
}

/// One component of each vector. [n] @param vectors (n, 3)
inline std::vector<double> component_of(const std::vector<double>& vectors, std::size_t component) {
  std::vector<double> numbers;
  for (std::size_t i = component; i < vectors.size(); i += 3) numbers.push_back(vectors[i]);
  return numbers;
}

}  // namespace larmor
