#include "larmor/atoms/paths/harmonic_rate.hpp"

#include <cmath>

#include "larmor/core/error.hpp"

namespace larmor::atoms {

paths::Escape escape_of_atoms(const StationaryStructure& minimum, const StationaryStructure& saddle,
                              double equivalent_saddles) {
  if (minimum.modes.rigid_motions != saddle.modes.rigid_motions)
    throw UnphysicalError(
        "the minimum has " + std::to_string(minimum.modes.rigid_motions) +
        " rigid motions and the saddle " + std::to_string(saddle.modes.rigid_motions) +
        ": the rate of an escape between linear and bent structures is not implemented");
  paths::Escape escape{};
  escape.barrier = saddle.energy - minimum.energy;
  escape.log_entropy = saddle.modes.log_volume - minimum.modes.log_volume +
                       (minimum.modes.log_determinant() - saddle.modes.log_determinant()) / 2;
  escape.saddles = equivalent_saddles;
  return escape;
}

double dynamical_factor(const StationaryStructure& saddle) {
  if (saddle.modes.unstable() != 1)
    throw InternalError("a rate needs a saddle with one unstable mode");
  return std::sqrt(-saddle.modes.squared_frequency.front());
}

}  // namespace larmor::atoms
