#pragma once
// What measurements are told of the md stage that asks for them.

#include <functional>

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/study/measurements/measurement.hpp"

namespace larmor::study {

struct MdContext : MeasureContext {
  double timestep = 0;  ///< ps
  /// How the box may change; nothing: it stays as it is.
  std::optional<atoms::CellShape> shape;
  /// atoms::Integrator::conserved of the stage. [replicas]
  std::function<std::vector<double>()> conserved;
};

}  // namespace larmor::study
