#pragma once
// What stages of atoms measure: a new measurement is a word in the source.

#include "larmor/study/kinds/atoms/measurements/md_course.hpp"
#include "larmor/study/measurements/measurement_types.hpp"

namespace larmor::study {

const MeasureList<MdCourse>& measured_by_md();

}  // namespace larmor::study
