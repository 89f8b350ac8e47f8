#pragma once
// The nearest of the periodic images of a vector, for boxes of any shape with one, two or three
// periods: subtract period_i rounded(dual_i . d) for each i, then take the shortest of that and of
// it plus each of `shift`.

#include <span>
#include <vector>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::correlations::real_space {

struct MinimumImage {
  std::vector<Vec3<double>> period;  ///< of the same lattice of periods, as short as pairs allow
  std::vector<Vec3<double>> dual;    ///< dual_i . period_j = delta_ij, in their span
  std::vector<Vec3<double>> shift;   ///< none for a rectangular box
};

/// @throws InputError for more than three periods, or ones that are not finite or not independent
MinimumImage minimum_image(std::span<const Vec3<double>> periods);

}  // namespace larmor::correlations::real_space
