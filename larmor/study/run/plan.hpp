#pragma once
// What a run will do and need, before it is run.

#include <string>
#include <vector>

#include "larmor/study/run/device.hpp"

namespace larmor::study {

struct Plan {
  std::vector<std::string> lines;   ///< for people
  std::vector<std::string> advice;  ///< what they should know about lattice and Hamiltonian
  double seconds = 0;               ///< estimated
};

/// @throws InputError, MachineError as run_study
Plan plan_study(const Study& study, const DeviceOverrides& device = {});

}  // namespace larmor::study
