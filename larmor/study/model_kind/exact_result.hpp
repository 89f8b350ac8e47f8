#pragma once
// What `larmor verify` knows exactly and measures: lists of results, each with the way to measure
// it on a device. A new one is an entry of a list.

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
  bool statistical;  ///< measured by sampling
  /// @param samples of a statistical result
  std::function<Measured(const Device&, Index samples)> measure;
};

}  // namespace larmor::study
