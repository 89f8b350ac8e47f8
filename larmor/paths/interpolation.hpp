#pragma once
// Interpolation of the energy between the images of a path, from energies and slopes.

#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::paths {

struct PathCurve {
  std::vector<double> coordinate, energy;
};

/// Cubic Hermite interpolation; each interval between images is divided into `divisions`.
PathCurve interpolate_path(const std::vector<double>& coordinate, const std::vector<double>& energy,
                           const std::vector<double>& slope, Index divisions);

}  // namespace larmor::paths
