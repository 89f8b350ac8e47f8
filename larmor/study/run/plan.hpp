#pragma once
// Forecasts the work, time and memory of a run.

#include <string>
#include <vector>

#include "larmor/study/run/device.hpp"

namespace larmor::study {

struct Plan {
  std::vector<std::string> lines;   ///< text for users
  std::vector<std::string> advice;  ///< advice about lattice and Hamiltonian
  double seconds = 0;               ///< estimate for stages with a fixed number of steps
  double most_to_converge = 0;      ///< seconds of all other stages if they use all their steps

  /// "about 2.1 s"
  std::string time_text() const;
};

/// @throws InputError, MachineError as run_study
Plan plan_study(const Study& study, const DeviceOverrides& device = {});

}  // namespace larmor::study
