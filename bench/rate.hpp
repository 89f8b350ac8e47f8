#pragma once
// How fast updates of sites are.

#include <functional>
#include <vector>

#include "larmor/core/device/device.hpp"

namespace larmor::bench {

/// Sites a second, the best of some runs of a tenth of a second or more.
/// @param sites that an update updates
double best_rate(const Device& device, Index sites, const std::function<void()>& update);

/// How often work is done in so many seconds, or a little longer; once at least.
Index times_that_take(double seconds, const std::function<void()>& work);

/// Best times, in seconds, of several rounds in which everything has its turn: what disturbs the
/// machine for a while disturbs all alike. For work that waits for what it launches.
std::vector<double> best_seconds_in_turn(const std::vector<std::function<void()>>& works);

}  // namespace larmor::bench
