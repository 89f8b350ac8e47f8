#pragma once
// The measurements of stages of atoms: a new measurement is an entry of a list in the source.

#include <functional>

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/study/measurements/measurement.hpp"
#include "larmor/study/measurements/measurement_types.hpp"

namespace larmor::study {

/// Properties of an md stage that its measurements receive.
struct MdContext : MeasureContext {
  double timestep = 0;  ///< ps
  /// How the box may change; nothing: the box is fixed.
  std::optional<atoms::CellShape> shape;
  bool has_thermostat = true;
  bool replicas_differ = false;  ///< do replicas have temperatures or pressures of their own?
  /// atoms::Integrator::conserved of the stage. [replicas]
  std::function<std::vector<double>()> conserved;
};

const MeasureList<MdContext>& measured_by_md();

}  // namespace larmor::study
