#pragma once
// Results of a minimum-energy path, for all model kinds.

#include "larmor/paths/geometry.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/model_kind/results_group.hpp"

namespace larmor::study {

/// The images of a path. [images]
struct PathNumbers {
  std::vector<double> coordinate, energy, slope, force;
  std::string coordinate_unit, energy_unit, slope_unit;  ///< the force has the unit of the slope
  Index saddle = 0, climbing = 0;  ///< the image of the barrier; the climbing one, 0: none
};

/// FORMAT: writes the group `path`, with energies between the images.
/// @param divisions points of the interpolated energy between neighbouring images
void write_path(const PathNumbers& path, Index divisions, ResultsGroup& results);

/// The barriers and lifetimes of a stage that followed a path.
std::vector<StageNumber> numbers_of_path(const io::ResultsReader& results, const std::string& path);

}  // namespace larmor::study
