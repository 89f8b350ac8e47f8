#pragma once
// The nearest periodic image of a vector, for boxes of any shape with one, two or three periods.
// Subtract period_i rounded(dual_i . d) for each i; then take the shortest of this vector and of
// its sums with each `shift`.

#include <span>
#include <vector>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::correlations::real_space {

struct MinimumImage {
  std::vector<Vec3<double>> period;  ///< reduced vectors of the lattice of periods, as short as
                                     ///< pairs allow
  std::vector<Vec3<double>> dual;    ///< dual_i . period_j = delta_ij; combinations of the periods
  std::vector<Vec3<double>> shift;   ///< empty for a rectangular box
};

/// @throws InputError for more than three periods, or for periods not finite or not independent
MinimumImage minimum_image(std::span<const Vec3<double>> periods);

}  // namespace larmor::correlations::real_space
