#pragma once
// Conversion of vectors to lists of numbers, for files and averages.

#include <vector>

#include "larmor/core/maths/vec3.hpp"

namespace larmor {

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
