#pragma once
// Properties of an md stage that its measurements receive.

#include <functional>

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/study/measurements/measurement.hpp"

namespace larmor::study {

struct MdContext : MeasureContext {
  double timestep = 0;  ///< ps
  /// How the box may change; nothing: it is fixed.
  std::optional<atoms::CellShape> shape;
  /// atoms::Integrator::conserved of the stage. [replicas]
  std::function<std::vector<double>()> conserved;
};

}  // namespace larmor::study
