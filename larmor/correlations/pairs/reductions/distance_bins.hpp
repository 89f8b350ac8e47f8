#pragma once
// Pairs of sites by their distance.

#include <span>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"

namespace larmor::correlations::real_space {

/// Bins of distance, to the nearest image where the sample repeats.
struct DistanceBins {
  double width = 1;  ///< length
  Index bins = 1;
  std::span<const Vec3<double>> periods;  ///< along which the sample repeats, three at most
};

/// A distance that is this close below an edge between bins, in widths, is in the bin above, so
/// that rounding does not split the shells of a lattice.
inline constexpr double edge_of_bin = 1e-9;

}  // namespace larmor::correlations::real_space
