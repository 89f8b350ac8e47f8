#pragma once
// What a scan will do and need, before it is run.

#include "larmor/study/run/plan.hpp"
#include "larmor/study/scan/scan.hpp"

namespace larmor::study {

/// The points, all of them looked at, and the plan of the first.
/// @throws InputError, MachineError as run_scan
Plan plan_scan(const Scan& scan, const DeviceOverrides& device = {});

}  // namespace larmor::study
