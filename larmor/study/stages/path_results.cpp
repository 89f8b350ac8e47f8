#include "larmor/study/stages/path_results.hpp"

#include <limits>

#include "larmor/paths/interpolation.hpp"
#include "larmor/study/stages/escape_rates.hpp"

namespace larmor::study {

void write_path(const PathNumbers& path, Index divisions, ResultsGroup& results) {
  const std::vector<double>& energy = path.energy;
  const auto images = static_cast<Index>(energy.size());
  results.write("path/reaction_coordinate", path.coordinate, {images}, path.coordinate_unit);
  results.write("path/energy", energy, {images}, path.energy_unit);
  results.write("path/slope", path.slope, {images}, path.slope_unit);
  results.write("path/force", path.force, {images}, path.slope_unit);
  results.attach_scale("path/energy", 0, "path/reaction_coordinate");
  const paths::PathCurve curve =
      paths::interpolate_path(path.coordinate, energy, path.slope, divisions);
  const auto points = static_cast<Index>(curve.energy.size());
  results.write("path/interpolation/reaction_coordinate", curve.coordinate, {points},
                path.coordinate_unit);
  results.write("path/interpolation/energy", curve.energy, {points}, path.energy_unit);
  const double top = energy[static_cast<std::size_t>(path.saddle)];
  results.set_attribute("path", "saddle_image", path.saddle);
  results.set_attribute("path", "climbing_image", path.climbing);
  results.set_attribute("path", "saddle_energy", top);
  results.set_attribute("path", "barrier_forward", top - energy.front());
  results.set_attribute("path", "barrier_backward", top - energy.back());
  results.set_attribute("path", "energy_unit", path.energy_unit);
}

std::vector<StageNumber> numbers_of_path(const io::ResultsReader& results,
                                         const std::string& path) {
  if (!results.exists(path + "/path")) return {};
  const io::Attributes of_path = results.attributes(path + "/path");
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const io::Attributes of_stage = results.attributes(path);
  const bool converged =
      of_stage.at("converged").integer() != 0 || of_stage.at("saddle_converged").integer() != 0;
  std::vector<StageNumber> barriers;
  for (const std::string name : {"barrier_forward", "barrier_backward"})
    barriers.push_back({name, of_path.at("energy_unit").text(),
                        converged ? of_path.at(name).number() : unknown, unknown});
  for (StageNumber& lifetime : lifetimes_of_ends(results, path))
    barriers.push_back(std::move(lifetime));
  return barriers;
}

}  // namespace larmor::study
