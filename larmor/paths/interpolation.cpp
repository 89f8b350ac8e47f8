#include "larmor/paths/interpolation.hpp"

namespace larmor::paths {

PathCurve interpolate_path(const std::vector<double>& coordinate, const std::vector<double>& energy,
                           const std::vector<double>& slope, Index divisions) {
  PathCurve curve;
  for (std::size_t i = 0; i + 1 < coordinate.size(); ++i) {
    const double width = coordinate[i + 1] - coordinate[i];
    for (Index n = 0; n < divisions; ++n) {
      const double t = static_cast<double>(n) / static_cast<double>(divisions), s = 1 - t;
      curve.coordinate.push_back(coordinate[i] + t * width);
      curve.energy.push_back(s * s * (1 + 2 * t) * energy[i] + s * s * t * width * slope[i] +
                             t * t * (3 - 2 * t) * energy[i + 1] -
                             t * t * s * width * slope[i + 1]);
    }
  }
  curve.coordinate.push_back(coordinate.back());
  curve.energy.push_back(energy.back());
  return curve;
}

}  // namespace larmor::paths
