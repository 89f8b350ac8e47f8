#pragma once
// The nearest periodic image of a vector, for boxes of any shape with one, two or three periods.
// The nearest image of d is found in two steps. First period_i rounded(dual_i . d) is subtracted
// for each i. Then the shortest of this vector and its sums with each `shift` is taken.

#include <span>
#include <vector>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::correlations::real_space {

struct MinimumImage {
  std::vector<Vec3<double>> period;  ///< reduced vectors of the lattice of periods, as short as
                                     ///< pairs allow
  /// dual_i . period_j = delta_ij. The dual vectors are combinations of the periods.
  std::vector<Vec3<double>> dual;
  std::vector<Vec3<double>> shift;  ///< empty for a rectangular box
};

/// @throws InputError for more than three periods, or for periods that are not finite or not
/// independent
MinimumImage minimum_image(std::span<const Vec3<double>> periods);

}  // namespace larmor::correlations::real_space
