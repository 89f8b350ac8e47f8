#pragma once
// Measurements of stages that do not store series of all samples: functions of configurations,
// taken with the energy.

#include "larmor/study/measurements/measurements.hpp"
#include "larmor/study/measurements/series.hpp"

namespace larmor::study {

/// @param stage its kind @param how the accepted way of measuring, for the message
/// @param where position of the key that lists the measurements
/// @throws InputError if one of them is not such a function
void require_configuration_series(const Measurements& measurements, const std::string& stage,
                                  const std::string& how, const SourcePosition& where);

/// All of them, after the check.
std::vector<SeriesMeasurement*> series_of(const Measurements& measurements);

}  // namespace larmor::study
