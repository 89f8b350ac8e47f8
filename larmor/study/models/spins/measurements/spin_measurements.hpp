#pragma once
// The measurements of stages of spins: a list for dynamics, a list for stages that sample.

#include "larmor/study/measurements/measurement_types.hpp"
#include "larmor/study/models/spins/measurements/dynamics_context.hpp"

namespace larmor::study {

const MeasureList<DynamicsContext>& measured_by_dynamics();
const MeasureList<MeasureContext>& measured_by_sampling();

}  // namespace larmor::study
