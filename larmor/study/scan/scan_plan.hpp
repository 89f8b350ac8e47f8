#pragma once
// Forecasts the work, time and memory of a scan.

#include "larmor/study/run/plan.hpp"
#include "larmor/study/scan/scan.hpp"

namespace larmor::study {

/// The points, after a check of all of them, and the plan of the first.
/// @throws InputError, MachineError as run_scan
Plan plan_scan(const Scan& scan, const DeviceOverrides& device = {});

}  // namespace larmor::study
