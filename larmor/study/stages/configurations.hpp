#pragma once
// Whole configurations in the results.

#include <functional>
#include <span>

#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// When a configuration is taken.
struct TrajectoryTime {
  Index step;        ///< as in the series: of the stage or its point, without thermalisation
  double time;       ///< what the stage counts by
  std::string unit;  ///< of `time`
};

/// Bytes of the host while `append_trajectory` is under way: a configuration as it is made, as it
/// waits to be written, and behind those that wait already.
double trajectory_bytes(const Sizing& sizing, Index count);

/// Appends the states of the first `count` replicas to trajectory/{value, step, time}.
void append_trajectory(ResultsGroup& results, const Simulation& simulation, Index count,
                       const TrajectoryTime& when);

/// Final configurations of the first `count` replicas, as System::configurations gives them.
void write_configurations(const Simulation& simulation, Index count, ResultsGroup& results);

/// @throws UnphysicalError naming the first site, or the first replica, that is not finite
void require_finite_energies(const Simulation& simulation, std::span<const double> energies);

/// Wall time of one call, from as many calls as fit in a tenth of a second. On a GPU of what it
/// launches, without what it makes at the first.
double seconds_of_one(const Device& device, const std::function<void()>& work);

}  // namespace larmor::study
