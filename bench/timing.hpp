#pragma once
// Times of repeated work.

#include <functional>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/ranks/communicator.hpp"

namespace larmor::bench {

/// Seconds of work, which must wait for its launches. Ranks begin together, and the slowest counts.
double elapsed_seconds(const std::function<void()>& work, const Communicator& world = {});

/// Runs of which the fastest counts.
struct Runs {
  double shortest = 0.1;  ///< seconds; each run repeats its work often enough
  int count = 5;
  double warm_up = 0;  ///< seconds of runs before these
};

/// Seconds of one repetition in the fastest run. @param run repeats its work
double best_seconds(const Device& device, const std::function<void(Index times)>& run,
                    const Runs& runs = {}, const Communicator& world = {});

/// Sites a second in the fastest run. @param sites sites in one update
double best_rate(const Device& device, Index sites, const std::function<void()>& update);

/// How often work is done in that many seconds or a little longer; at least once.
Index times_that_take(double seconds, const std::function<void()>& work);

/// Best times, in seconds, of several rounds in which all works take turns. Thus, disturbances of
/// the machine affect all alike. Each work must wait for its launches.
std::vector<double> best_seconds_in_turn(const std::vector<std::function<void()>>& works);

}  // namespace larmor::bench
