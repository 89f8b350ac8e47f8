#pragma once
// Times of repeated work.

#include <functional>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/ranks/communicator.hpp"

namespace larmor::bench {

/// Seconds of work, which must wait for its launches. Ranks begin together, and the time of the
/// slowest counts.
double elapsed_seconds(const std::function<void()>& work, const Communicator& world = {});

/// Settings of repeated runs. The time of the fastest run counts.
struct Runs {
  double shortest = 0.1;  ///< seconds; a run repeats its work until it takes this time
  int count = 5;
  double warm_up = 0;  ///< seconds of runs before these
};

/// Seconds of one repetition in the fastest run. @param run repeats its work
double best_seconds(const Device& device, const std::function<void(Index times)>& run,
                    const Runs& runs = {}, const Communicator& world = {});

/// Sites a second in the fastest run. @param sites sites in one update
double best_rate(const Device& device, Index sites, const std::function<void()>& update);

/// Number of repetitions of work that take the given seconds or a little longer; at least one.
Index times_that_take(double seconds, const std::function<void()>& work);

/// Best times of several works, in seconds. Each round runs every work once, so that disturbances
/// of the machine affect all works alike. Each work must wait for its launches.
std::vector<double> best_seconds_in_turn(const std::vector<std::function<void()>>& works);

}  // namespace larmor::bench
