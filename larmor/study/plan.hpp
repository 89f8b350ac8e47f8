#pragma once
// What a run will do and need, before it is run.

#include <string>
#include <vector>

#include "larmor/study/device.hpp"
#include "larmor/study/scan.hpp"

namespace larmor::study {

struct Plan {
  std::vector<std::string> lines;   ///< for people
  std::vector<std::string> advice;  ///< what they should know about lattice and Hamiltonian
  double seconds = 0;               ///< estimated
};

/// @throws InputError, MachineError as run_study
Plan plan_study(const Study& study, const DeviceOverrides& device = {});

/// The points, all of them looked at, and the plan of the first.
/// @throws InputError, MachineError as run_scan
Plan plan_scan(const Scan& scan, const DeviceOverrides& device = {});

}  // namespace larmor::study
