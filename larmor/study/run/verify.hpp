#pragma once
// Compares exact results with measured ones: the acceptance suite for users.

#include <functional>
#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/types.hpp"

namespace larmor::study {

struct Comparison {
  std::string name;
  double exact = 0;
  double measured = 0;
  double error = 0;  ///< standard error, or the tolerance of a deterministic result
  bool statistical = true;

  double deviation() const { return (measured - exact) / error; }
  /// Is |deviation| under 3.89 (one in 10^4) for statistics, or under 1 for tolerances?
  bool passed() const;
};

/// Compares every exact result of all model kinds. @param samples those of each statistical result
/// @param report called after each comparison
std::vector<Comparison> verify(const Device& device, Index samples,
                               const std::function<void(const Comparison&)>& report);

}  // namespace larmor::study
