#pragma once
// Bins for pairs of sites by distance.

#include <span>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"

namespace larmor::correlations::real_space {

/// Bins of distance to the nearest image of a periodic sample.
struct DistanceBins {
  double width = 1;  ///< length
  Index bins = 1;
  std::span<const Vec3<double>> periods;  ///< periods of the sample, three at most
};

/// A distance that is less than this number of widths below an edge between bins belongs to the bin
/// above. Thus, rounding does not split the shells of a lattice.
inline constexpr double edge_of_bin = 1e-9;

}  // namespace larmor::correlations::real_space
