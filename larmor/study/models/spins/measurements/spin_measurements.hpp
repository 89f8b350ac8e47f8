#pragma once
// What stages of spins measure: a list for dynamics, a list for those that sample.

#include "larmor/study/measurements/measurement_types.hpp"
#include "larmor/study/models/spins/measurements/dynamics_context.hpp"

namespace larmor::study {

const MeasureList<DynamicsContext>& measured_by_dynamics();
const MeasureList<MeasureContext>& measured_by_sampling();

}  // namespace larmor::study
