#pragma once
// Measurements of stages that keep no series of all samples: functions of configurations, taken
// with the energy.

#include "larmor/study/measurements/measurements.hpp"
#include "larmor/study/measurements/series.hpp"

namespace larmor::study {

/// @param stage its kind @param how it would have to measure, for the message @param where it says
/// what is measured
/// @throws InputError where one of them is something else
void require_configuration_series(const Measurements& measurements, const std::string& stage,
                                  const std::string& how, const SourcePosition& where);

/// All of them, of which this is known.
std::vector<SeriesMeasurement*> series_of(const Measurements& measurements);

}  // namespace larmor::study
