#pragma once
// The measurements of stages of atoms: a new measurement is a word in the source.

#include "larmor/study/measurements/measurement_types.hpp"
#include "larmor/study/models/atoms/measurements/md_context.hpp"

namespace larmor::study {

const MeasureList<MdContext>& measured_by_md();

}  // namespace larmor::study
