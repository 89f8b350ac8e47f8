#pragma once
// The limits of lengths. Beyond them, positions in fractions of a cell overflow, and distances
// between atoms are only rounding errors.

#include <algorithm>
#include <cmath>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::lattice {

inline constexpr double shortest_length = 1e-15, longest_length = 1e15;
inline constexpr const char* length_limits = "lengths lie between 1e-15 and 1e15";
inline constexpr const char* coordinate_limits = "coordinates lie between -1e15 and 1e15";

inline bool within_coordinate_limits(double x) { return std::abs(x) <= longest_length; }

/// Is this vector of a cell within the limits? A vector of zeros is, because it is refused for
/// another reason.
inline bool within_length_limits(const Vec3<double>& a) {
  const double largest = std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
  return largest == 0 || (largest >= shortest_length && largest <= longest_length);
}

}  // namespace larmor::lattice
