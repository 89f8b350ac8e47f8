#pragma once
// Times of launches on a GPU.

#include <functional>
#include <string>
#include <vector>

#include "bench/compared_methods.hpp"
#include "bench/timing.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/ranks/communicator.hpp"

namespace larmor::bench {

struct Timing {
  /// Seconds of warm-up. The clocks of a GPU fall by some 5% once it draws full power.
  Runs runs{.warm_up = 0.4};
  double longest = 1;      ///< seconds; a slower launch is not repeated
  bool long_twice = true;  ///< times a slower launch twice
};

/// Best time of one launch in several runs.
/// @param world ranks that launch together; the time of the slowest rank counts
double best_launch_seconds(const Device& device, const std::function<void()>& launch,
                           const Timing& timing = {}, const Communicator& world = {});

/// Times of all parts together, and of each part.
MethodMeasured measured_parts(const Device& device, const std::string& name,
                              const std::vector<MethodPart>& parts);

}  // namespace larmor::bench
