#pragma once
// What a run will do and need, before it is run.

#include <string>
#include <vector>

#include "larmor/study/run/device.hpp"

namespace larmor::study {

struct Plan {
  std::vector<std::string> lines;   ///< for people
  std::vector<std::string> advice;  ///< what they should know about lattice and Hamiltonian
  double seconds = 0;               ///< estimated, of stages that do as much as they are asked to
  double most_to_converge = 0;      ///< seconds of the others, if they take all their steps

  /// "about 2.1 s"
  std::string time_words() const;
};

/// @throws InputError, MachineError as run_study
Plan plan_study(const Study& study, const DeviceOverrides& device = {});

}  // namespace larmor::study
