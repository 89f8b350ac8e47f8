#pragma once
// The exactly known results that `larmor verify` measures: each with the way to measure it on a
// device. A new result is a new entry of a list.

#include <functional>
#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/types.hpp"

namespace larmor::study {

struct Measured {
  double value;
  double error;  ///< standard error, or the tolerance of a deterministic result
};

struct ExactResult {
  std::string what;
  double exact;
  bool statistical;  ///< is it measured by sampling?
  /// @param samples number of samples of a statistical result
  std::function<Measured(const Device&, Index samples)> measure;
};

}  // namespace larmor::study
