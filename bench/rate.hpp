#pragma once
// Rates of updates of sites.

#include <functional>
#include <vector>

#include "larmor/core/device/device.hpp"

namespace larmor::bench {

/// Sites a second, the best of several runs of a tenth of a second or longer.
/// @param sites sites in one update
double best_rate(const Device& device, Index sites, const std::function<void()>& update);

/// How often work is done in that many seconds or a little longer; at least once.
Index times_that_take(double seconds, const std::function<void()>& work);

/// Best times, in seconds, of several rounds in which all works take turns. Thus, disturbances of
/// the machine affect all alike. Each work must wait for its launches.
std::vector<double> best_seconds_in_turn(const std::vector<std::function<void()>>& works);

}  // namespace larmor::bench
