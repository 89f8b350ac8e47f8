#pragma once
// What stages of spins measure: a list for dynamics, a list for those that sample.

#include "larmor/study/kinds/spins/measurements/dynamics_course.hpp"
#include "larmor/study/measurements/measurement_types.hpp"

namespace larmor::study {

const MeasureList<DynamicsCourse>& measured_by_dynamics();
const MeasureList<MeasureContext>& measured_by_sampling();

}  // namespace larmor::study
