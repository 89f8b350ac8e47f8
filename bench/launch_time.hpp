#pragma once
// How long a GPU takes for what is launched.

#include <functional>
#include <string>
#include <vector>

#include "bench/method_measured.hpp"
#include "bench/variant_table.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/ranks/communicator.hpp"

namespace larmor::bench {

/// How long launches are timed, in seconds.
struct Timing {
  /// Before it: clocks of a GPU fall once it draws all its power, by some 5%.
  double warm_up = 0.4;
  double shortest_run = 0.1;
  int runs = 5;
  double longest = 1;
  bool long_twice = true;  ///< what takes longer than that
};

/// Best time of one launch, of several runs. @param world ranks that launch together; the slowest
/// counts
double best_launch_seconds(const Device& device, const std::function<void()>& launch,
                           const Timing& timing = {}, const Communicator& world = {});

/// All parts together, and each by itself.
MethodMeasured measured_parts(const Device& device, const std::string& name,
                              const std::vector<LadderPart>& parts);

}  // namespace larmor::bench
