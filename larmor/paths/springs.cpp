#include "larmor/paths/springs.hpp"

#include <algorithm>
#include <cmath>

namespace larmor::paths {
namespace {

/// Springs balance within this fraction of a gap. The spacing hardly affects the saddle.
constexpr double balance_tolerance = 0.05;

}  // namespace

std::vector<double> spring_displacements(const NebPath& path, double ratio) {
  const std::vector<double>& energy = path.energy;
  const std::vector<double>& to_next = path.to_next;
  // Stiffness is 1 up to the energy of the higher end, then increases to `ratio` at the top.
  const double bottom = path.higher_end(), top = path.height(), range = top - bottom;
  const double stiffening = range > 0 ? (ratio - 1) / range : 0;
  std::vector<double> stiffness;
  for (std::size_t i = 0; i + 1 < path.images(); ++i) {
    const double above = std::max(energy[i], energy[i + 1]) - bottom;
    stiffness.push_back(1 + stiffening * std::max(0.0, above));
  }
  std::vector<double> displacement(path.images());
  for (std::size_t i = 1; i + 1 < path.images(); ++i) {
    if (i == path.climbing) continue;
    const double pull = stiffness[i] * to_next[i] - stiffness[i - 1] * to_next[i - 1];
    double change = stiffness[i] + stiffness[i - 1];
    // The stiffness of the spring to a lower neighbour depends on the energy of this image. If the
    // image goes down, this spring softens. The springs of the highest image are always the
    // stiffest.
    if (energy[i] > bottom && energy[i] < top) {
      const double softens = stiffening * path.slope[i];
      if (energy[i] > energy[i + 1]) change += std::max(0.0, -softens * to_next[i]);
      if (energy[i] > energy[i - 1]) change += std::max(0.0, softens * to_next[i - 1]);
    }
    displacement[i] = pull / change;
  }
  return displacement;
}

bool springs_balance(const NebPath& path, double ratio) {
  const std::vector<double> displacement = spring_displacements(path, ratio);
  for (std::size_t i = 1; i + 1 < path.images(); ++i) {
    const double nearest = std::min(path.to_next[i - 1], path.to_next[i]);
    if (std::abs(displacement[i]) > balance_tolerance * nearest) return false;
  }
  return true;
}

}  // namespace larmor::paths
